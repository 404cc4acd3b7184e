from indexer.lru import LruDict


def test_what_was_set_longest_ago_is_evicted() -> None:
    found = LruDict[str, int](2)
    for key, value in (("a", 1), ("b", 2), ("a", 3), ("c", 4)):
        found[key] = value
    assert list(found.items()) == [("a", 3), ("c", 4)]
