"""Fetching files from a server on this machine: the right bytes, wrong ones, half of them, and none."""

import hashlib
import socket

import pytest
from support.file_server import file_server

from nbframework.data.cache import cache_folder, cached_path
from nbframework.data.catalog import find_dataset
from nbframework.data.fetch import UnreachableError, fetch, mirrored, place
from nbframework.errors import DataError

pytest.importorskip("pooch", reason="pooch fetches: pip install 'nbframework[data]'")
CONTENT = b"@relation r\n@attribute class {a,b}\n@data\na\nb\n" * 50
CHECKSUM = hashlib.sha256(CONTENT).hexdigest()
PUBLIC = "https://example.org/owner/set.arff"


@pytest.fixture(autouse=True)
def direct(monkeypatch):
    """No proxy between these tests and this machine."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.fixture
def server():
    with file_server() as served:
        served.files["/owner/set.arff"] = CONTENT
        yield served


def closed_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def test_the_right_bytes_come(server):
    assert fetch(f"{server.url}/owner/set.arff", CHECKSUM) == CONTENT


def test_a_mirror_takes_the_place_of_the_host(server):
    assert fetch(PUBLIC, CHECKSUM, server.url + "/") == CONTENT
    assert server.asked == ["/owner/set.arff"]


def test_a_mirror_may_have_a_folder_of_its_own():
    assert mirrored(PUBLIC, "https://mirror.example/data/") == "https://mirror.example/data/owner/set.arff"


def test_a_folder_serves_as_a_mirror(tmp_path):
    (tmp_path / "owner").mkdir()
    (tmp_path / "owner" / "my set.arff").write_bytes(CONTENT)
    assert fetch("https://example.org/owner/my%20set.arff", CHECKSUM, str(tmp_path)) == CONTENT


def test_a_folder_without_the_file_is_named(tmp_path):
    with pytest.raises(DataError, match=f"{tmp_path}/owner/set.arff: cannot be read: No such file"):
        fetch(PUBLIC, CHECKSUM, str(tmp_path))


def test_wrong_bytes_are_refused_with_both_checksums(server):
    server.files["/owner/set.arff"] = b"something else"
    found = hashlib.sha256(b"something else").hexdigest()
    with pytest.raises(DataError, match=f"14 bytes with SHA-256 {found} came, expected {CHECKSUM}"):
        fetch(f"{server.url}/owner/set.arff", CHECKSUM)


def test_a_connection_that_closes_early_is_an_error_even_without_a_checksum(server):
    server.cut.add("/owner/set.arff")
    with pytest.raises(DataError, match="the connection broke off") as caught:
        fetch(f"{server.url}/owner/set.arff")
    assert not isinstance(caught.value, UnreachableError)


def test_half_of_the_bytes_that_look_like_a_whole_are_told_by_the_checksum(server):
    server.cut.add("/owner/set.arff")
    server.unannounced.add("/owner/set.arff")
    with pytest.raises(DataError, match="the transfer was cut short"):
        fetch(f"{server.url}/owner/set.arff", CHECKSUM)


def test_a_file_that_is_not_there(server):
    with pytest.raises(DataError, match=rf"^{server.url}/none.arff: the host answers 404 Not Found$"):
        fetch(f"{server.url}/none.arff", CHECKSUM)


def test_a_refused_connection_is_unreachable():
    port = closed_port()
    with pytest.raises(UnreachableError, match=rf"no connection to 127.0.0.1:{port} \(.*[Rr]efused"):
        fetch(f"http://127.0.0.1:{port}/owner/set.arff", CHECKSUM)


def test_an_address_that_is_none():
    with pytest.raises(DataError, match="nowhere"):
        fetch("nowhere://set.arff")


def test_a_file_is_placed_as_a_whole_in_a_new_folder(tmp_path):
    place(CONTENT, tmp_path / "new" / "a.arff")
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["a.arff"]
    assert (tmp_path / "new" / "a.arff").read_bytes() == CONTENT


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    (tmp_path / "a.arff").write_bytes(b"old")

    def fails(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.replace", fails)
    with pytest.raises(DataError, match=r"a\.arff: cannot be written: no space left"):
        place(CONTENT, tmp_path / "a.arff")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"a.arff": b"old"}


def test_the_environment_names_the_folder_of_fetched_files(tmp_path, monkeypatch):
    monkeypatch.setenv("NBFRAMEWORK_DATA", str(tmp_path))
    assert cache_folder() == tmp_path
    assert cached_path("a.arff") is None
    (tmp_path / "a.arff").touch()
    assert cached_path("a.arff") == tmp_path / "a.arff"


def test_without_the_environment_it_is_the_cache_of_the_system(monkeypatch, tmp_path):
    monkeypatch.delenv("NBFRAMEWORK_DATA", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    folder = cache_folder()
    assert folder is not None
    assert "nbframework" in folder.parts


def test_a_fetched_data_set_is_found_by_its_name(tmp_path, monkeypatch):
    monkeypatch.setenv("NBFRAMEWORK_DATA", str(tmp_path / "data"))
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "fetched.arff").touch()
    (tmp_path / "outside.arff").touch()
    assert find_dataset("fetched") == tmp_path / "data" / "fetched.arff"
    with pytest.raises(DataError, match="no such file"):
        find_dataset("../outside")


def test_a_given_folder_comes_before_bundled_and_fetched_sets(tmp_path, monkeypatch):
    monkeypatch.setenv("NBFRAMEWORK_DATA", str(tmp_path / "fetched"))
    for folder in ("fetched", "given"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "mine.arff").touch()
    (tmp_path / "given" / "iris.arff").touch()
    assert find_dataset("mine", tmp_path / "given") == tmp_path / "given" / "mine.arff"
    assert find_dataset("iris.arff", tmp_path / "given") == tmp_path / "given" / "iris.arff"
    assert find_dataset("iris", tmp_path / "given") == tmp_path / "given" / "iris.arff"
    assert find_dataset("mine", tmp_path) == tmp_path / "fetched" / "mine.arff"


def test_a_given_folder_has_to_exist(tmp_path):
    with pytest.raises(DataError, match=r"data folder .*none' does not exist"):
        find_dataset("iris", tmp_path / "none")
