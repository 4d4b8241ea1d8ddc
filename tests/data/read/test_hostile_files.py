"""Files that once gave a wrong number, a traceback or a misleading message."""

from __future__ import annotations

import errno
import gzip
import io
import time

import numpy as np
import polars as pl
import pytest

import rankgauge
from data.collection import zstandard
from rankgauge.analysis.compare.ledger import Ledger
from rankgauge.data.read import bytes as unpacking
from rankgauge.data.read.bytes import unpack_zstandard, without_marks, zstandard_size
from rankgauge.errors import DataError, RankgaugeError, UsageError

TREC = b"q0 0 a 1\nq0 0 b 2\nq1 0 a 1\n"
RUN = {"q0": {"a": 2.0, "b": 1.0}, "q1": {"a": 2.0}}


def scored(path, measure="nDCG"):
    return rankgauge.evaluate(path, RUN, measure).values.tolist()


def test_grades_without_a_sum_are_refused(tmp_path):
    """Seen red: nDCG 0 and no word."""
    path = tmp_path / "big.qrels"
    path.write_bytes(b"q0 0 a 1.7e308\nq0 0 b 1.7e308\n")
    with pytest.raises(DataError, match=r"too large to add up(?s:.*)line 1: value 1.7e\+308"):
        scored(path)
    with pytest.raises(DataError, match="too large to add up"):
        rankgauge.evaluate({"q0": {"a": -1e200}}, RUN)
    with pytest.raises(DataError, match="too large to add up"):
        rankgauge.score("nDCG", [1e308, 1e308], [2.0, 1.0])
    assert rankgauge.evaluate({"q0": {"a": 1e99, "b": 0}}, RUN).values.tolist() == [[[1.0]]]


@pytest.mark.parametrize(
    "text",
    [
        b"a\r\nb\n",
        b"a\r\r\nb",
        b"a\rb\nc\r",
        b"x\x01y\x02z\n",
        b"\n\na\n\n",
        b"\xef\xbb\xbfa\n",
        b"\xef\xbb\xbf" * 2 + b"a",
        b'"a\r\nb"',
        b"",
        b"\n",
        b"a\x00b",
        b"\x01",
        b"a\x01",
        "é\u2028ü\ufffd\n".encode(),
    ],
)
def test_packed_text_is_unpacked_byte_by_byte(text):
    """Seen red: carriage returns, byte-order marks and the last line end were lost, control bytes were 'damaged data'."""
    packed = zstandard(text)
    assert unpack_zstandard(packed) == text
    assert unpack_zstandard(packed + zstandard(b"more")) == text + b"more"


def test_any_text_is_unpacked_byte_by_byte():
    draw = np.random.default_rng(0)
    for _ in range(150):
        text = "".join(draw.choice(list("a \n\r\t\x01\x02\x1f\x00\ufeffé"), draw.integers(30))).encode()
        assert unpack_zstandard(zstandard(text)) == text


@pytest.mark.parametrize("cut", [3, 8, 12, -10, -4, -1])
def test_packed_data_that_lack_a_part_are_damaged(tmp_path, cut):
    path = tmp_path / "cut.qrels.zst"
    path.write_bytes(zstandard(TREC * 50)[:cut])
    with pytest.raises(DataError):
        scored(path)


def test_a_disk_that_fails_while_data_are_unpacked_is_not_called_damaged_data(tmp_path, monkeypatch):
    path = tmp_path / "run.gz"
    path.write_bytes(gzip.compress(b"q0 Q0 a 1 2.0 t\n"))

    def fails(*_):
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(gzip.GzipFile, "read", fails)
    with pytest.raises(DataError, match=r"run.gz: cannot be read \(Input/output error\)"):
        rankgauge.evaluate({"q0": {"a": 1}}, path, "nDCG")


def test_a_lone_carriage_return_in_a_packed_table_changes_nothing(tmp_path):
    for text in (b"query;document;value\nq0;a;1\rq0;b;2\nq1;a;1\n", b"query;document;value\nq0;a;1\nq0;b;2\nq1;a;1\r"):
        paths = [tmp_path / f"table.csv{ending}" for ending in ("", ".gz", ".zst")]
        for path, content in zip(paths, (text, gzip.compress(text), zstandard(text)), strict=True):
            path.write_bytes(content)
        plain, *packed = map(outcome, paths)
        assert packed == [plain, plain]


def outcome(path):
    """The number, or what is wrong without the file's name."""
    try:
        return scored(path)
    except RankgaugeError as problem:
        return str(problem).partition(": ")[2]


@pytest.mark.parametrize("ending", ["", ".gz", ".zst"])
@pytest.mark.parametrize("marks", [1, 2, 3])
@pytest.mark.parametrize("kind", ["qrels", "csv", "jsonl"])
def test_byte_order_marks_are_no_part_of_an_id(tmp_path, ending, marks, kind):
    """Seen red: a query whose id began with the mark."""
    texts = {
        "qrels": TREC,
        "csv": b"query,document,value\nq0,a,1\nq0,b,2\nq1,a,1\n",
        "jsonl": b'{"query":"q0","document":"a","value":1}\n{"query":"q0","document":"b","value":2}\n'
        b'{"query":"q1","document":"a","value":1}\n',
    }
    text = b"\xef\xbb\xbf" * marks + texts[kind]
    path = tmp_path / f"marked.{kind}{ending}"
    path.write_bytes({"": bytes, ".gz": gzip.compress, ".zst": zstandard}[ending](text))
    assert list(rankgauge.read_judgments(path).queries) == ["q0", "q1"]
    assert without_marks(text) == texts[kind]


JOINED = {
    "qrels": TREC,
    "csv": b"query,document,value\nq0,a,1\nq0,b,2\nq1,a,1\n",
    "jsonl": b'{"query":"q0","document":"a","value":1}\n{"query":"q0","document":"b","value":2}\n',
    "letor": b"1 qid:1 1:0.5\n0 qid:1 1:0.2\n",
}


@pytest.mark.parametrize("ending", ["", ".gz", ".zst"])
@pytest.mark.parametrize("blanks", [b"", b" "])
@pytest.mark.parametrize("kind", JOINED)
def test_a_byte_order_mark_on_a_later_line_is_refused_with_its_line(tmp_path, ending, blanks, kind):
    """Seen red: its query counted as one that the run misses, with 0."""
    first, later = JOINED[kind].split(b"\n", 1)
    text = b"\xef\xbb\xbf" + first + b"\n" + blanks + b"\xef\xbb\xbf" + later
    path = tmp_path / f"joined.{kind}{ending}"
    path.write_bytes({"": bytes, ".gz": gzip.compress, ".zst": zstandard}[ending](text))
    with pytest.raises(DataError, match=r"joined(?s:.)*line 2"):
        rankgauge.evaluate(path, {"q0": {"a": 1.0}})
    assert rankgauge.check(path).errors[0].line == 2


def test_a_run_in_pieces_has_no_byte_order_mark_inside(tmp_path):
    """Seen red: its document was not found."""
    lines = [b"q%d Q0 d%d 1 %d tag\n" % (at // 100, at % 100, at) for at in range(30_000)]
    judged = {f"q{at}": {"d5": 1} for at in range(300)}
    path = tmp_path / "large.trec"
    for inner in (b"th\xc3\xa9\xef\xbb\xbf", b""):  # inside a word it is no mark
        path.write_bytes(b"".join([*lines, b"q0 Q0 %bx 1 1 tag\n" % inner]))
        whole = rankgauge.evaluate(judged, path, "AP").values
        assert (rankgauge.evaluate(judged, path, "AP", memory="1MB").values == whole).all()
    path.write_bytes(b"".join([*lines[:20_000], b"\xef\xbb\xbf", *lines[20_000:]]))
    for memory in (None, "1MB"):
        with pytest.raises(DataError, match="line 20,001 begins with a byte-order mark"):
            rankgauge.evaluate(judged, [path, {"q0": {"d5": 1.0}}], "AP", memory=memory)
    others = [tmp_path / f"{at}.trec" for at in range(3)]
    for other in others:
        other.write_bytes(b"q0 Q0 d5 1 1 t\n\xef\xbb\xbfq1 Q0 d5 1 1 t\n")
    with pytest.raises(DataError, match="line 2 begins with a byte-order mark"):
        rankgauge.evaluate(judged, others, "AP")


def test_scores_and_queries_have_no_byte_order_mark_inside(tmp_path):
    path = tmp_path / "joined.csv"
    for text, read in (
        (b"system,query,AP\na,q1,0.5\n\xef\xbb\xbfa,q2,0.5\n", rankgauge.read_scores),
        (b"query,text\nq0,one\n\xef\xbb\xbfq1,two\n", rankgauge.read_queries),
    ):
        path.write_bytes(text)
        with pytest.raises(DataError, match=r"joined.csv: line 3 begins with a byte-order mark"):
            read(path)


def test_text_that_is_not_utf8_is_named_with_its_line_in_every_packing(tmp_path):
    """Seen red: no line for .zst."""
    text = TREC + b"q0 0 \xff\xfe 1\n"
    for ending, pack in (("", bytes), (".gz", gzip.compress), (".zst", zstandard)):
        path = tmp_path / f"latin.qrels{ending}"
        path.write_bytes(pack(text))
        with pytest.raises(DataError, match=r"(?s)line 4|not UTF-8.*line 4"):
            scored(path)


def test_features_of_thousands_of_digits_are_features(tmp_path):
    """Seen red: ValueError, exit code 70."""
    path = tmp_path / "long.letor"
    path.write_text(f"1 qid:{'9' * 5000} {'9' * 5000}:0.5 2:1\n0 qid:{'9' * 5000} 10:0.2\n")
    assert [run.name for run in rankgauge.read_runs(path)] == ["feature-2", "feature-10", f"feature-{'9' * 5000}"]


def test_sizes_beyond_all_rows_are_refused(tmp_path):
    (tmp_path / "sized.letor").write_text("1 1:0.5\n0 1:0.2\n")
    for sizes, words in (("9" * 5000, "not a list"), ("9" * 15, "add up to")):
        (tmp_path / "sized.letor.query").write_text(sizes)
        with pytest.raises(DataError, match=words):
            rankgauge.evaluate(tmp_path / "sized.letor", tmp_path / "sized.letor")


def test_a_depth_beyond_all_counts_is_refused():
    """Seen red: OverflowError, exit code 70."""
    with pytest.raises(UsageError, match="to 9,007,199,254,740,992"):
        rankgauge.Policy(depth=2**63)


@pytest.mark.parametrize("read", [rankgauge.measures.read_measure, rankgauge.RelevanceFunction.load, Ledger])
def test_a_small_file_that_never_ends_is_refused(read):
    with pytest.raises(DataError, match="larger than 16 MB"):
        read("/dev/zero")


@pytest.mark.parametrize("device", ["/dev/full", "/dev/zero"])
def test_a_device_that_never_ends_is_refused(device):
    """Seen red: it hung."""
    with pytest.raises(DataError, match="never ends"):
        scored(device)


def test_damaged_parquet_is_an_error_of_ours(tmp_path):
    file = io.BytesIO()
    pl.DataFrame({"query": ["q0", "q1"], "document": ["a", "a"], "value": [1.0, 2.0]}).write_parquet(file)
    whole, draw = file.getvalue(), np.random.default_rng(1)
    saved = rankgauge.evaluate({"q0": {"a": 1}, "q1": {"a": 1}}, RUN)
    saved.save(tmp_path / "saved.parquet")
    scores = (tmp_path / "saved.parquet").read_bytes()
    for trial in range(60):
        for content, read in ((whole, scored), (scores, rankgauge.read_scores)):
            broken = bytearray(content)
            for place in draw.integers(len(broken), size=draw.integers(1, 6)).tolist():
                broken[place] = int(draw.integers(256))
            path = tmp_path / f"{trial}.parquet"
            path.write_bytes(bytes(broken))
            try:
                read(path)
            except RankgaugeError:
                continue


@pytest.mark.parametrize(
    "read", [rankgauge.read_judgments, rankgauge.read_run, rankgauge.read_runs, rankgauge.read_scores]
)
@pytest.mark.parametrize("path", [["a.trec"], None, 7, b"a.trec"])
def test_what_is_no_path_is_an_error_of_ours(read, path):
    """Seen red: TypeError of pathlib."""
    with pytest.raises(RankgaugeError):
        read(path)


def test_a_column_of_another_length_names_its_file(tmp_path):
    path = tmp_path / "column.txt"
    path.write_text("0.5\n")
    with pytest.raises(DataError, match=r"column\.txt"):
        rankgauge.evaluate({"q0": {"a": 1, "b": 0}}, path)


def test_packed_parquet_says_what_to_do(tmp_path):
    file = io.BytesIO()
    pl.DataFrame({"query": ["q0"], "document": ["a"], "value": [1.0]}).write_parquet(file)
    path = tmp_path / "table.parquet.zst"
    path.write_bytes(zstandard(file.getvalue()))
    with pytest.raises(DataError, match="Parquet needs no packing"):
        scored(path)


def test_two_columns_of_one_name_are_no_damage(tmp_path):
    import pyarrow as pa
    from pyarrow import parquet

    columns = [pa.array(["q1"]), pa.array(["a"]), pa.array([1]), pa.array([0])]
    path = tmp_path / "twice.parquet"
    parquet.write_table(pa.table(columns, names=["query", "document", "grade", "grade"]), path)
    with pytest.raises(DataError, match=r"twice.parquet: two columns have the same name \(.*'grade'"):
        rankgauge.evaluate(path, {"q1": {"a": 1.0}}, "RR")


@pytest.mark.parametrize("end", ["\r", "\r\r\n"])
def test_lines_that_end_with_a_carriage_return_alone_are_not_words_after_the_tag(end, tmp_path):
    path = tmp_path / "mac.run"
    path.write_bytes(end.join(["q1 Q0 a 1 2 t", "q1 Q0 b 2 1 t", ""]).encode())
    if end == "\r":
        with pytest.raises(DataError, match=r"line 1: q1 Q0 a 1 2 t.*carriage return alone"):
            rankgauge.evaluate({"q1": {"b": 1}}, path, "RR")
    else:
        assert rankgauge.evaluate({"q1": {"b": 1}}, path, "RR").values.item() == 0.5


def zstandard_bomb(byte, blocks):
    """Blocks of 128 kB that repeat one byte, in a frame without a size; each takes four bytes."""
    heads = [(at == blocks - 1) | 1 << 1 | 1 << 20 for at in range(blocks)]
    return b"\x28\xb5\x2f\xfd\x00\x58" + b"".join(head.to_bytes(3, "little") + byte for head in heads)


def gzip_bomb(head, body, times, tail=b""):
    return gzip.compress(head + body * times + tail, 9)


BOMBS = {
    "a.qrels.zst": (lambda: zstandard_bomb(b"\n", 1 << 14), "65,542 packed bytes become more than 67 MB"),
    "a.csv.zst": (lambda: zstandard_bomb(b"\n", 1 << 14), "65,542 packed bytes become more than 67 MB"),
    "a.json.gz": (lambda: gzip_bomb(b'{"q0": [', b'"d",', 20_000_000, b'"d"]}'), "packed bytes become more than 67 MB"),
    "b.json.gz": (lambda: gzip_bomb(b'{"q0": [', b'"d",', 5_000_000, b'"d"]}'), "packed bytes become more than 16 MB"),
    "a.jsonl.gz": (lambda: gzip_bomb(b"", b'{"query":"q0","document":"a","score":1}\n', 2_000_000), "more than 67 MB"),
    "a.trec.gz": (lambda: gzip_bomb(b"", b"q0 Q0 a 1 1 t\n", 5_000_000), "packed bytes become more than 67 MB"),
    "a.parquet": (lambda: parquet_bomb(11_000_000), "bytes become 11,000,000 rows, more than 10,000,000"),
}


def parquet_bomb(rows):
    file, columns = io.BytesIO(), {"query": "q0", "document": "a", "value": 1.0}
    pl.DataFrame({name: pl.Series([cell]).new_from_index(0, rows) for name, cell in columns.items()}).write_parquet(
        file
    )
    return file.getvalue()


@pytest.mark.parametrize("name", BOMBS)
def test_little_that_becomes_much_is_refused_before_it_fills_the_memory(tmp_path, name):
    """Seen red: gigabytes, and no end in two minutes."""
    path = tmp_path / name
    path.write_bytes(BOMBS[name][0]())
    begun = time.process_time()
    with pytest.raises(DataError, match=rf"{name}: .*{BOMBS[name][1]}"):
        scored(path)
    assert not rankgauge.check(path, path).is_sound
    assert time.process_time() - begun < 4


def test_what_packs_as_well_as_runs_do_is_read(tmp_path, monkeypatch):
    lines = b"".join(b"q%d Q0 d%d %d %d t\n" % (at // 100, at % 100, at % 100, 100 - at % 100) for at in range(200_000))
    monkeypatch.setattr(unpacking, "_EASY", 1 << 16)
    for name, content in (("a.trec.gz", gzip.compress(lines, 9)), ("a.trec.zst", zstandard(lines))):
        (tmp_path / name).write_bytes(content)
        assert rankgauge.evaluate({"q0": {"d0": 1}}, tmp_path / name, "RR").values.item() == 1
    for sound in (b"q0 0 a 1\n", zstandard(TREC), gzip.compress(TREC)):
        (tmp_path / "sound.qrels").write_bytes(sound)
        assert scored(tmp_path / "sound.qrels")


def test_the_size_of_zstandard_frames_is_in_their_headers():
    sizes = [0, 1, 255, 256, 65_791, 65_792, 1_000_000]
    skipped = b"\x5a\x2a\x4d\x18\x03\0\0\0abc"
    frames = [zstandard(np.random.default_rng(0).bytes(size)) for size in sizes]
    assert [zstandard_size(frame) for frame in frames] == sizes
    assert zstandard_size(skipped.join(frames)) == sum(sizes)
    assert zstandard_size(zstandard_bomb(b"a", 3) + frames[2]) == 3 * (1 << 17) + 255
    for cut in range(30):
        assert zstandard_size(frames[3][:cut]) in {0, 256}  # the rest is for whoever unpacks it


def test_millions_of_blank_lines_take_no_time(tmp_path):
    """Seen red: five seconds, a line at a time."""
    path = tmp_path / "blank.run.zst"
    path.write_bytes(zstandard_bomb(b"\n", 80) + zstandard(b"q0 Q0 a 1 2 t\n"))
    begun = time.process_time()
    assert rankgauge.evaluate({"q0": {"a": 1}}, path).values.tolist() == [[[1.0]]]
    assert time.process_time() - begun < 3


@pytest.mark.parametrize("depth", [100, 450, 500, 700, 900, 5_000])
@pytest.mark.parametrize("kind", ["json", "jsonl"])
def test_json_of_any_depth_is_refused_by_name(tmp_path, depth, kind):
    """Seen red: RecursionError where the message quoted it, exit code 70."""
    inner = '{"a":' * depth + "1" + "}" * depth
    path = tmp_path / f"deep.{kind}"
    path.write_text(inner if kind == "json" else f'{{"query":"q0","document":"a","value":{inner}}}\n')
    with pytest.raises(DataError, match=r"deep\.json"):
        scored(path)


def test_whole_numbers_of_thousands_of_digits_have_a_line(tmp_path):
    """Seen red: no line, because Python reads no such number."""
    path = tmp_path / "long.json"
    path.write_text(f'{{"q0":\n{{"a": {"9" * 5000}, "b": 1}}}}')
    with pytest.raises(DataError, match=r"line 2: value inf of query q0, document a"):
        scored(path)


def test_a_byte_that_is_0_has_a_line(tmp_path):
    path = tmp_path / "nul.qrels"
    for lines in (3, 100_000):  # at the beginning, which shows what a file is, and far behind
        path.write_bytes(b"".join(b"q%d 0 a 1\n" % at for at in range(lines)) + b"q0 0 b\0 1\n")
        with pytest.raises(DataError, match=f"not text\n    line {lines + 1} has a byte that is 0"):
            scored(path)


@pytest.mark.parametrize("kind", ["csv", "tsv"])
def test_tables_whose_lines_end_with_carriage_returns_say_so(tmp_path, kind):
    """Seen red: the file was said to be empty."""
    path = tmp_path / f"old.{kind}"
    path.write_text("query,document,value\rq0,a,1\rq0,b,0\r".replace(",", "," if kind == "csv" else "\t"), newline="")
    with pytest.raises(DataError, match="lines end with a carriage return alone\n    line 1\n"):
        scored(path)
