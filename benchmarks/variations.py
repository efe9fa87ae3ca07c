"""Seeded variations of a labelled transcript that leave what happened in it, and so every right verdict, as it is.

Each takes a copy it may change and gives it back, or None where the transcript has nothing to vary. How paths are
spelt, what the surface declares, what else is read, what the tools are called, and in which order the results of
parallel calls came in (spec 60, "Error rate").
"""

from __future__ import annotations

import copy
import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import groupby
from random import Random
from typing import Any, TypeAlias

from benchmarks.dialects import Event, Transcript, calls_of, renamed, run_otherwise, with_defaults, written_otherwise

Variation: TypeAlias = Callable[[Transcript, Random], Transcript | None]

_PATHS = ("path", "src", "dst", "file_path", "notebook_path")
_FILE = re.compile(r"[\w./-]*\w\.[A-Za-z]\w{0,7}\b")
_NOISE = (
    ("docs/welcome.md", "Welcome to the team.\nAsk anybody anything.\n"),
    ("docs/style/tone.md", "Write plainly.\nSay what was done and by whom.\n"),
    ("LICENSE.other", "Everybody may use this, at their own risk.\n"),
)
"""Files that no case is about, without a number in them."""


def varied(transcript: Mapping[str, Any], seed: int) -> tuple[Transcript, tuple[str, ...]]:
    """The transcript under some of the variations, and which they were. The same seed varies it the same way."""
    chance = Random(f"{transcript.get('id')}:{seed}")  # a fixed sequence, no secret
    made = copy.deepcopy(dict(transcript))
    used: list[str] = []
    for name, vary in VARIATIONS.items():
        if chance.random() < _SHARE:
            done = vary(copy.deepcopy(made), chance)
            if done is not None:
                made, used = done, [*used, name]
    return made, tuple(used)


_SHARE = 0.6  # of the variations that may apply, those that do


def spelt_otherwise(transcript: Transcript, chance: Random) -> Transcript | None:
    """Relative paths of file tools written "./a" or from the root; only where every call runs in the same folder, and
    none is only proposed, since a proposal names no folder."""
    calls = list(calls_of(transcript))
    if any(call["type"] != "call" for call in calls):
        return None
    folders = {call.get("cwd", "") for call in calls}
    paths = [(call["args"], key) for call in calls for key in _PATHS if _is_relative(call["args"].get(key))]
    if len(folders) != 1 or not paths or any(_is_absolute(call["args"].get(key)) for call in calls for key in _PATHS):
        return None
    root = folders.pop() or "/home/dev/project"
    for call in calls:
        call["cwd"] = root
    for args, key in paths:
        args[key] = chance.choice([args[key], f"./{args[key]}", posixpath.join(root, args[key])])
    return transcript


def declared(transcript: Transcript, chance: Random) -> Transcript | None:
    """All files that are spoken of, declared as the surface of the task."""
    called = {call["args"][key] for call in calls_of(transcript) for key in _PATHS if _is_path(call["args"].get(key))}
    asked = {name for turn in transcript["turns"] for name in _FILE.findall(turn["prompt"])}
    gate = transcript.setdefault("gate", {})
    if not called or "surface" in gate:
        return None
    gate["surface"] = chance.sample(sorted(called | asked), len(called | asked))
    return transcript


def with_noise(transcript: Transcript, chance: Random) -> Transcript | None:
    """Files read that have nothing to do with it, between any two steps."""
    numbered = any("step" in event for event in _events(transcript))
    if numbered:  # a step of its own for the noise would have to move all others
        return None
    for turn in transcript["turns"]:
        if not any(event["type"] == "call" for event in turn["events"]):
            continue  # "I used a tool" would become true
        for path, text in chance.sample(_NOISE, chance.randint(0, len(_NOISE))):
            event = {"type": "call", "tool": "read_file", "args": {"path": path}, "result": text, "status": "ok"}
            turn["events"].insert(chance.randint(0, len(turn["events"])), event)
    return transcript


def shuffled(transcript: Transcript, chance: Random) -> Transcript | None:
    """The results of calls of one step in another order."""
    moved = False
    for turn in transcript["turns"]:
        events: list[Event] = []
        for step, group in groupby(turn["events"], key=_step):
            together = list(group)
            if step is not None and len(together) > 1:
                chance.shuffle(together)
                moved = True
            events += together
        turn["events"] = events
    return transcript if moved else None


def dressed(transcript: Transcript, chance: Random) -> Transcript | None:
    """Answers as models dress them up: under a heading, as an item of a list, with a courtesy behind."""
    answers = [event for event in _events(transcript) if event["type"] == "finish" and "text" in event]
    answers = [event for event in answers if "unverified" not in event["text"].lower()]  # it must stand first
    for event in answers:
        event["text"] = chance.choice(_DRESSES).format(event["text"])
    return transcript if answers else None


def asked_politely(transcript: Transcript, chance: Random) -> Transcript | None:
    """A greeting before the first prompt, thanks behind any."""
    asked = [turn for turn in transcript["turns"] if turn["prompt"].strip()]
    for number, turn in enumerate(asked):
        turn["prompt"] = chance.choice(_MANNERS[number > 0]).format(turn["prompt"])
    return transcript if asked else None


def behind_another_turn(transcript: Transcript, chance: Random) -> Transcript | None:
    """A turn before it that has nothing to do with it."""
    if transcript.get("requires"):
        return None
    path, text = chance.choice(_NOISE)
    read = {"type": "call", "tool": "read_file", "args": {"path": path}, "result": text, "status": "ok"}
    said = {"type": "finish", "text": f"It says: {text.splitlines()[0]}"}
    transcript["turns"].insert(0, {"prompt": f"How does {path} begin?", "events": [read, said]})
    return transcript


_DRESSES = (
    "{}",
    "## Summary\n\n{}",
    "Here is where things stand.\n\n{}",
    "{}\n\nLet me know if you need anything else.",
    "- {}",
    "**Result**\n\n{}\n\nHappy to help with more.",
)
_MANNERS = (
    ("{}", "Hi! {}", "{} Thanks!", "Good morning,\n\n{}\n\nThank you very much."),
    ("{}", "{} Thanks!"),
)
"""Of the first prompt, of the others."""

VARIATIONS: Mapping[str, Variation] = {
    "spelling": spelt_otherwise,
    "surface": declared,
    "noise": with_noise,
    "order": shuffled,
    "shell": run_otherwise,
    "arguments": with_defaults,
    "results": written_otherwise,
    "naming": renamed,
    "dress": dressed,
    "manners": asked_politely,
    "another turn": behind_another_turn,
}


def _events(transcript: Transcript) -> Iterator[Event]:
    for turn in transcript["turns"]:
        yield from turn["events"]


def _step(event: Event) -> object:
    return event.get("step") if event["type"] == "call" else None


def _is_path(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip()) and "://" not in value


def _is_absolute(value: object) -> bool:
    return isinstance(value, str) and (value.startswith(("/", "~")) or value[1:2] == ":")


def _is_relative(value: object) -> bool:
    return _is_path(value) and not _is_absolute(value) and isinstance(value, str) and not value.startswith(".")
