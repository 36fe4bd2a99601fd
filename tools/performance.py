"""Makes docs/performance.md from the table of the arena: one run of clearance and its peers on the same work.

Usage: python3 tools/performance.py TABLE MACHINE > docs/performance.md
"""

import re
import sys

HEAD = """# Performance

Times of one query beside the fastest peer, on the same work, in one run: `make arena`, which needs the arena beside the checkout
(`../shared/arena`) and writes this page. `make arena ARENA="--rounds 3"` runs the workloads in full. Machine: {machine}. {built}.

- **c64**, **c32**: clearance in double and single precision; **best**: the fastest peer of that precision with its time. Ratio: the peer's time
  over ours; above 1 we are faster. Nanoseconds a query, microseconds a frame in W4; the thread's processor time.
- Peers: parry (p64, p32), Coal, FCL, libccd (ccd), Jolt, Bullet.
- `bool`: do they overlap; `dist+pts`: distance and nearest points; `closest`: signed distance and points; `contact`: depth and points where they
  overlap; `cast`: first time of contact along a translation. Ours carry bounds and witnesses in each.
- W1: pairs of simple shapes, half of them overlapping. W2: two hulls of n vertices. W3: two hulls of 500 vertices in small steps, cold and warm.
  W4: a frame of many bodies in a room (bodies × vertices). W5: casts of hulls. ADV: nearly aligned boxes and nearly touching hulls.

| | case | question | c64 | best | ratio | c32 | best | ratio |
| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |
"""

TAIL = """
Many pairs at once, in lanes, beside one after the other: `RAYON_NUM_THREADS=1 cargo run --release -p clearance --example batch_speed`.
Instructions of the main queries: `make counts`.
"""


def number(text):
    return None if text == "-" else float(text)


def best(names, times, ratio):
    """The fastest peer with its time, and the ratio."""
    known = [(time, name) for name, time in zip(names, times) if time is not None]
    if not known or ratio == "-":
        return "–", "–"
    time, name = min(known)
    return f"{time:.0f} {name}", ratio


def rows(lines):
    """The rows of the table in Markdown."""
    for line in lines:
        fields = line.split()
        if len(fields) != 16 or not re.match(r"W\d|ADV", fields[0]):
            continue
        workload, case, question = fields[:3]
        c64, *peers64 = [number(field) for field in fields[3:8]]
        c32, *peers32 = [number(field) for field in fields[10:14]]
        one, ratio64 = best(["p64", "coal", "fcl", "ccd"], peers64, fields[9])
        two, ratio32 = best(["p32", "jolt", "bullet"], peers32, fields[15])
        yield f"| {workload} | {case} | {question} | {c64:.0f} | {one} | {ratio64} | {c32:.0f} | {two} | {ratio32} |"


def means(lines):
    """The lines about geometric means, as a list."""
    for line in lines:
        if "geometric mean" in line:
            yield "- " + line.strip() + "."


def main():
    with open(sys.argv[1], encoding="utf-8") as table:
        lines = table.read().splitlines()
    built = lines[0].strip()
    print(HEAD.format(machine=sys.argv[2], built=built[0].upper() + built[1:]), end="")
    for row in rows(lines):
        print(row)
    print("\nGeometric means over all cells but ADV:\n")
    for mean in means(lines):
        print(mean)
    print(TAIL, end="")


if __name__ == "__main__":
    main()
