#include "zwalk/peaks/clusters.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "zwalk/core/error.hpp"
#include "zwalk/core/parallel.hpp"
#include "zwalk/core/text.hpp"
#include "zwalk/peaks/trait.hpp"
#include "zwalk/walk/links.hpp"

namespace zwalk { inline namespace v0 { namespace detail {
namespace {

constexpr std::size_t grain = 1 << 14;  // rows per task

void check(PeaksCut const& cut) {
    if (cut.clusters < 0)
        throw InputError(detail::text("clusters must be at least 0, but is {}", cut.clusters));
    if (!(cut.min_delta >= 0))
        throw InputError(detail::text("min_delta must be at least 0, but is {}", cut.min_delta));
    if (!(cut.max_radius >= 0))
        throw InputError(detail::text("max_radius must be at least 0, but is {}", cut.max_radius));
    if (cut.clusters == 0 && cut.min_delta == 0)
        throw InputError("say which points are centres: give a number of clusters, or min_delta > 0");
}

template <class T>
Standing<T> standing(PeaksView<T> const& graph, std::size_t i) {
    return {graph.radius[i], index_t(i)};
}

template <class T>
void check(Cpu const& cpu, PeaksView<T> const& graph) {
    check_lengths(graph.radius.size(), graph.delta.size(), graph.nearest_denser.size());
    std::size_t const n = graph.radius.size();
    if (n > max_points)
        throw InputError(detail::text("{} points are too many to cut: at most {}", n, max_points));
    auto const is_row = [&](index_t up) { return up >= -1 && up < index_t(n); };
    auto const is_wrong = [&](std::size_t i) {
        index_t const up = graph.nearest_denser[i];
        return !is_row(up) || (up >= 0 && !(standing(graph, std::size_t(up)) < standing(graph, i)));
    };
    std::size_t const first_wrong = cpu.run([&] {
        return parallel_reduce(
            n, grain, n,
            [&](std::size_t i, std::size_t end, std::size_t so_far) {
                for (; i < std::min(end, so_far); ++i)
                    if (is_wrong(i)) return i;
                return so_far;
            },
            [](std::size_t a, std::size_t b) { return std::min(a, b); });
    });
    if (first_wrong == n) return;
    index_t const up = graph.nearest_denser[first_wrong];
    if (!is_row(up))
        throw InputError(
            detail::text("nearest_denser of row {} is {}: there is no such row", first_wrong, up));
    throw InputError(detail::text(
        "nearest_denser of row {} is {}, which isn't denser: this is no decision graph in the "
        "order of the input",
        first_wrong, up));
}

/// How far a point stands out; larger than that of all others for the densest one.
template <class T>
double prominence(PeaksView<T> const& graph, index_t row) {
    double const delta = double(graph.delta[std::size_t(row)]);
    return std::isinf(delta) ? delta : delta / double(graph.radius[std::size_t(row)]);
}

/// Rows of the centres, the densest first.
template <class T>
std::vector<index_t> centres_of(PeaksView<T> const& graph, PeaksCut const& cut) {
    std::vector<index_t> rows;
    for (std::size_t i = 0; i < graph.radius.size(); ++i)
        if (double(graph.delta[i]) > cut.min_delta && double(graph.radius[i]) <= cut.max_radius)
            rows.push_back(index_t(i));
    if (cut.clusters > 0 && rows.size() > std::size_t(cut.clusters)) {
        auto const less = [&](index_t row) {
            return std::tuple(-prominence(graph, row), -graph.delta[std::size_t(row)], row);
        };
        auto const end = rows.begin() + std::ptrdiff_t(cut.clusters);
        std::nth_element(rows.begin(), end, rows.end(),
                         [&](index_t a, index_t b) { return less(a) < less(b); });
        rows.erase(end, rows.end());
    }
    std::sort(rows.begin(), rows.end(), [&](index_t a, index_t b) {
        return standing(graph, std::size_t(a)) < standing(graph, std::size_t(b));
    });
    return rows;
}

}  // namespace

void check_lengths(std::size_t radius, std::size_t delta, std::size_t denser) {
    if (delta != radius || denser != radius)
        throw InputError(detail::text(
            "radius, delta and nearest_denser are those of {}, {} and {} points: they must be as many",
            radius, delta, denser));
}

template <class T>
PeaksClusters cut_peaks(PeaksView<T> const& graph, PeaksCut const& cut, Cpu const& cpu) {
    check(cut);
    check(cpu, graph);
    std::size_t const n = graph.radius.size();
    PeaksClusters r{cpu.template buffer<index_t>(n), centres_of(graph, cut)};
    cpu.for_each(n, Fill<index_t>{r.labels.data(), -1});
    if (r.centres.empty()) return r;
    // Every point points to its nearest denser one, a centre to itself: there are no circles. So all find their centres as
    // members of groups find the first one.
    auto up = cpu.template buffer<pos_t>(n);
    cpu.for_each(n, [&](std::size_t i) {
        index_t const denser = graph.nearest_denser[i];
        up[i] = pos_t(denser < 0 ? index_t(i) : denser);
    });
    for (std::size_t c = 0; c < r.centres.size(); ++c) {
        auto const centre = std::size_t(r.centres[c]);
        up[centre] = pos_t(centre);
        r.labels[centre] = index_t(c);
    }
    links_settle(cpu, up);
    // Centres keep their labels: they are read while others are written.
    cpu.for_each(n, [&](std::size_t i) {
        if (up[i] != i) r.labels[i] = r.labels[up[i]];
    });
    return r;
}

template PeaksClusters cut_peaks(PeaksView<float> const&, PeaksCut const&, Cpu const&);
template PeaksClusters cut_peaks(PeaksView<double> const&, PeaksCut const&, Cpu const&);

}}}  // namespace zwalk::v0::detail
