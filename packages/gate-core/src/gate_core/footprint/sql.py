"""Whether a query only looks. Nothing is parsed but what tells statements apart: comments, quotes, semicolons."""

from __future__ import annotations

import re

from gate_core.model.late import late

_ASIDE = late(
    r"--[^\n]*|/\*(?:[^*]|\*(?!/))*(?:\*/|\Z)|'(?:[^']|'')*(?:'|\Z)|\"(?:[^\"]|\"\")*(?:\"|\Z)|`[^`]*(?:`|\Z)"
)
_LOOK = late(r"[\s(]*(?:select|with|show|describe|desc|explain|pragma|values|table)\b", re.IGNORECASE)
_HARMLESS = late(r"\s*(?:show|describe|desc|explain(?!\s*\(?\s*analy[sz]e))\b", re.IGNORECASE)
_CHANGES = late(
    r"\b(?:insert\s+into|update\s+[^\s;]+\s+set|delete\s+from|merge\s+into|replace\s+into|(?:next|set)val|"
    r"into\s+(?:outfile|dumpfile|temp|temporary|unlogged|table|[^\s;]+\s+from))\b|^\s*pragma\b[^;]*=|\$\w*\$",
    re.IGNORECASE,
)
_LONGEST = 100_000  # characters; nothing that long only looks


def only_looks(query: str) -> bool:
    """True when every statement of a query reads and none of its parts changes anything."""
    if len(query) > _LONGEST:
        return False
    bare = _ASIDE.sub(lambda aside: " " if aside[0][0] in "-/" else " '' ", query)
    statements = [part for part in bare.split(";") if part.strip()]
    return bool(statements) and all(_looks(part) for part in statements)


def _looks(statement: str) -> bool:
    if _HARMLESS.match(statement):
        return True
    return _LOOK.match(statement) is not None and _CHANGES.search(statement) is None
