"""Reading the open web: guarded, limited, and saved. One page in, one record out."""

from leadline.reading.fetcher import Fetched, Fetcher, ReadingLimits
from leadline.reading.reader import WebReader
from leadline.reading.recalled import RecalledReader
from leadline.reading.routing import RoutedReader

__all__ = ["Fetched", "Fetcher", "ReadingLimits", "RecalledReader", "RoutedReader", "WebReader"]
