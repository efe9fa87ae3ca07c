"""Works out which words the patterns of the language packs need, for a fresh process to start fast.

uv run python -m benchmarks.anchors            tells whether the data of the core is up to date
uv run python -m benchmarks.anchors --write    writes it: packages/gate-core .../reading/needed/<language>.json
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from gate_core.reading.anchors import table_of
from gate_core.reading.languages import LANGUAGES
from gate_core.reading.packs import pack

FOLDER = Path(__file__).parents[1] / "packages/gate-core/src/gate_core/reading/needed"


def text_of(language: str) -> str:
    """The file of a language as it must be."""
    table = table_of(rule.text for rules in (pack(language).rules, pack(language).asking) for rule in rules.rules)
    return json.dumps(table, ensure_ascii=False, separators=(",", ":"), sort_keys=True) + "\n"


def main(argv: Sequence[str] | None = None) -> int:
    """Compare, or write."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.anchors", description="data of the language packs")
    parser.add_argument("--write", action="store_true", help="write the files")
    options = parser.parse_args(argv)
    stale = []
    for language in LANGUAGES:
        path, text = FOLDER / f"{language}.json", text_of(language)
        if options.write:
            FOLDER.mkdir(exist_ok=True)
            path.write_text(text, "utf-8")
        elif not path.exists() or path.read_text("utf-8") != text:
            stale.append(language)
    print(f"not up to date: {', '.join(stale)}; write them with --write" if stale else "up to date")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
