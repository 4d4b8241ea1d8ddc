from __future__ import annotations

import os
import threading

import pytest

from rankgauge.data.write import write_whole
from rankgauge.errors import UsageError


def test_a_file_is_made_or_replaced_and_nothing_else_is_left(tmp_path):
    for data in (b"first", b"second"):
        write_whole(tmp_path / "out", data)
        assert (tmp_path / "out").read_bytes() == data
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_pipe_is_written_to_and_stays_a_pipe(tmp_path):
    # What holds for a pipe holds for /dev/null and /dev/stdout, which no test may put at risk.
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write_whole(pipe, b"data")
    reader.join(timeout=10)
    assert read == [b"data"]
    assert pipe.is_fifo()


def test_a_link_stays_and_its_file_is_replaced(tmp_path):
    (tmp_path / "target").write_bytes(b"old")
    (tmp_path / "link").symlink_to(tmp_path / "target")
    write_whole(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_bytes() == b"new"


def test_a_folder_is_refused(tmp_path):
    with pytest.raises(UsageError, match="cannot be written"):
        write_whole(tmp_path, b"data")


@pytest.mark.parametrize(("name", "reason"), [("nul\0x", "null byte"), ("a" * 5000, "File name too long")])
def test_a_name_that_no_file_can_have_is_refused(name, reason, tmp_path):
    with pytest.raises(UsageError, match=f"cannot be written \\(.*{reason}"):
        write_whole(tmp_path / name, b"x")
