#include <algorithm>
#include <vector>

#include "scan.hpp"
#include "scan_tiles.hpp"
#include "zwalk/nearest/trait.hpp"
#include "zwalk/tree/box.hpp"

namespace zwalk { inline namespace v0 { namespace detail {
namespace {

/// Counts the sources within some distance of each target, as a trait for AllPairs.
template <class T>
struct CountNear : Types<max_dim, T> {
    using typename Types<max_dim, T>::State, typename Types<max_dim, T>::Target;
    static constexpr Uses uses{.ordered = true};
    static constexpr Tuning tuning{.blocks = true};
    struct Fold {
        T nearest, limit;
        pos_t count;
    };

    Key<T> const* nearest;  ///< of each target
    pos_t* count;

    Fold begin(Target const& p, State const&) const {
        T const d2 = nearest[p.index].d2;
        return {d2, d2 * T(2.25), 0};
    }
    ZWALK_INLINE Key<T> horizon(Fold const& f) const { return {f.limit, no_pos}; }
    template <Isa isa, class Block>
    ZWALK_INLINE void visit_block(Fold& f, Target const&, Block const& block) const {
        for (pos_t i = 0; i < block.count; ++i)
            f.count += block.d2[i] > f.nearest && block.d2[i] <= f.limit;
    }
    void end(Fold const& f, Target const& p) const { count[p.index] = f.count; }
};

/// Every so many rows, `wanted` in all.
template <class T>
std::vector<T> sampled(Points<T> points, std::size_t wanted) {
    std::vector<T> rows;
    auto const dim = std::size_t(points.dim);
    for (std::size_t i = 0; i < wanted; ++i) {
        T const* const row = points.data + (2 * i + 1) * points.size / (2 * wanted) * dim;
        rows.insert(rows.end(), row, row + dim);
    }
    return rows;
}

template <class T, class Space>
double share_in(Space const& space, Points<T> sources, Points<T> queries) {
    // The second nearest: a query may be one of the sources. What lies as far is a copy, or one of those on a grid.
    constexpr pos_t k = 2;
    auto const m = pos_t(queries.size);
    std::vector<pos_t> rows(m), found(m), count(m);
    for (pos_t i = 0; i < m; ++i) rows[i] = i;
    std::vector<Key<T>> keys(std::size_t(m) * k), nearest(m);
    ScanTiles<T> const tiles(sources, queries, rows, 1);
    tiles.meet(space, [&](std::size_t, pos_t tile) {
        return Nearest<max_dim, T, KeysOfPart<T>>(k, {keys.data() + tile * k, found.data() + tile, k});
    });
    for (pos_t i = 0; i < m; ++i) nearest[i] = keys[std::size_t(i) * k + 1];
    tiles.meet(space, [&](std::size_t, pos_t tile) {
        CountNear<T> trait;
        trait.nearest = nearest.data() + tile;
        trait.count = count.data() + tile;
        return trait;
    });
    double near = 0;
    for (pos_t const c : count) near += double(c) + 1;
    return near / (double(sources.size) * double(m));
}

}  // namespace

template <class T>
double share_near(ScanTask<T> const& task) {
    // A pair of 64 is looked at, at most, and few queries tell enough.
    constexpr std::size_t most_queries = 16, most_sources = 4096, part = 64;
    std::size_t const m = std::min(task.targets.size, most_queries);
    if (m == 0) return 0;
    std::size_t const pairs = task.targets.size * task.sources.size / part;
    std::size_t const n = std::min({task.sources.size, pairs / m, most_sources});
    if (n < 64) return -1;
    auto const from = sampled(task.sources, n), to = sampled(task.targets, m);
    Points<T> const sources(from.data(), n, task.sources.dim), queries(to.data(), m, task.targets.dim);
    if (task.period.empty()) return share_in(Open<max_dim, T>{}, sources, queries);
    return share_in(periodic_space<max_dim>(task.period), sources, queries);
}

template double share_near(ScanTask<float> const&);
template double share_near(ScanTask<double> const&);

}}}  // namespace zwalk::v0::detail
