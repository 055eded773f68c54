"""The plugins of strangers here have tests of their own, which run where they are installed: test_clean_machine.py."""

collect_ignore_glob = ["nbframework-*"]
