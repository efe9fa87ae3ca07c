"""Real file tools over one folder, with the neutral names of spec 60. Drivers offer them to the frameworks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path


class ToolFailure(Exception):  # noqa: N818 - what a tool reports, not a malfunction of the suite
    """A tool could not do what it was asked; the text is what the model sees."""


class FileTools:
    """The neutral tools, confined to `workspace`. Paths may be relative or absolute; texts are UTF-8."""

    def __init__(self, workspace: Path) -> None:
        self._root = workspace.resolve()

    def all(self) -> dict[str, Callable[..., str]]:
        """Name to function, for drivers that look tools up by name."""
        names = ("read_file", "write_file", "edit_file", "delete_file", "move_file", "list_dir")
        return {name: getattr(self, name) for name in names}

    def _path(self, path: str) -> Path:
        full = (self._root / path).resolve()
        if not full.is_relative_to(self._root):
            raise ToolFailure(f"Permission denied: {path}")
        return full

    def _existing(self, path: str) -> Path:
        full = self._path(path)
        if not full.is_file():
            raise ToolFailure(f"No such file: {path}")
        return full

    def read_file(self, path: str, offset: int = 0, limit: int = 2000) -> str:
        """Read a text file; offset counts lines to skip."""
        lines = self._existing(path).read_text(encoding="utf-8").splitlines(keepends=True)
        return "".join(lines[offset : offset + limit])

    def write_file(self, path: str, content: str) -> str:
        """Write a text file, replacing what was there."""
        full = self._path(path)
        full.parent.mkdir(parents=True, exist_ok=True)
        full.write_text(content, encoding="utf-8")
        return "ok"

    def edit_file(self, path: str, old: str, new: str) -> str:
        """Replace the one occurrence of old by new."""
        full = self._existing(path)
        text = full.read_text(encoding="utf-8")
        if text.count(old) != 1:
            raise ToolFailure(f"No match: the text to replace occurs {text.count(old)} times in {path}")
        full.write_text(text.replace(old, new), encoding="utf-8")
        return "ok"

    def delete_file(self, path: str) -> str:
        """Delete a file."""
        self._existing(path).unlink()
        return "ok"

    def move_file(self, src: str, dst: str) -> str:
        """Move a file."""
        self._existing(src).rename(self._path(dst))
        return "ok"

    def list_dir(self, path: str = ".") -> str:
        """List the names in a folder."""
        full = self._path(path)
        if not full.is_dir():
            raise ToolFailure(f"No such folder: {path}")
        return "\n".join(sorted(item.name for item in full.iterdir()))
