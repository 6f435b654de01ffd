// zwalk render-tree
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>

#include "../io/file.hpp"
#include "../io/npy.hpp"
#include "../io/output.hpp"
#include "../render/colormap.hpp"
#include "../render/icicle.hpp"
#include "../render/scatter.hpp"
#include "commands.hpp"
#include "common.hpp"
#include "parse.hpp"
#include "zwalk/core/error.hpp"

namespace zwalk::apps {
namespace {

struct Options {
    std::string input, size = "800", title, output;
    bool quiet = false, force = false;
};

constexpr Color unlabelled_color = rgb(0x4a5264);

/// What zwalk hdbscan wrote.
struct Clustering {
    std::size_t points = 0;
    std::vector<double> parent, child, lambda, child_size, labels;

    [[nodiscard]] bool is_point(std::size_t row) const { return child[row] < double(points); }
    [[nodiscard]] std::size_t cluster(double id) const { return std::size_t(id) - points; }
};

Clustering read_clustering(std::filesystem::path const& directory) {
    auto const file = directory / "condensed_tree.npy";
    auto columns = io::read_npy_records(file, {"parent", "child", "lambda_val", "child_size"});
    Clustering c;
    c.labels = io::read_npy_column(directory / "labels.npy", 0);
    c.points = c.labels.size();
    c.parent = std::move(columns[0]);
    c.child = std::move(columns[1]);
    c.lambda = std::move(columns[2]);
    c.child_size = std::move(columns[3]);
    double known = double(c.points);  // clusters so far, the root included
    for (std::size_t row = 0; row < c.parent.size(); ++row) {
        bool const fits = c.parent[row] >= double(c.points) && c.parent[row] <= known &&
                          c.lambda[row] >= 0 && c.child_size[row] >= 1 &&
                          (c.is_point(row) ? c.child[row] >= 0 : c.child[row] == ++known);
        if (!fits)
            throw InputError(fmt::format("row {} of {} doesn't fit a condensed tree of {} points", row,
                                         io::quoted(file), c.points));
    }
    return c;
}

/// Colours as zwalk render --labels gives them: the largest groups first.
std::map<double, Color> colours(std::vector<double> const& labels) {
    std::map<double, std::size_t> size;
    for (double const l : labels)
        if (l >= 0) ++size[l];
    std::vector<std::pair<double, std::size_t>> largest(size.begin(), size.end());
    std::stable_sort(largest.begin(), largest.end(),
                     [](auto const& a, auto const& b) { return a.second > b.second; });
    std::map<double, Color> out;
    for (std::size_t i = 0; i < largest.size(); ++i) out[largest[i].first] = distinct_color(i);
    return out;
}

/// The cluster that each label stands for: the smallest one that all its points are in.
std::map<double, std::size_t> clusters_of_labels(Clustering const& c,
                                                 std::vector<IcicleBar> const& bars) {
    std::map<double, std::size_t> cluster;
    for (std::size_t row = 0; row < c.parent.size(); ++row) {
        if (!c.is_point(row)) continue;
        double const label = c.labels[std::size_t(c.child[row])];
        if (label < 0) continue;
        std::size_t own = c.cluster(c.parent[row]);
        std::size_t& all = cluster.emplace(label, own).first->second;
        while (own != all) {  // the one with the larger number is deeper
            std::size_t& deeper = own > all ? own : all;
            deeper = std::size_t(bars[deeper].parent);
        }
    }
    return cluster;
}

Icicle make_plot(Options const& o) {
    Clustering const c = read_clustering(o.input);
    Icicle plot;
    auto& bars = plot.bars;
    if (!c.parent.empty()) bars.push_back({-1, double(c.points), 0, {}, unlabelled_color});
    for (std::size_t row = 0; row < c.parent.size(); ++row) {
        std::size_t const parent = c.cluster(c.parent[row]);
        bars[parent].leaves.emplace_back(c.lambda[row], c.child_size[row]);
        if (!c.is_point(row))
            bars.push_back(
                {std::ptrdiff_t(parent), c.child_size[row], c.lambda[row], {}, unlabelled_color});
    }
    for (IcicleBar& bar : bars) std::sort(bar.leaves.begin(), bar.leaves.end());
    auto const colour = colours(c.labels);
    std::vector<bool> labelled(bars.size());
    for (auto const& [label, cluster] : clusters_of_labels(c, bars)) {
        bars[cluster].color = colour.at(label);
        labelled[cluster] = true;
    }
    for (std::size_t i = 1; i < bars.size(); ++i) {
        auto const parent = std::size_t(bars[i].parent);
        if (labelled[i] || !labelled[parent]) continue;
        bars[i].color = bars[parent].color;
        labelled[i] = true;
    }
    plot.title = !o.title.empty()
                     ? o.title
                     : fmt::format("condensed tree of {} points, {} clusters", c.points, colour.size());
    return plot;
}

void run_render_tree(Options const& o) {
    std::string const format = io::extension_of(o.output);
    if (format != ".png" && format != ".svg")
        throw InputError(fmt::format("-o: {} must end in .png or .svg", io::quoted(o.output)));
    int const size = int(parse_integer("--size", o.size, 200, 10000));
    auto const surface =
        format == ".png" ? make_png_surface(size, background) : make_svg_surface(size, background);
    io::OutputFile out(o.output, o.force);
    Icicle const plot = make_plot(o);
    draw(plot, *surface, size);
    surface->save(out.path());
    out.commit();
    if (!o.quiet) fmt::print("written     {}: {} clusters of the tree\n", o.output, plot.bars.size());
}

}  // namespace

Runs add_render_tree(CommandLine& program) {
    Command app = program.add_command("render-tree", "Draw the condensed tree of zwalk hdbscan");
    auto o = std::make_shared<Options>();
    app.add_option("DIR", o->input, "The results of zwalk hdbscan").required();
    app.add_option("-o,--output", o->output, "The picture: .png or .svg").required();
    app.add_option("--size", o->size, "Width and height in pixels").show_default();
    app.add_option("--title", o->title, "Text above the picture");
    app.add_flag("--quiet", o->quiet, "Print nothing but errors");
    app.add_flag("--force", o->force, "Replace the file if it exists");
    app.footer(
        "An icicle plot: bars are clusters of the condensed tree, as wide as they have points, from "
        "larger\n"
        "distances down to smaller ones. Clusters of labels.npy have the colours of zwalk render "
        "--labels.\n"
        "Example: zwalk render-tree clusters -o tree.svg");
    return {app, [o] { run_render_tree(*o); }};
}

}  // namespace zwalk::apps
