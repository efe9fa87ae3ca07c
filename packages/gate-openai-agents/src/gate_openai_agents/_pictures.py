"""Results without the data of the pictures in them: megabytes that show nothing a text could be compared with."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping

from gate_core import Json

_DATA = re.compile(r"data:([\w.+-]+/[\w.+-]+);base64,")
_DIGITS = 16  # of a digest: another picture is another result


def without_data(value: Json) -> Json:
    """The value with every `data:` URL inside it replaced by its kind and digest: "<image/png 0f1e...>".

    A value that is a text itself stays: that is what the model reads.
    """
    if isinstance(value, Mapping):
        return {key: _lean(item) for key, item in value.items()}
    return [_lean(item) for item in value] if isinstance(value, list | tuple) else value


def _lean(value: Json) -> Json:
    found = _DATA.match(value) if isinstance(value, str) else None
    if found is None or not isinstance(value, str):
        return without_data(value)
    return f"<{found[1]} {hashlib.sha256(value.encode()).hexdigest()[:_DIGITS]}>"
