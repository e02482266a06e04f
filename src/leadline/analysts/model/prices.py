"""What models cost and how much they take in, by the list that comes with genai-prices: nothing is looked up in the network."""

from genai_prices import Usage, calc_price
from genai_prices.data_snapshot import get_snapshot

from leadline.analysts.model.providers import Endpoint

_IDS = {"qwen": "alibaba"}


def find_cost(endpoint: Endpoint, prompt_tokens: int, completion_tokens: int) -> float | None:
    """Return the list price of a call in US dollars: nothing on this machine, None where no price is known."""
    if endpoint.is_local:
        return 0.0
    usage = Usage(input_tokens=prompt_tokens, output_tokens=completion_tokens)
    name = endpoint.provider.name
    try:
        return float(calc_price(usage, endpoint.model, provider_id=_IDS.get(name, name)).total_price)
    except LookupError:
        return None


def find_published_window(endpoint: Endpoint) -> int | None:
    """Return the window of a provider's model as it is published; None where that is not known."""
    if endpoint.is_local:
        return None
    name = endpoint.provider.name
    try:
        _, model = get_snapshot().find_provider_model(endpoint.model, None, _IDS.get(name, name), None)
    except LookupError:
        return None
    return model.context_window
