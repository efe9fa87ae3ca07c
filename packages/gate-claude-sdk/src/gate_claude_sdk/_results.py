"""The text the model read as the result of a built-in tool, made from the structured response a hook gets.

The hooks carry more than the model saw (the whole old file of an edit) and less (line numbers). What the model did
not see is left out, since it could not rest an answer on it; line numbers stay out, since they are not content.
"""

from __future__ import annotations

from collections.abc import Callable

from gate_claude_sdk._payload import as_list, as_object, as_text
from gate_core import Json, JsonObject


def model_text(tool: str, response: object) -> Json:
    """The result of a call to `tool`; a response of unknown shape is passed on as it came."""
    reader = _READERS.get(tool)
    if reader is not None and isinstance(response, dict):
        text = reader(response)
        if text is not None:
            return text
    return _plain(response)


def _plain(value: object) -> Json:
    if isinstance(value, str | int | float | bool) or value is None:
        return value
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return f"<{type(value).__name__}>"


def _read(response: JsonObject) -> str | None:
    file = as_object(response.get("file"))
    if isinstance(file.get("content"), str):
        return as_text(file["content"])
    if "cells" in file:
        return "\n".join(as_text(as_object(cell).get("source")) for cell in as_list(file["cells"]))
    if "base64" in file:
        return f"[{as_text(response.get('type')) or 'binary'}]"
    return None


def _edit(response: JsonObject) -> str | None:
    path = as_text(response.get("filePath"))
    return f"The file {path} has been updated successfully." if path else None


def _write(response: JsonObject) -> str | None:
    path = as_text(response.get("filePath"))
    if path and response.get("type") == "create":
        return f"File created successfully at: {path}"
    return _edit(response)


def _notebook_edit(response: JsonObject) -> str | None:
    if "new_source" not in response:
        return None
    return as_text(response.get("error")) or f"Updated cell {as_text(response.get('cell_id'))}"


def _bash(response: JsonObject) -> str | None:
    if not isinstance(response.get("stdout"), str):
        return None
    if response.get("backgroundTaskId"):
        return f"Command running in background with ID: {response['backgroundTaskId']}"
    return "\n".join(text for key in ("stdout", "stderr") if (text := as_text(response.get(key))))


def _grep(response: JsonObject) -> str | None:
    if "mode" not in response:
        return None
    if response["mode"] == "files_with_matches":
        return _names(response, found="Found {} files\n")
    return as_text(response.get("content")) or "No matches found"


def _glob(response: JsonObject) -> str | None:
    return _names(response, found="") if "filenames" in response else None


def _names(response: JsonObject, *, found: str) -> str:
    names = [as_text(name) for name in as_list(response.get("filenames"))]
    return found.format(len(names)) + "\n".join(names) if names else "No files found"


_READERS: dict[str, Callable[[JsonObject], str | None]] = {
    "Read": _read,
    "Edit": _edit,
    "Write": _write,
    "NotebookEdit": _notebook_edit,
    "Bash": _bash,
    "PowerShell": _bash,
    "Grep": _grep,
    "Glob": _glob,
}
