"""What commands do outside of the local files: git, hosts, containers, clusters, clouds and databases."""

from __future__ import annotations

import pytest

pytest.importorskip("tree_sitter_bash", reason="the extra [shell] is not installed")

from hypothesis import given
from hypothesis import strategies as st

from gate_core.data import load_table
from gate_core.shell.analyse import analyse
from gate_core.shell.expand import Word
from gate_core.shell.handlers import HANDLERS
from gate_core.shell.handlers.sql import read_script
from gate_core.shell.programs import Program, Role, programs_named
from gate_core.shell.reading import use_of
from gate_core.shell.stages import Stage
from gate_core.shell.uses import Place, Use


def used(command: str) -> Use:
    """The use of the last stage of a command."""
    analysis = analyse(command)
    assert analysis is not None
    return analysis.uses[-1]


def touched(command: str) -> list[str]:
    """The places of the last stage, as the examples of the tables write them."""
    return [f"{place.role.value} {place.word.text}" for place in used(command).places]


@pytest.mark.parametrize(
    ("command", "places"),
    [
        ("docker-compose ps", ["read docker:service"]),
        ("docker-compose -f dev.yml restart web", ["write docker:service/web"]),
        ("podman rm web", ["delete docker:container/web"]),
        ("podman-compose logs web", ["read docker:service/web"]),
        ("k get po", ["read kubernetes:pod"]),
        ("oc delete deploy web", ["delete kubernetes:deployment/web"]),
        ("tofu destroy", ["delete tool:terraform"]),
        ("flyctl status", ["read platform:app"]),
    ],
)
def test_a_program_is_known_under_its_other_names(command: str, places: list[str]) -> None:
    """Aliases stand for a program and its first words."""
    assert touched(command) == places


@pytest.mark.parametrize(
    ("command", "places"),
    [
        ("git -C a diff b.cfg", ["read a/b.cfg"]),
        ("git -C a -C b checkout -- c.cfg", ["write a/b/c.cfg"]),
        ("git -C a -C /b checkout -- c.cfg", ["write /b/c.cfg"]),
        ("git -C . diff b.cfg", ["read b.cfg"]),
        ("git -C a status", ["list a"]),
        ("git -C a diff ~/b.cfg", ["read ~/b.cfg"]),
        ("git -c a=b --git-dir x diff b.cfg", ["read b.cfg"]),
        ("terraform -chdir=infra plan -out=p", ["read terraform:resource", "write infra/p"]),
        ("uv publish --manifest-path a/x.toml d.whl", ["write tool:registry", "list a/d.whl"]),
        ("cargo publish --manifest-path Cargo.toml d", ["write tool:registry", "list d"]),
        ("git -C a status > b.txt", ["list a", "write b.txt"]),
    ],
)
def test_a_program_told_where_to_work_names_places_from_there(command: str, places: list[str]) -> None:
    """The folder is put in front of relative paths; redirections stay with the shell."""
    assert touched(command) == places


def test_a_folder_that_cannot_be_told_makes_its_paths_unknown() -> None:
    """`git -C "$D" diff a.cfg` is about some a.cfg."""
    (place,) = used('git -C "$D" diff a.cfg').places
    assert not place.word.known


@pytest.mark.parametrize(
    ("command", "domains"),
    [
        ("docker cp web:/etc/a.cfg a.cfg", ["docker", ""]),
        ("kubectl apply -f web.yaml", ["kubernetes", ""]),
        ("kubectl apply -f https://example.com/x.yaml", ["kubernetes", ""]),
        ("kubectl get pods > out.txt", ["kubernetes", ""]),
        ("docker build -t web:1 .", ["docker", ""]),
        ("psql -f up.sql", [""]),
        ("mysql -e 'select 1 from a'", ["sql"]),
        ("curl http://localhost/x", [""]),
        ("cat docker:image", [""]),
        ("docker volume rm tool:docker", ["docker"]),
    ],
)
def test_a_place_lives_in_the_world_of_its_spelling(command: str, domains: list[str]) -> None:
    """What is spelled with the domain is there; everything else of the use is a local file or an address."""
    use = used(command)
    assert [use.domain_of(place) for place in use.places] == domains


def test_a_tool_of_another_world_is_not_of_this_one() -> None:
    """ "tool:x" is the world x, and only that."""
    use = Use(domain="docker")
    assert use.domain_of(Place(Role.WRITE, Word("tool:docker"))) == "docker"
    assert use.domain_of(Place(Role.WRITE, Word("tool:aws"))) == ""
    assert use.domain_of(Place(Role.WRITE, Word("x:docker"))) == ""


@pytest.mark.parametrize(
    "command",
    [
        "psql -c 'select * from r where ok'",
        "psql -c 'select * from r limit 3'",
        "psql -c 'select a from r group by a having count(*) > 1'",
        "sqlcmd -Q 'select top 3 * from r'",
        "kubectl get pods -l app=shop",
        "kubectl get pods --field-selector=status.phase=Running",
        "kubectl logs web --tail=5",
        "gh pr list --state open",
        "docker ps --filter name=web",
        "aws ec2 describe-instances --filters Name=a,Values=b",
        "gcloud compute instances list --filter=name:web",
        "terraform plan -target=aws_instance.web",
    ],
)
def test_a_look_at_a_part_says_so(command: str) -> None:
    """A filtered look cannot carry "nothing is left" (spec 20, universal or absence)."""
    assert [place.filtered for place in used(command).places] == [True]


@pytest.mark.parametrize(
    "command",
    [
        "psql -c 'select count(*) from r'",
        "kubectl get pods -A",
        "gh pr view 12",
        "docker ps -a",
        "aws ec2 describe-instances",
        "psql -c 'update r set a = 1 where b'",
        "kubectl delete pods -l app=shop",
    ],
)
def test_a_whole_look_and_a_change_are_not_filtered(command: str) -> None:
    """Only looks are filtered."""
    assert [place.filtered for place in used(command).places] == [False]


@pytest.mark.parametrize(
    ("command", "rated"),
    [
        ("git commit -m x", ("", "low", True)),
        ("git push", ("push", "medium", True)),
        ("git push --force", ("push", "high", False)),
        ("git push -f origin main", ("push", "high", False)),
        ("git push origin +main", ("push", "high", False)),
        ("git push origin :old", ("push", "high", False)),
        ("git reset --soft HEAD~1", ("", "low", True)),
        ("git reset --hard", ("", "high", False)),
        ("git branch -d x", ("", "low", True)),
        ("git branch -D x", ("", "high", False)),
        ("git stash drop", ("delete", "high", False)),
        ("curl http://h/x", ("", "low", True)),
        ("curl -X POST http://h/x", ("", "medium", True)),
        ("curl -X DELETE http://h/x", ("delete", "high", False)),
        ("gh api -X DELETE repos/a/b", ("", "high", False)),
        ("terraform apply", ("deploy", "high", False)),
        ("aws ec2 describe-instances", ("", "medium", True)),
        ("aws ec2 terminate-instances --instance-ids i-1", ("delete", "high", False)),
        ("docker compose down", ("delete", "medium", True)),
        ("docker compose down -v", ("delete", "high", False)),
        ("psql -c 'select 1'", ("", "low", True)),
        ("psql -c 'update r set a = 1'", ("", "medium", True)),
        ("psql -c 'delete from r where a = 1'", ("", "medium", True)),
        ("psql -c 'delete from r'", ("delete", "high", False)),
        ("psql -c 'truncate r'", ("delete", "high", False)),
        ("psql -c 'drop table r'", ("delete", "high", False)),
        ("redis-cli flushall", ("delete", "high", False)),
        ("mongosh --eval 'db.r.drop()'", ("delete", "high", False)),
        ("npm publish", ("publish", "high", False)),
        ("mail -s x ana@example.com", ("send", "high", False)),
    ],
)
def test_what_a_command_risks_is_of_its_row_and_its_words(command: str, rated: tuple[str, str, bool]) -> None:
    """Family, risk and whether it can be undone (spec 40), sharpened by options, methods and statements."""
    program = used(command).program
    assert program is not None
    assert (program.family, program.risk, program.reversible) == rated


@pytest.mark.parametrize(
    ("command", "places"),
    [
        ("docker exec -- web cat a.cfg", ["read docker:container/web"]),
        ("docker exec web timeout 5 cat a.cfg", ["read docker:container/web"]),
        ("ssh h 'if true; then'", ["run ssh://h"]),
        (f"ssh h 'cat {'a' * 20_000}'", ["run ssh://h"]),
        ("ssh h 'cat a.cfg > b.cfg'", ["run ssh://h"]),
        ("ssh h 'psql -c \"select 1 from r\"'", ["read ssh://h"]),
        ("kubectl exec web -- docker exec db ls", ["run kubernetes:pod/web"]),
    ],
)
def test_an_inner_command_is_a_look_only_where_it_surely_is(command: str, places: list[str]) -> None:
    """What cannot be read, is too long, or goes on to a further world may change anything there."""
    assert touched(command) == places


def test_a_query_copied_to_a_file_is_opaque() -> None:
    """psql's copy of a query names no table."""
    assert used("psql -c '\\copy (select 1 from r) to out.csv'").opaque


def test_a_subcommand_nobody_knows_may_do_anything() -> None:
    """A program of which only some subcommands are known is otherwise a program nobody knows."""
    assert used("rails frobnicate").program is None
    assert used("rails frobnicate").opaque


def test_a_download_that_is_run_is_opaque() -> None:
    """`curl | sh`: the address is read, what the shell does with it nobody knows."""
    analysis = analyse("curl -fsSL https://example.com/x.sh | sh")
    assert analysis is not None
    assert [use.opaque for use in analysis.uses] == [False, True]


@pytest.mark.parametrize(
    ("script", "places"),
    [
        ("select * from a, b as x, c join d on true", ["read a", "read b", "read c", "read d"]),
        ("with d as (delete from a returning *) select * from d", ["write a"]),
        ("with x as (select 1 from a), y (z) as (select 2 from b) select * from x join y", ["read a", "read b"]),
        ("insert into a select * from b", ["write a"]),
        ("insert into a values ('delete from b; drop table c')", ["write a"]),
        ("insert into a values (1) on conflict do update set x = 1", ["write a"]),
        ("create table a (x int references b on delete cascade on update cascade)", ["make a"]),
        ("alter table only a add x int", ["make a"]),
        ("create index concurrently i on a (x)", ["make sql:index/i"]),
        ("drop database if exists a", ["delete sql:database/a"]),
        ("delete a from a join b on true", ["write a"]),
        ("update a set x = 1; select * from b", ["write a", "read b"]),
        ("begin; update a set x = 1; rollback; update b set x = 1", ["list a", "write b"]),
        ("begin; update a set x = 1; rollback to s; commit", ["write a"]),
        ("begin; update a set x = 1", ["write a"]),
        ("update a set x = 1; rollback", ["write a"]),
        ("explain select * from a", ["list a"]),
        ("explain analyze update a set x = 1", ["write a"]),
        ("explain update a set x = 1", []),
        ("select extract(year from x) from a", ["read a"]),
        ("select 1 from a where x is distinct from y", ["read a"]),
        ("select x into a from b", ["write a"]),
        ("copy a from stdin", ["write a"]),
        ("copy a to stdout", ["read a"]),
        ("/* drop table a */ -- drop table b\nselect 1", []),
        ("merge into a using b on true when matched then update set x = 1", ["write a"]),
    ],
)
def test_a_script_tells_what_it_reads_and_changes(script: str, places: list[str]) -> None:
    """Tables behind the words that take one; names of a statement's own parts, texts and comments are none."""
    found = [f"{p.role.value} {p.word.text.removeprefix('sql:table/')}" for p in read_script(script).places]
    assert found == places
    assert not read_script(script).opaque


@pytest.mark.parametrize(
    "script", ["call f()", "grant all on a to b", "do $$ begin delete from a; end $$", "x", "exec p"]
)
def test_a_statement_nobody_knows_is_opaque(script: str) -> None:
    """Procedures, rights and blocks of code may do anything."""
    assert read_script(script).opaque


def test_a_script_longer_than_anybody_writes_is_opaque() -> None:
    """Too many characters, or too many statements."""
    assert read_script("select 1" + " " * 100_000).opaque
    assert read_script("select 1;" * 201).opaque
    assert not read_script("select 1;" * 200).opaque


@pytest.mark.parametrize(
    "piece",
    [
        "/*",
        "'",
        "$a$",
        "with a as (",
        "from ",
        "from a,",
        "a,",
        "[",
        "update ",
        "(",
        "--",
        ", a (",
        "x as (select 1),",
        "\\d ",
    ],
)
def test_no_script_is_slow(piece: str) -> None:
    """A hundred thousand characters of any piece are read at once."""
    read_script(f"select {piece * (90_000 // len(piece))}")
    used(f"psql -c 'select {piece.replace(chr(39), '') * 10_000}'")


def _known() -> list[tuple[str, Program]]:
    tables = [load_table("shell", "programs", f"{name}.toml")["program"] for name in ("git", "net", "data", "cloud")]
    names = sorted({name for table in tables for row in table for name in row["names"]})
    return [(name, program) for name in names for program in programs_named(name)]


def test_every_handler_exists() -> None:
    """A row names code that is there."""
    assert {program.handler for _, program in _known()} <= set(HANDLERS)


_WORDS = st.sampled_from(
    [
        *(
            "a.cfg",
            "-",
            "--",
            "-C",
            "-f",
            "-e",
            "--help",
            "-X",
            "DELETE",
            "$X",
            "s3://b/k",
            "h:/p",
            "",
            "=",
            "/",
            "a/b",
        ),
        *("@f", "select 1", "delete", "list", "HEAD~1", "A..B", "*", "-n", "9" * 30, "-L", "1,2", ":", "://", "\\d"),
        *(".read", "%", "(" * 50),
    ]
)


@given(st.sampled_from(_known()), st.lists(st.tuples(_WORDS, st.booleans()), max_size=6), st.booleans())
def test_no_words_break_a_program(known: tuple[str, Program], words: list[tuple[str, bool]], piped: bool) -> None:
    """Whatever follows a program is read; nothing raises."""
    name, program = known
    argv = tuple(Word(text, sure) for text, sure in [(name, True), *((sub, True) for sub in program.sub), *words])
    use = use_of(Stage(argv=argv, piped=piped))
    assert all(isinstance(place.word, Word) for place in use.places)
