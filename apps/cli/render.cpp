// zwalk render
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <unordered_map>

#include "../io/file.hpp"
#include "../io/npy.hpp"
#include "../io/output.hpp"
#include "../render/scatter.hpp"
#include "commands.hpp"
#include "common.hpp"
#include "parse.hpp"
#include "zwalk/core/error.hpp"

namespace zwalk::apps {
namespace {

struct Options {
    std::string input, values, labels, edges, groups = "20", column, axes = "0,1", slab, size = "800",
                                              colormap = "magma", range, title, output,
                                              dataset = "PartType1/Coordinates", columns;
    bool log = false, invert = false, quiet = false, force = false;
};

struct Slab {
    int axis = 0;
    double lo = -INFINITY, hi = INFINITY;
};

Slab slab_of(Options const& o, int dim) {
    if (o.slab.empty()) return {};
    auto const v = parse_numbers("--slab", o.slab, 3);
    int const axis = parse_axes("--slab", fmt::format("{}", v[0]), 1, dim)[0];
    if (v[1] > v[2]) throw InputError(fmt::format("--slab: {} is above {}", v[1], v[2]));
    return {axis, v[1], v[2]};
}

std::string axis_name(int axis, int dim) {
    return dim <= 3 ? std::string(1, char('x' + axis)) : fmt::format("axis {}", axis);
}

struct Place {
    double x, y;
    bool seen;  ///< inside the slab, with finite coordinates
};

template <class T>
Place place_of(Points<T> points, std::size_t i, std::vector<int> const& axes, Slab const& slab) {
    T const* p = points.data + i * std::size_t(points.dim);
    auto const x = double(p[axes[0]]), y = double(p[axes[1]]), z = double(p[slab.axis]);
    return {x, y, std::isfinite(x) && std::isfinite(y) && z >= slab.lo && z <= slab.hi};
}

/// The tree that zwalk emst wrote.
struct Tree {
    std::vector<double> first, second, length;  ///< one per edge
};

Tree read_tree(Options const& o, std::size_t points) {
    if (o.edges.empty()) return {};
    auto const edges = std::filesystem::path(o.edges) / "edges.npy";
    auto const lengths = std::filesystem::path(o.edges) / "lengths.npy";
    Tree tree{io::read_npy_column(edges, 0), io::read_npy_column(edges, 1),
              io::read_npy_column(lengths, 0)};
    if (tree.length.size() != tree.first.size())
        throw InputError(fmt::format("{} has {} rows, but {} has {}", io::quoted(edges),
                                     tree.first.size(), io::quoted(lengths), tree.length.size()));
    for (auto const* ends : {&tree.first, &tree.second})
        for (double const i : *ends)
            if (!(i >= 0 && i < double(points)))
                throw InputError(fmt::format("{} names point {}, but there are {} points",
                                             io::quoted(edges), i, points));
    return tree;
}

/// Copies what is to be seen: points, and edges between two of them.
template <class T>
void select(Points<T> points, std::vector<int> const& axes, Slab const& slab,
            std::vector<double> const& values, Tree const& tree, Scatter& plot) {
    for (std::size_t i = 0; i < points.size; ++i) {
        Place const place = place_of(points, i, axes, slab);
        if (!place.seen) continue;
        plot.x.push_back(place.x);
        plot.y.push_back(place.y);
        if (!values.empty()) plot.values.push_back(values[i]);
    }
    for (std::size_t e = 0; e < tree.length.size(); ++e) {
        Place const a = place_of(points, std::size_t(tree.first[e]), axes, slab);
        Place const b = place_of(points, std::size_t(tree.second[e]), axes, slab);
        // An edge that looks longer than it is goes through a face of a periodic box.
        bool const through = std::hypot(a.x - b.x, a.y - b.y) > 1.000001 * tree.length[e];
        if (a.seen && b.seen && !through) plot.segments.push_back({a.x, a.y, b.x, b.y});
    }
}

/// One number per point: --values or --labels; none if neither is given.
std::vector<double> read_values(Options const& o, std::size_t points) {
    std::string const& file = o.labels.empty() ? o.values : o.labels;
    if (file.empty()) return {};
    auto const column = o.column.empty() ? 0 : parse_integer("--column", o.column, INT32_MIN, INT32_MAX);
    auto values = io::read_npy_column(file, column);
    if (values.size() != points)
        throw InputError(fmt::format("{} has {} rows, but there are {} points", io::quoted(file),
                                     values.size(), points));
    return values;
}

constexpr Color other_color = rgb(0x3a4150);

/// Points of small groups first, so that the largest groups lie on top. Labels below 0 are noise.
void colour_groups(Options const& o, std::vector<double> const& label, Scatter& plot) {
    std::unordered_map<double, std::size_t> size;
    for (double const l : label) ++size[l];
    std::vector<std::pair<double, std::size_t>> largest;
    for (auto const& group : size)
        if (group.second > 1 && group.first >= 0) largest.push_back(group);
    auto const shown =
        std::min(std::size_t(parse_integer("--groups", o.groups, 1, 1000)), largest.size());
    std::partial_sort(largest.begin(), largest.begin() + std::ptrdiff_t(shown), largest.end(),
                      [](auto const& a, auto const& b) {
                          return a.second != b.second ? a.second > b.second : a.first < b.first;
                      });
    std::unordered_map<double, std::size_t> rank;
    for (std::size_t i = 0; i < shown; ++i) rank[largest[i].first] = i;
    auto const rank_of = [&](double l) {
        auto const at = rank.find(l);
        return at == rank.end() ? shown : at->second;
    };
    std::vector<std::size_t> order(plot.x.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return rank_of(plot.values[a]) > rank_of(plot.values[b]);
    });
    Scatter sorted = plot;
    sorted.values.clear();
    for (std::size_t i = 0; i < order.size(); ++i) {
        std::size_t const r = rank_of(plot.values[order[i]]);
        sorted.x[i] = plot.x[order[i]];
        sorted.y[i] = plot.y[order[i]];
        sorted.colors.push_back(r == shown ? other_color : distinct_color(r));
    }
    constexpr std::size_t most_entries = 24;
    for (std::size_t i = 0; i < std::min(shown, most_entries); ++i)
        sorted.legend.push_back({distinct_color(i), fmt::format("{}", largest[i].second)});
    if (size.contains(-1)) sorted.legend.push_back({other_color, "noise"});
    sorted.value_label = "points";
    plot = std::move(sorted);
}

std::string value_label(Options const& o) {
    std::string label = std::filesystem::path(o.values).stem().string();
    if (!o.column.empty()) label += ", column " + o.column;
    return o.log ? label + " (log)" : label;
}

Scatter make_plot(Options const& o) {
    if (!o.labels.empty() && !o.values.empty())
        throw InputError("points are coloured by --values or by --labels, not by both");
    Scatter plot;
    plot.colormap = colormap_named(o.colormap);
    plot.log = o.log;
    plot.invert = o.invert;
    if (!o.range.empty()) {
        auto const r = parse_numbers("--range", o.range, 2);
        if (!(r[0] < r[1])) throw InputError("--range must be lo,hi with lo below hi");
        plot.range = {r[0], r[1]};
    }
    io::PointSet const points = io::read_points(o.input, read_options("", o.dataset, o.columns));
    print_notes(points, o.quiet);
    if (points.dim < 2)
        throw InputError(
            fmt::format("{} has one coordinate per point; a picture needs two", io::quoted(o.input)));
    auto const axes = parse_axes("--axes", o.axes, 2, points.dim);
    auto const slab = slab_of(o, points.dim);
    auto const values = read_values(o, points.size);
    Tree const tree = read_tree(o, points.size);
    if (points.precision() == io::Precision::f4)
        select(points.points<float>(), axes, slab, values, tree, plot);
    else select(points.points<double>(), axes, slab, values, tree, plot);
    plot.x_label = axis_name(axes[0], points.dim);
    plot.y_label = axis_name(axes[1], points.dim);
    plot.value_label = value_label(o);
    if (!o.labels.empty()) colour_groups(o, values, plot);
    plot.title = !o.title.empty()
                     ? o.title
                     : fmt::format("{}, {} points", std::filesystem::path(o.input).filename().string(),
                                   plot.x.size());
    return plot;
}

void run_render(Options const& o) {
    std::string const format = io::extension_of(o.output);
    if (format != ".png" && format != ".svg")
        throw InputError(fmt::format("-o: {} must end in .png or .svg", io::quoted(o.output)));
    int const size = int(parse_integer("--size", o.size, 200, 10000));
    auto const surface =
        format == ".png" ? make_png_surface(size, background) : make_svg_surface(size, background);
    io::OutputFile out(o.output, o.force);
    Progress progress(o.quiet);
    progress.phase("reading " + o.input);
    Scatter const plot = make_plot(o);
    progress.phase(fmt::format("drawing {} points", plot.x.size()));
    draw(plot, *surface, size);
    surface->save(out.path());
    out.commit();
    progress.clear();
    if (!o.quiet) fmt::print("written     {}: {} points\n", o.output, plot.x.size());
}

}  // namespace

Runs add_render(CommandLine& program) {
    Command app = program.add_command("render", "Draw points, coloured by a value, as PNG or SVG");
    auto o = std::make_shared<Options>();
    app.add_option("INPUT", o->input, input_help).required();
    app.add_option("-o,--output", o->output, "The picture: .png or .svg").required();
    app.add_option("--values", o->values, "A .npy file with one number, or one row, per point");
    app.add_option(
        "--labels", o->labels,
        "A .npy file with the group of each point: the largest groups get colours, noise (-1) is grey");
    app.add_option("--edges", o->edges, "A directory of zwalk emst: its edges are drawn as lines");
    app.add_option("--groups", o->groups, "How many of them").show_default();
    app.add_option("--column", o->column, "Which number of the row; -1: the last (default 0)");
    app.add_flag("--log", o->log, "Colour by the logarithm");
    app.add_flag("--invert", o->invert, "Small values bright, and on top");
    app.add_option("--range", o->range, "lo,hi: the values at the ends of the colours");
    app.add_option("--colormap", o->colormap, "viridis, magma or gray").show_default();
    app.add_option("--axes", o->axes, "The two axes that are seen").show_default();
    app.add_option("--slab", o->slab, "axis,lo,hi: only points between lo and hi on this axis");
    app.add_option("--size", o->size, "Width and height in pixels").show_default();
    app.add_option("--title", o->title, "Text above the picture");
    app.add_flag("--quiet", o->quiet, "Print nothing but errors");
    app.add_flag("--force", o->force, "Replace the file if it exists");
    add_reading_options(app, o->dataset, o->columns);
    app.footer(
        "Example, density by the distance to the last neighbour:\n"
        "  zwalk render points.npy --values out/distances.npy --column -1 --log --invert "
        "-o density.png\n"
        "Groups:\n"
        "  zwalk render points.npy --labels groups/labels.npy -o groups.png\n"
        "A minimum spanning tree:\n"
        "  zwalk render points.npy --edges tree -o tree.svg");
    return {app, [o] { run_render(*o); }};
}

}  // namespace zwalk::apps
