"""Runs what nvcc made of CountedRadii, as one thread: nvcc up to 13.0 lost counts of its bins when these held a member with
padding, and bounds came out too small.

usage: counted_radii.py PTX [SEED]

PTX has kernels whose names begin with counted_radii (ptx.cu): want, and keys (d2, position) with numbers of points go
in, the bound after each comes out. As soon as `want` points were added it is the key of one of them, and
at least `want` of them are not behind it.
"""
import pathlib
import random
import re
import struct
import sys

from one_thread import Thread

SIZES = {"double": "d", "float": "f"}


def bounds(thread, form, adds, want):
    n = len(adds)
    parts = [bytes(n * struct.calcsize(form)), bytes(4 * n)]
    for f, column in zip([form, "I", "I"], zip(*adds)):
        parts.append(struct.pack(f"{n}{f}", *column))
    addresses, memory = [], bytearray(16)  # so that no address is 0
    for part in parts:
        addresses.append(len(memory))
        memory += part + bytes(-len(part) % 16)
    thread.run(memory, [*addresses, n, want])
    return list(zip(struct.unpack_from(f"{n}{form}", memory, addresses[0]),
                    struct.unpack_from(f"{n}I", memory, addresses[1])))


def wrong(adds, want, found):
    """What is wrong with the first bound that is."""
    total = 0
    for i, (_, _, points) in enumerate(adds):
        total += points
        seen = [((d2, pos), n) for d2, pos, n in adds[:i + 1]]
        if total < want:
            if found[i][0] != float("inf"):
                return f"{total} of {want} points, and a bound {found[i]}"
        elif found[i] not in [key for key, _ in seen]:
            return f"{found[i]} is no key that was added"
        elif (kept := sum(n for key, n in seen if key <= found[i])) < want:
            return f"after {i + 1} of {adds} the bound {found[i]} holds {kept} points, not {want}"
    return None


def main():
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.SystemRandom().randrange(1 << 30)
    print("seed", seed)
    text, rng, runs = pathlib.Path(sys.argv[1]).read_text(), random.Random(seed), 0
    for kernel in re.findall(r"\.entry (counted_radii\w*\(.*?\n\})", text, re.DOTALL):
        thread, form = Thread(kernel), SIZES["float" if "float" in kernel[:kernel.index("(")] else "double"]
        for _ in range(300):
            n = rng.randint(1, 60)
            places = rng.choice([2, 5, 1000])  # few distances: many ties
            adds = [(float(rng.randrange(places)), rng.randrange(100), rng.randint(1, 10)) for _ in range(n)]
            want = rng.randint(1, 6 * n)
            if said := wrong(adds, want, bounds(thread, form, adds, want)):
                print(f"{kernel[:kernel.index('(')]}: {said}")
                return 1
            runs += 1
    print(f"{runs} runs are right")
    return 0 if runs else 1


if __name__ == "__main__":
    sys.exit(main())
