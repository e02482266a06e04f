"""DBOS's tables as rounds of runs. Everything goes through its public client, which blocks."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from dbos import DBOSClient, DBOSPortableJSONSerializer, EnqueueOptions
from dbos import error as dbos_error

from leadline.engine.database import SCHEMA, as_text, url_of
from leadline.engine.place import Limits, Place, Versions
from leadline.engine.rounds import LIVE, SHARED_QUEUE, WORKFLOW, Round, next_id, pick_last, private_queue, read_round

APPLICATION = "leadline"
"""DBOS allows lower-case names only."""

POLL = 0.125
"""Seconds between two looks into a queue; DBOS's own second is slow. Measured: 0.4 % of a core for each look a second."""

SLOW_POLL = 0.5
"""The same for a worker's own queue beside the shared one: few runs need it."""


class Catalog:
    """The rounds of all runs."""

    def __init__(self, place: Place, versions: Versions) -> None:
        self._versions = versions
        self._client = DBOSClient(
            system_database_url=as_text(url_of(place)),
            dbos_system_schema=SCHEMA,
            serializer=DBOSPortableJSONSerializer(),
            application_name=APPLICATION,
            retry_connection_errors=False,
            lazy=True,
        )

    def close(self) -> None:
        """Let go of the connections."""
        self._client.destroy()

    def list_rounds(self, run: str) -> list[Round]:
        """Return all rounds of a run."""
        rows = self._client.list_workflows(workflow_id_prefix=f"{run}.", name=WORKFLOW, load_output=False)
        return [found for found in map(read_round, rows) if found.run == run]

    def find_last(self, run: str) -> Round | None:
        """Return the last round of a run; None if it was never submitted."""
        return pick_last(self.list_rounds(run))

    def list_started(self, executor: str) -> list[Round]:
        """Return the rounds that an executor has taken."""
        rows = self._client.list_workflows(status="PENDING", executor_id=executor, name=WORKFLOW, load_output=False)
        return [read_round(row) for row in rows]

    def list_unfinished(self, executor: str) -> list[Round]:
        """Return the rounds that an executor has taken, and those that wait for it alone."""
        waiting = self._client.list_workflows(
            status="ENQUEUED", queue_name=private_queue(executor), name=WORKFLOW, load_output=False
        )
        return [*self.list_started(executor), *(read_round(row) for row in waiting)]

    def list_waiting_of_others(self) -> list[Round]:
        """Return the rounds in the shared queue that no process of this release will take: other versions recorded them."""
        names = {version["version_name"] for version in self._client.list_application_versions()} - {str(self._versions.own)}
        if not names:
            return []
        rows = self._client.list_workflows(
            status="ENQUEUED", queue_name=SHARED_QUEUE, app_version=sorted(names), name=WORKFLOW, load_output=False
        )
        return [read_round(row) for row in rows]

    def count_unfinished(self, executors: Sequence[str]) -> Mapping[str, int]:
        """Return how many rounds wait or run in the own queue of each executor."""
        queues = {private_queue(executor): executor for executor in executors}
        rows = self._client.list_workflows(status=LIVE, queue_name=sorted(queues), load_input=False, load_output=False)
        return Counter(queues[row.queue_name] for row in rows if row.queue_name)

    def count_open(self) -> int:
        """Return how many rounds that this release can do wait or run in the shared queue."""
        rows = self._client.list_workflows(
            status=LIVE, queue_name=SHARED_QUEUE, app_version=str(self._versions.own), load_input=False, load_output=False
        )
        return len(rows)

    def enqueue_new(self, run: str, queue: str, needs: Collection[str], priority: int) -> bool:
        """Begin the first round of a run; say whether there was none before. Half the statements of looking first."""
        options = self._options(run, None, queue, priority)
        try:
            self._client.enqueue({**options, "workflow_id_reuse_policy": "reject"}, run, sorted(needs))
        except dbos_error.DBOSWorkflowIDInUseError:
            return False
        return True

    def enqueue(self, run: str, last: Round | None, queue: str, needs: Collection[str], priority: int) -> None:
        """Begin the round after `last`."""
        self._client.enqueue(self._options(run, last, queue, priority), run, sorted(needs))

    def _options(self, run: str, last: Round | None, queue: str, priority: int) -> EnqueueOptions:
        return {
            "workflow_name": WORKFLOW,
            "queue_name": queue,
            "workflow_id": next_id(run, last),
            "app_version": str(self._versions.own),
            "priority": priority,
        }

    def move(self, rounds: Sequence[Round], queue: str) -> None:
        """Put rounds into a queue. Nobody may be working on them."""
        self._client.resume_workflows([r.id for r in rounds], queue_name=queue)

    def cancel(self, rounds: Sequence[Round]) -> None:
        """End rounds."""
        self._client.cancel_workflows([r.id for r in rounds])

    def delete(self, rounds: Sequence[Round]) -> None:
        """Remove rounds."""
        self._client.delete_workflows([r.id for r in rounds])

    def open_shared_queue(self, limits: Limits | None) -> None:
        """Make the shared queue; with limits, they hold from now on."""
        self._client.register_queue(
            SHARED_QUEUE,
            polling_interval_sec=POLL,
            worker_concurrency=(limits or Limits()).per_process,
            global_concurrency=limits.overall if limits else None,
            on_conflict="always_update" if limits else "never_update",
        )

    def open_private_queue(self, executor: str, poll: float, at_once: int | None) -> None:
        """Make the queue of one executor."""
        self._client.register_queue(private_queue(executor), polling_interval_sec=poll, worker_concurrency=at_once)

    def close_private_queue(self, executor: str) -> None:
        """Remove the queue of one executor."""
        self._client.delete_queue(private_queue(executor))
