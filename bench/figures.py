#!/usr/bin/env python3
"""Makes the pictures of README.md and docs/performance.md, in docs/figures.

    bench/figures.py speed          # bars beside other libraries, from the tables of docs/performance.md and the pages below it; needs Python alone
    bench/figures.py speed --check  # exit status 1 if the picture isn't what these tables say; a test does that
    bench/figures.py web            # neighbours, groups and a tree of data/cosmo32768, found by zwalk

`web` needs numpy, matplotlib and pillow, and the package zwalk: pip install . matplotlib pillow, or
PYTHONPATH=build/python of a build with ZWALK_PYTHON_MODULE.
"""
import math
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGES = [ROOT / "docs" / "performance.md", *sorted((ROOT / "docs" / "performance").glob("*.md"))]
FIGURES = ROOT / "docs" / "figures"

# ---- speed: what to show of which table -------------------------------------------------------------------------------

# Of each group: its title, the heading above its table, how its row begins, and the columns that are drawn, by their names there
# and by those in the picture.
BARS = [
    ("Nearest neighbours", "1 million points, k = 16", "k nearest neighbours", "| uniform | 16 |",
     {"nanoflann tuned": "nanoflann, tuned", "nanoflann": "nanoflann", "pykdtree": "pykdtree", "SciPy": "SciPy cKDTree"}),
    ("Friends-of-friends", "1 million clustered points", "Friends-of-friends", "| clustered |",
     {"SciPy pairs and components": "SciPy, pairs and components",
      "scikit-learn DBSCAN(min_samples=1)": "scikit-learn DBSCAN"}),
    ("Spanning tree", "1 million normal points", "Spanning trees and HDBSCAN", "| normal | 1 |",
     {"mlpack": "mlpack", "fast-hdbscan": "fast-hdbscan", "SciPy Delaunay and tree": "SciPy, Delaunay"}),
    ("DBSCAN", "1 million points", "Radius search, DBSCAN", "| DBSCAN, epsilon 2 |", {"scikit-learn": "scikit-learn"}),
    ("HDBSCAN*", "20 thousand points, from Python", "From Python", "| HDBSCAN\\*, beside scikit-learn |", {"peer": "scikit-learn"}),
    ("All within a radius", "1 million points, counted, from Python", "From Python", "| within 1.5 spacings", {"peer": "SciPy cKDTree"}),
    ("Pair counts", "1 million points, 20 bins", "Pair counts", "| pairs up to .03 | 1e6 uniform |", {"Corrfunc": "Corrfunc"}),
    ("Gravity", "100 thousand points, equal errors", "Gravity", "| uniform |", {"": "pytreegrav"}),
]


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def ratios(text, heading, row, columns):
    """What a row of the table below a heading says in these columns, as numbers."""
    part = re.split(r"^#+ ", text, flags=re.M)
    part = next((p for p in part if p.startswith(heading)), None)
    if part is None:
        sys.exit(f"docs/performance: there is no heading {heading}")
    lines = part.splitlines()
    at = next((i for i, line in enumerate(lines) if line.startswith(row)), None)
    if at is None:
        sys.exit(f"docs/performance: below {heading} no row begins with {row}")
    head = next(i for i in range(at, -1, -1) if lines[i].startswith("| ---")) - 1
    names, values = cells(lines[head]), cells(lines[at])
    found = []
    for column in columns:
        if column not in names or not values[names.index(column)].endswith(" x"):
            sys.exit(f"docs/performance: below {heading} there is no ratio in column {column!r}")
        found.append(float(values[names.index(column)].removesuffix(" x")))
    return found


STYLE = """
  text { font: 13px system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; fill: #57606a; }
  .title { font-weight: 600; fill: #24292f; } .head { font-size: 16px; font-weight: 600; fill: #24292f; }
  .small { font-size: 12px; } .value { font-weight: 600; fill: #24292f; }
  .grid { stroke: #d0d7de; stroke-width: 1; } .one { stroke: #d2601a; stroke-width: 2; } .ours { fill: #d2601a; font-weight: 600; }
  .bar { fill: #4c8fd6; }
  @media (prefers-color-scheme: dark) {
    text { fill: #9198a1; } .title, .head, .value { fill: #e6edf3; } .grid { stroke: #30363d; }
    .one { stroke: #f0883e; } .ours { fill: #f0883e; } .bar { fill: #4184d6; }
  }"""


def speed():
    """The picture, as SVG: bars on a logarithmic axis, in two columns."""
    text = "\n".join(page.read_text() for page in PAGES)
    groups = [(title, what, list(zip(columns.values(), ratios(text, heading, row, columns))))
              for title, what, heading, row, columns in BARS]
    bar, step, gap, top, left, width, middle = 14, 20, 42, 66, 178, 206, 470
    most = max(ratio for group in groups for _, ratio in group[2])
    scale = width / math.log10(most)
    columns, heights = [[], []], [0, 0]
    for group in groups:  # each to the shorter column
        i = heights.index(min(heights))
        columns[i].append(group)
        heights[i] += gap + step * len(group[2])
    height = top + max(heights) + 24
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * middle} {height}" width="{2 * middle}" height="{height}" '
           'role="img" aria-label="How many times as long as zwalk other libraries take">', f"<style>{STYLE}\n</style>",
           '<text class="head" x="8" y="24">How many times as long as zwalk others take</text>',
           '<text class="small" x="8" y="46">Equal points, equal answers, two threads where a program can use them (pair counts, gravity: one). '
           'Logarithmic; figures of docs/performance.md.</text>']
    for c, column in enumerate(columns):
        x0, y = c * middle + left, top
        for title, what, bars in column:
            out.append(f'<text x="{c * middle + 8}" y="{y + 20}"><tspan class="title">{title}</tspan>'
                       f'<tspan class="small" dx="8">{what}</tspan></text>')
            y += 29
            for tick in (1, 10, 100):
                x = x0 + scale * math.log10(tick)
                out.append(f'<line class="{"one" if tick == 1 else "grid"}" x1="{x:.1f}" x2="{x:.1f}" y1="{y - 2}" '
                           f'y2="{y + step * len(bars) - 4}"/>')
            for name, ratio in bars:
                length = scale * math.log10(ratio)
                out.append(f'<text class="small" x="{x0 - 8}" y="{y + bar - 3}" text-anchor="end">{name}</text>')
                out.append(f'<rect class="bar" x="{x0 + 1}" y="{y}" width="{length - 1:.1f}" height="{bar}" rx="2"/>')
                out.append(f'<text class="small value" x="{x0 + length + 6:.1f}" y="{y + bar - 3}">{ratio:.3g}×</text>')
                y += step
            y += gap - 29
        for tick in (1, 10, 100):
            out.append(f'<text class="small{" ours" if tick == 1 else ""}" x="{x0 + scale * math.log10(tick):.1f}" y="{y + 8}" '
                       f'text-anchor="middle">{"zwalk" if tick == 1 else f"{tick}×"}</text>')
    return "\n".join([*out, "</svg>", ""])


# ---- web: one set of points, three algorithms -------------------------------------------------------------------------


def web(path):
    import io

    import matplotlib
    import numpy as np
    import zwalk
    from PIL import Image
    matplotlib.use("Agg")
    from matplotlib import pyplot
    from matplotlib.collections import LineCollection
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.patches import FancyBboxPatch
    from matplotlib.patheffects import withStroke

    x = np.load(ROOT / "data/cosmo32768/pos.npy")
    distances, _ = zwalk.knn(x, k=16, box=1)
    density = -np.log(distances[:, -1])
    labels = zwalk.fof(x, 0.2 * zwalk.mean_spacing(x, box=1), box=1).labels
    tree = zwalk.minimum_spanning_tree(x, box=1)

    shown = (x[:, :2] + (0.12, -0.06)) % 1  # the box has no edges: it is cut where little is lost
    night, gap = "#0d1117", 0.006
    fig = pyplot.figure(figsize=(9, 3), dpi=180)
    panels = []
    for i in range(3):
        panel = fig.add_axes([i * (1 + gap) / 3, 0, (1 - 2 * gap) / 3, 1])
        panel.set(xlim=(0, 1), ylim=(0, 1))
        panel.axis("off")
        frame = FancyBboxPatch((.03, .03), .94, .94, boxstyle="round,pad=.03,rounding_size=.03", fc=night, ec="none")
        panel.add_patch(frame)
        panels.append((panel, frame))

    def title(panel, text, code):
        for y, words, more in ((.96, text, {"weight": "bold", "size": 9}), (.905, code, {"family": "monospace", "size": 7})):
            panel.text(.03, y, words, color="#e6edf3", va="top", **more,
                       path_effects=[withStroke(linewidth=3, foreground=night)])

    panel, frame = panels[0]
    order = np.argsort(density)
    glow = LinearSegmentedColormap.from_list("glow", ["#3a2a6b", "#7b2f8f", "#d1495b", "#f79256", "#fde9a9", "#ffffff"])
    spread = (density - density.min()) / np.ptp(density)
    panel.scatter(*shown[order].T, c=spread[order], cmap=glow, s=.5 + 1.2 * spread[order]**2, lw=0, vmin=.05, vmax=.97,
                  clip_path=frame)
    title(panel, "Density", "zwalk.knn(x, k=16)")

    panel, frame = panels[1]
    groups, group, members = np.unique(labels, return_inverse=True, return_counts=True)
    rank = np.empty(len(groups), int)
    rank[np.argsort(-members, kind="stable")] = np.arange(len(groups))
    large = members[group] >= 20
    colours = ["#58a6ff", "#f0883e", "#3fb950", "#ff7b9c", "#d2a8ff", "#e3b341", "#39c5cf", "#ff6a5a", "#a5d6ff", "#b6e376"]
    panel.scatter(*shown[~large].T, c="#586272", s=.45, lw=0, clip_path=frame)
    panel.scatter(*shown[large].T, c=[colours[r % len(colours)] for r in rank[group[large]]], s=1.1, lw=0, clip_path=frame)
    title(panel, "Friends-of-friends groups", "zwalk.fof(x, 0.2 * spacing)")

    panel, frame = panels[2]
    ends = shown[tree.edges]
    inside = np.abs(ends[:, 0] - ends[:, 1]).max(1) < .5  # not through the sides
    short = -np.log(np.maximum(tree.lengths, 1e-4))
    order = np.argsort(short)
    order = order[inside[order]]
    cold = LinearSegmentedColormap.from_list("cold", ["#24507a", "#2f81c7", "#39c5cf", "#b8f2e6", "#ffffff"])
    lines = LineCollection(ends[order], array=short[order], cmap=cold, linewidths=.32)
    lines.set_clim(*np.quantile(short, (.02, .995)))
    panel.add_collection(lines)
    lines.set_clip_path(frame)
    title(panel, "Minimum spanning tree", "zwalk.minimum_spanning_tree(x)")

    # A palette makes the file a quarter as large; corners stay transparent.
    raw = io.BytesIO()
    fig.savefig(raw, transparent=True)
    Image.open(raw).quantize(80, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(path, optimize=True)
    print(f"{path.relative_to(ROOT)}: {path.stat().st_size} bytes, {large.sum()} of {len(x)} points in "
          f"{(members >= 20).sum()} groups of 20 and more")


def main(what="", check=""):
    if what == "speed" and check in ("", "--check"):
        picture, path = speed(), FIGURES / "speed.svg"
        if check and path.read_text() != picture:
            sys.exit("docs/figures/speed.svg isn't what docs/performance.md says; bench/figures.py speed mends that")
        path.write_text(picture)
    elif what == "web" and not check:
        web(FIGURES / "web.png")
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(*sys.argv[1:])
