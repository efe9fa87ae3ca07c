"""One-liners of interpreters: which files they read and print, when that is all they do."""

from __future__ import annotations

import re

from gate_core.model.late import late

_LONGEST = 2_000
_LONGEST_WRITER = 20_000
_READS = late(
    r"(?:\bopen|\bread_text|\breadFileSync|\bFile\.read(?:lines)?|\bpathlib\.Path|\bPath|\bfile_get_contents|\bIO\.read|"
    r"\brequire)\(\s*(?:r|f|b)?(['\"])([^'\"\n]{1,200})\1"
    r"(?:\s*,\s*(?:encoding\s*[=:]\s*|\{\s*encoding\s*:\s*)?['\"](?:r|rt|rb|utf-?8)['\"]\s*\}?)*\s*\)"
)
_MODULES = frozenset({"fs", "path", "util", "node:fs", "node:path", "node:util", "os", "json", "set"})
_PRINTS = late(
    r"\b(?:print|puts|console\.log|pprint|process\.stdout\.write|sys\.stdout\.write|say|echo|printf|pp)\b|^\s*p\b"
)
_ACTS = late(
    r"[,=]\s*['\"](?:w|a|x|r\+|w\+|a\+|wb|ab|wt|at|xb|>{1,2}[^'\"=]{0,200})['\"]|\.write(?!\w*\()|write_text|write_bytes|"
    r"writeFile|appendFile|createWriteStream|file_put_contents|unlink|remove|rename|replace\(['\"]?[^)]{0,200}\)\.|"
    r"\.touch\(|truncate|copyfile|copyFile|cpSync|rmSync|symlink|chown|%x[({\[]|"
    r"\b(?:os|subprocess|shutil|socket|requests|urllib|httpx|child_process|exec|eval|system|popen|fork|spawn|mkdir|"
    r"rmdir|rmtree|chmod|connect|__import__|importlib|compile|getattr|globals|sqlite3|pickle|ctypes|fetch|Deno|Bun|"
    r"process\.(?:kill|chdir)|File\.(?:write|open|delete)|FileUtils|Dir|IO\.write|qx|unlink|execSync)\b|import\s*\("
)
_REQUIRES = late(r"\brequire\s*\(\s*(?:(['\"])([^'\"\n]{1,200})\1)?")
_IMPORTS = late(r"\bimport\s+([\w, .]{1,120})|\bfrom\s+([\w.]+)")
_HARMLESS = frozenset(
    {
        "json",
        "sys",
        "re",
        "math",
        "datetime",
        "time",
        "csv",
        "tomllib",
        "yaml",
        "pathlib",
        "pprint",
        "collections",
        "itertools",
        "textwrap",
        "ast",
        "configparser",
        "decimal",
        "fractions",
        "statistics",
        "string",
        "base64",
        "struct",
        "hashlib",
        "platform",
        "functools",
        "operator",
        "random",
        "uuid",
        "calendar",
        "unicodedata",
        "html",
        "difflib",
        "fs",
        "path",
        "Path",
        "tokenize",
        "dis",
        "inspect",
        "typing",
        "zoneinfo",
        "locale",
        "secrets",
        "binascii",
        "toml",
    }
)
_OPENS = late(r"\bopen\s*\(|\breadFileSync\s*\(|\bfile_get_contents\s*\(|\.read_text\s*\(|\.read_bytes\s*\(")
_PATH_READS = late(r"\.read_(?:text|bytes)\s*\(\s*\)")
_LITERAL = late(r"(['\"])((?:[^'\"\\\n]|\\.){4,200})\1")
_CHANGES_LINES = late(r"(?<![\w$])(?:s|tr|y)([/|#!{,])|\b(?:g?sub!?|tr!?|upcase|downcase)\b|\$_\s*[.+*]?=(?![=~])")


def read_code(code: str, language: str = "") -> tuple[str, ...] | None:
    """The paths that a piece of code reads and prints, () when it only computes; None when it may do more.

    In the languages of the shell's kind ("script": perl, ruby, php) backticks run programs.
    """
    if len(code) > _LONGEST or _ACTS.search(code) or not _only_harmless(code) or (language == "script" and "`" in code):
        return None
    found = [path for _, path in _READS.findall(code) if path not in _MODULES]
    if len(_OPENS.findall(code)) - len(_PATH_READS.findall(code)) > len(found):
        return None
    paths = tuple(dict.fromkeys(found))
    if not paths:
        return ()
    prints = _PRINTS.search(code) or language == "prints"
    return paths if prints and not _says_more(code, paths) else ()


_WRITES = late(
    r"\bopen\(\s*(?:(['\"])(?P<opened>[^'\"\n]{1,200})\1|(?P<by>\w{1,60}))\s*,\s*(?:mode\s*=\s*)?['\"][wax][bt+]{0,2}['\"]|"
    r"\bPath\(\s*(['\"])(?P<path>[^'\"\n]{1,200})\4\s*\)\.write_(?:text|bytes)\(|"
    r"\b(?:writeFile|appendFile)(?:Sync)?\(\s*(['\"])(?P<node>[^'\"\n]{1,200})\6|"
    r"\b(?P<name>\w{1,60})\.write_(?:text|bytes)\("
)
_NAMED = late(
    r"^[ \t]*(?:(?:const|let|var) )?(\w{1,60})[ \t]*=[ \t]*"
    r"(?:(?:pathlib\.)?Path\()?[ \t]*(['\"])([^'\"\n]{1,200})\2[ \t]*\)?[ \t]*$",
    re.MULTILINE,
)


def written_by(code: str) -> tuple[str, ...]:
    """The paths that a piece of code writes and spells out, by themselves or as the only value of a variable."""
    if len(code) > _LONGEST_WRITER:
        return ()
    named: dict[str, set[str]] = {}
    for name, _, path in _NAMED.findall(code.replace(";", "\n")):
        named.setdefault(name, set()).add(path)
    found: list[str] = []
    for match in _WRITES.finditer(code):
        spelt = match["opened"] or match["path"] or match["node"]
        values = {spelt} if spelt else named.get(match["by"] or match["name"] or "", set())
        found += values if len(values) == 1 else ()
    return tuple(dict.fromkeys(found))


def changes_lines(code: str) -> bool:
    """True of a script that changes the lines it prints."""
    return _CHANGES_LINES.search(code) is not None


def _only_harmless(code: str) -> bool:
    for plain, origin in _IMPORTS.findall(code):
        names = (plain or origin).replace(",", " ").split()
        if not all(name.split(".")[0] in _HARMLESS for name in names if name not in ("as", "import")):
            return False
    return all(name in _MODULES or name.endswith(".json") for _, name in _REQUIRES.findall(code))


def _says_more(code: str, paths: tuple[str, ...]) -> bool:
    """True when the code holds text of its own that its output could show instead of the file's."""
    return any(text not in paths and ("=" in text or " " in text) for _, text in _LITERAL.findall(code))
