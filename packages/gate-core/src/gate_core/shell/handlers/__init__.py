"""Programs whose words mean more than roles can say, one function each."""

from __future__ import annotations

from collections.abc import Callable

from gate_core.shell.handlers.across import copies_across
from gate_core.shell.handlers.client import acts, builds_image, calls_api, uploads
from gate_core.shell.handlers.cloud import steers_cloud, steers_cluster
from gate_core.shell.handlers.code import runs_code, takes_settings
from gate_core.shell.handlers.data import asks_documents, asks_keys, queries
from gate_core.shell.handlers.files import archives, converts, copies, finds, packs, squeezes, tests, turns_into
from gate_core.shell.handlers.git import (
    annotates,
    applies_patch,
    applies_text,
    changes_if_told,
    clones,
    compares_revisions,
    configures,
    names_branches,
    pushes,
    resets,
    restores,
    searches_tree,
    shows_revision,
)
from gate_core.shell.handlers.inside import runs_inside, starts_container
from gate_core.shell.handlers.net import asks_by_items, fetches, reaches
from gate_core.shell.handlers.tasks import (
    acts_if_told,
    checks_sources,
    manages_packages,
    runs_biome,
    runs_shell,
    runs_tasks,
    runs_tests,
)
from gate_core.shell.handlers.text import (
    compares,
    copies_stream,
    drops_doubles,
    edits,
    edits_stream,
    filters,
    formats,
    pages,
    queries_data,
    queries_json,
    says,
    splits,
    takes_head,
    takes_tail,
)
from gate_core.shell.programs import Arguments, Program
from gate_core.shell.stages import Stage
from gate_core.shell.uses import Use, by_roles

Handler = Callable[[Program, Arguments, Stage], Use]
HANDLERS: dict[str, Handler] = {
    "": by_roles,
    "echo": says,
    "printf": formats,
    "find": finds,
    "sed": edits_stream,
    "head": takes_head,
    "tail": takes_tail,
    "bat": pages,
    "awk": filters,
    "tee": copies_stream,
    "uniq": drops_doubles,
    "jq": queries_json,
    "yq": queries_data,
    "diff": compares,
    "split": splits,
    "editor": edits,
    "squeeze": squeezes,
    "archive": archives,
    "turn-into": turns_into,
    "git-diff": compares_revisions,
    "git-show": shows_revision,
    "git-checkout": restores,
    "git-grep": searches_tree,
    "git-blame": annotates,
    "git-apply": applies_patch,
    "patch-text": applies_text,
    "git-clone": clones,
    "git-push": pushes,
    "git-config": configures,
    "git-branch": names_branches,
    "git-reset": resets,
    "opaque-with": changes_if_told,
    "copy": copies,
    "fetch": fetches,
    "items": asks_by_items,
    "reach": reaches,
    "dd": converts,
    "tar": packs,
    "test": tests,
    "code": runs_code,
    "shell": runs_shell,
    "settings": takes_settings,
    "tasks": runs_tasks,
    "tests": runs_tests,
    "checks": checks_sources,
    "biome": runs_biome,
    "told": acts_if_told,
    "package": manages_packages,
    "sql": queries,
    "mongo": asks_documents,
    "redis": asks_keys,
    "client": acts,
    "cluster": steers_cluster,
    "cloud": steers_cloud,
    "api": calls_api,
    "build-image": builds_image,
    "upload": uploads,
    "across": copies_across,
    "inside": runs_inside,
    "docker-run": starts_container,
}
