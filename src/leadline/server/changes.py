"""Runs changed over HTTP: their plan, and whether they go on."""

from fastapi import APIRouter

from leadline.errors import PlanError, RunElsewhere, UsageError
from leadline.records import Run
from leadline.server.answers import RunState, describe
from leadline.server.bodies import Again, NewPlan, number
from leadline.server.place import AskedRun, Here, House

router = APIRouter(prefix="/runs/{run}", tags=["runs"])


@router.put("/plan", status_code=202)
async def edit_plan(here: Here, run: AskedRun, body: NewPlan) -> RunState:
    """Give a run another list of todos, while it works or after. Only what changed is done again."""
    plan = await here.desk.find_plan(run)
    if body.revision is not None and body.revision != plan.revision:
        raise UsageError(
            f"The plan of run {run.id} was changed meanwhile: revision {plan.revision} is in force, not {body.revision}. Look"
            " at it again."
        )
    todos = number(body.todos, plan.todos)
    if len({todo.id for todo in todos}) < len(todos):
        raise PlanError("Two todos have the same id; leave the id out for new ones.")
    after = await _find_last(here, run)
    await here.desk.edit(run, todos)
    await here.desk.go_on(run, after)
    return await _describe_again(here, run)


@router.post("/approve", status_code=202)
async def approve_plan(here: Here, run: AskedRun) -> RunState:
    """Approve of the plan of a run that waits for it."""
    after = await _find_last(here, run)
    await here.desk.approve(run)
    await here.desk.go_on(run, after)
    return await _describe_again(here, run)


@router.post("/cancel")
async def cancel_run(here: Here, run: AskedRun) -> RunState:
    """Cancel a run, and answer when whoever works on it has confirmed. What it has found is kept."""
    await here.desk.cancel(run)
    return await _describe_again(here, run)


@router.post("/resume", status_code=202)
async def resume_run(here: Here, run: AskedRun) -> RunState:
    """Let a run go on that was cancelled or interrupted, or try one again that failed."""
    if run.status == "running" and await here.desk.state(run) in ("queued", "working"):
        raise RunElsewhere(f"Run {run.id} is in work, or waits for its turn.")
    await here.desk.check_worker(run)
    await here.desk.resume(run)
    await here.desk.submit(await here.desk.store.runs.load(run.id))
    return await _describe_again(here, run)


@router.post("/retry", status_code=202)
async def retry_todos(here: Here, run: AskedRun, body: Again) -> RunState:
    """Do todos again: those named, else those that failed or found nothing."""
    after = await _find_last(here, run)
    await here.desk.retry(run, body.todos)
    await here.desk.go_on(run, after)
    return await _describe_again(here, run)


@router.post("/refresh", status_code=202)
async def refresh_run(here: Here, run: AskedRun) -> RunState:
    """Read the sources of a run that has ended again, and do the todos again whose sources changed, if any has."""
    await here.desk.check_worker(run)
    if await here.desk.refresh(run):
        await here.desk.submit(await here.desk.store.runs.load(run.id))
    return await _describe_again(here, run)


async def _find_last(here: House, run: Run) -> int:
    """Return the number of a run's last event, having seen that a change will be carried out."""
    await here.desk.check_worker(run)
    return (await here.desk.store.runs.tail(run.id)).seq


async def _describe_again(here: House, run: Run) -> RunState:
    return await describe(here.desk, await here.desk.store.runs.load(run.id))
