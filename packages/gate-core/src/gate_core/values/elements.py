"""XML as objects: an element is an object of its attributes and its children, repeated ones are a list (spec 30,
"Evidence"). Linear, without recursion and without entities of a document's own."""

from __future__ import annotations

import re
from html import unescape
from typing import TypeAlias

from gate_core.model.json import Json
from gate_core.model.late import late

_ROOT = late(
    r"\s*(?:<\?xml\b[^>]{0,200}\?>\s*|<!--(?:[^-]|-(?!->)){0,2000}-->\s*|<!DOCTYPE[^<>\[]{0,400}>\s*)*<([A-Za-z_][\w.:-]{0,100})[\s/>]"
)
_PIECE = late(
    r"<!--.*?-->|<!\[CDATA\[(?P<data>.*?)\]\]>|<(?P<close>/?)(?P<name>[A-Za-z_][\w.:-]*)(?P<rest>[^<>]*)>|(?P<text>[^<]+)|<",
    re.DOTALL,
)
_ATTRIBUTE = late(r"([\w.:-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_DEEPEST = 500

_Open: TypeAlias = "tuple[str, dict[str, Json], list[str]]"
"""Name, attributes and children, and texts of an element that is not closed yet."""


def objects_of(text: str) -> Json | None:
    """The object that an XML text is, None for any other text, one that is cut off included."""
    root = _ROOT.match(text)
    if root is None or not text.rstrip().endswith((f"</{root[1]}>", "/>")):
        return None
    opened: list[_Open] = [("", {}, [])]
    for piece in _PIECE.finditer(text, root.start(1) - 1):
        name = piece["name"]
        if name is None:
            opened[-1][2].append(piece["data"] or unescape(piece["text"] or ""))
        elif piece["close"]:
            if opened[-1][0] != name:
                return None
            _close(opened)
        else:
            if len(opened) > _DEEPEST:
                return None
            opened.append(
                (name, {key: unescape(one or other) for key, one, other in _ATTRIBUTE.findall(piece["rest"])}, [])
            )
            if piece["rest"].endswith("/"):
                _close(opened)
    return opened[0][1] if len(opened) == 1 and opened[0][1] else None


def _close(opened: list[_Open]) -> None:
    """The innermost element becomes a child of the one around it: a text where it has nothing else."""
    name, held, texts = opened.pop()
    text = " ".join("".join(texts).split())
    short = name.rpartition(":")[2]
    if text:
        held[short] = text
    found: Json = text if held.keys() <= {short} else held
    outer = opened[-1][1]
    if short not in outer:
        outer[short] = found
    elif isinstance(known := outer[short], list):
        known.append(found)
    else:
        outer[short] = [known, found]
