"""Prints the table of corpus/regress/README.md: issue, cases, and what `gjk query` answers.

    cargo run --release -- query corpus/regress/public.jsonl > answers.jsonl
    python xtask/python/regress_table.py answers.jsonl

One row a case; the f32 twins and the exchanged pairs are left out of the rows and counted in the last column.
"""

import json
import pathlib
import sys

CASES = pathlib.Path(__file__).resolve().parents[2] / "corpus/regress/public.jsonl"


def base(name, names):
    """The case that this one is a twin of, or itself."""
    for mark in ("-f32", "-swapped"):
        for twin in (name.replace(mark, "", 1), name.replace("-f32", "").replace("-swapped", "")):
            if twin != name and twin in names:
                return base(twin, names)
    return name


def short(x):
    return f"{x:.6g}"


def interval(answer):
    d = answer.get("signed_distance")
    if d is None:
        return ""
    lower, upper = d["lower"], d["upper"]
    if lower == upper:
        return short(lower)
    if short(lower) != short(upper):
        return f"{short(lower)} to {short(upper)}"
    return f"{short(lower)}, width {upper - lower:.1e}"


def main():
    answers = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
    cases = [json.loads(line) for line in open(CASES, encoding="utf-8")]
    names = {case["id"] for case in cases}
    by_id = {answer["id"]: answer for answer in answers}
    rows, twins = {}, {}
    for case in cases:
        own = base(case["id"], names)
        twins[own] = twins.get(own, 0) + (own != case["id"])
        if own == case["id"]:
            rows.setdefault(case["source"].removeprefix("mechanism of "), []).append(case["id"])
    print("| issue | case | verdict | signed distance | iterations | stop | twins |\n|---|---|---|---|---|---|---|")
    for source in sorted(rows, key=str.lower):
        for k, name in enumerate(rows[source]):
            a = by_id[name]
            cells = [source if k == 0 else "", f"`{name}`", a["verdict"], interval(a), str(a["iterations"]), a["stop"], str(twins[name])]
            print("| " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
