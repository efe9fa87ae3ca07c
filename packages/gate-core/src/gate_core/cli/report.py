"""The report of `gate replay --report FILE`: one self-contained HTML file (spec 70, "Report").

It needs no network and works from disk. Everything a transcript says goes through Jinja's escaping, so that it never
becomes markup. It is written conversation by conversation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any, cast
from urllib.parse import quote

from gate_core.cli.timeline import timeline
from gate_core.model.codes import Code
from gate_core.model.config import GateConfig
from gate_core.model.json import Json
from gate_core.transcripts import Read

_LONGEST = 4_000  # characters of a result that are shown


def available() -> bool:
    """True when Jinja is there, which comes with the extra [cli]."""
    from importlib.util import find_spec

    return find_spec("jinja2") is not None


def told_of(item: Read, config: GateConfig | None, *, assume: bool) -> dict[str, Json]:
    """What the report says of a conversation."""
    told = timeline(item, config, assume=assume, longest=_LONGEST)
    entries = [entry for turn in cast("Any", told)["turns"] for entry in turn["entries"]]
    decided = [entry for entry in entries if entry["decision"]]
    codes: list[Json] = list(dict.fromkeys(code for entry in decided for code in entry["codes"]))
    rejected = sum(entry["decision"] == "REJECT" for entry in decided)
    return {**told, "codes": codes, "attempts": len(decided), "rejected": rejected}


def write_report(
    path: str, conversations: Iterable[Mapping[str, Json]], totals: Callable[[], Mapping[str, Json]]
) -> None:
    """Write the report; `totals` are asked for when the last conversation was written.

    Raises:
        OSError: the file cannot be written.
    """
    from jinja2 import Environment, StrictUndefined

    text = (files("gate_core.cli") / "report.html.jinja").read_text("utf-8")
    environment = Environment(autoescape=True, trim_blocks=True, undefined=StrictUndefined)
    environment.filters["anchor"] = lambda name: quote(str(name).encode("utf-8", "replace"))
    stream = environment.from_string(text).generate(
        conversations=conversations,
        codes=[code.value for code in Code],
        totals=lambda: _rows(totals()),
    )
    with Path(path).open("w", encoding="utf-8", errors="replace") as out:
        out.writelines(stream)


def _rows(totals: Mapping[str, Json]) -> Iterator[tuple[str, str]]:
    for name, value in totals.items():
        shown = ", ".join(f"{key} {n}" for key, n in value.items()) if isinstance(value, Mapping) else str(value)
        yield name.replace("_", " "), shown
