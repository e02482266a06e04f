"""An estimate in words."""

from leadline.estimating import Between, Estimate


def describe(estimate: Estimate) -> list[str]:
    """Return what a run would ask and use, line by line."""
    lines = [
        estimate.start,
        f"{_span(estimate.todos)} todos, {_span(estimate.searches)} searches, up to {estimate.pages:,} documents read",
    ]
    if not estimate.calls[1]:
        return [*lines, "no call of a model"]
    tokens = f"{_span(estimate.prompt_tokens)} tokens of prompts and {_span(estimate.completion_tokens)} of answers"
    lines.append(f"{_span(estimate.calls)} calls of a model: {tokens}")
    if estimate.cost is None:
        return [*lines, "no price of this model is known"]
    least, most = estimate.cost
    return [*lines, f"${least:.2f} to ${most:.2f} by list price" if most else "no cost: it is on this machine"]


def _span(between: Between) -> str:
    least, most = between
    return f"{least:,}" if least == most else f"{least:,} to {most:,}"
