"""Help that can be scanned: groups of commands, sections of options, examples that run."""

from __future__ import annotations

import glob
import shlex

import click
import pytest
from click.testing import CliRunner

from rankgauge.cli.help import Option
from rankgauge.cli.main import COMMANDS, cli

EVERY = {name: cli.get_command(click.Context(cli), name) for name in COMMANDS}
GATED = {0, 1, 3}


def test_every_option_has_a_section_and_help_that_is_a_sentence():
    for name, command in EVERY.items():
        for parameter in command.params:
            if isinstance(parameter, click.Option):
                assert isinstance(parameter, Option), (name, parameter.name)
                words = parameter.help.split(" [default")[0]
                assert words[0].isupper(), (name, words)
                assert words.endswith((".", "?")), (name, words)


@pytest.mark.parametrize(
    "option",
    ["reach", "seed", "only", "baseline", "ties", "missing", "confidence", "like", "duplicates", "plot", "decimals"],
)
def test_an_option_of_one_name_is_one_option_everywhere(option):
    found = [parameter for one in EVERY.values() for parameter in one.params if parameter.name == option]
    # Pages without a baseline are about first place, so only the default of --baseline depends on the command.
    words = [one.help.split(" [default")[0] if option == "baseline" else one.help for one in found]
    kinds = {(text, repr(one.type), str(one.default), one.section) for text, one in zip(words, found, strict=True)}
    assert len(kinds) == 1


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("examples")
    arguments = ["simulate", "--systems", "5", "--queries", "12", "--documents", "40", "-o", str(folder)]
    assert CliRunner().invoke(cli, arguments, catch_exceptions=False).exit_code == 0
    (folder / "truth.csv").write_text("3\n2\n1\n")
    (folder / "predicted.csv").write_text("0.1\n0.5\n0.2\n")
    (folder / "clicks.csv").write_text("user,clicks,model,other\nu1,3,0.1,1\nu1,2,0.5,2\nu2,1,0.2,3\nu2,0,0.1,4\n")
    (folder / "popularity.csv").write_text("query,document,grade\nq,a,100\nq,b,80\nq,c,90\nq,d,15\nq,e,10\n")
    judged, (old, new, *_) = folder / "judgments.qrels", sorted((folder / "runs").iterdir())
    (folder / "items.csv").write_text("item,topics\n" + "".join(f"d{n},a|b\n" for n in range(9)))
    (folder / "llm.qrels").write_text(judged.read_text().replace(" 2\n", " 1\n"))
    (folder / "old.trec").write_text(old.read_text())
    (folder / "new.trec").write_text(new.read_text())
    return folder


@pytest.mark.parametrize("example", [example for one in EVERY.values() for example in one.examples])
def test_examples_run(example, folder, monkeypatch):
    monkeypatch.chdir(folder)
    program, *words = shlex.split(example)
    assert program == "rankgauge"
    words = [path for word in words for path in (sorted(glob.glob(word)) if "*" in word else [word])]  # noqa: PTH207 - as a shell
    result = CliRunner().invoke(cli, words, catch_exceptions=False)
    assert result.exit_code in (GATED if "--fail-if" in words else {0}), result.output
