"""What holds for all tests: programs beside them are no tests, and import one another only where they are run."""

collect_ignore_glob = ["fuzz_*.py"]
