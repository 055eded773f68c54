"""Network file systems are told from local ones by what the system says is mounted."""

import pytest

from nbframework.study import mounts
from nbframework.study.mounts import network_file_system

MOUNTS = r"""
22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
40 22 0:35 / /home rw,relatime shared:20 - nfs4 server:/home rw,vers=4.2
41 40 8:2 / /home/local rw,relatime - xfs /dev/sdb1 rw
42 22 0:40 / /my\040files rw - cifs //server/files rw
43 22 0:41 / /remote rw - fuse.sshfs me@host: rw
44 22 0:42 / /image rw - fuse.squashfuse image rw
45 22 0:43 / /twice rw - nfs server:/twice rw
46 45 0:44 / /twice rw - tmpfs tmpfs rw
"""


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/home/me/s.db", "nfs4"),
        ("/home", "nfs4"),
        ("/homeless/s.db", ""),
        ("/home/local/s.db", ""),
        ("/my files/s.db", "cifs"),
        ("/remote/s.db", "fuse.sshfs"),
        ("/image/s.db", ""),
        ("/twice/s.db", ""),
        ("/s.db", ""),
    ],
)
def test_the_innermost_mount_decides(path, kind):
    assert network_file_system(path, MOUNTS) == kind


def test_where_the_system_does_not_say_nothing_is_known(tmp_path, monkeypatch):
    monkeypatch.setattr(mounts, "MOUNTS", tmp_path / "none")
    assert network_file_system("/home/me") == ""


def test_the_command_warns_and_goes_on(tmp_path, monkeypatch, capsys):
    from nbframework.cli import main

    (tmp_path / "mounts").write_text(f"22 1 8:1 / {tmp_path} rw - nfs4 server:/x rw\n")
    monkeypatch.setattr(mounts, "MOUNTS", tmp_path / "mounts")
    (tmp_path / "s.yaml").write_text("study: s\nrecipes: [sbc]\ndata: [iris]\n")
    with pytest.raises(SystemExit) as stop:
        main(["run", str(tmp_path / "s.yaml")])
    assert stop.value.code == 0
    warning = capsys.readouterr().err.splitlines()[0]
    assert warning.startswith(f"warning: {tmp_path / 's.db'} is on a network file system (nfs4), where SQLite can lose")
