// Few queries of an index, answered by searches for their nearest: each goes down from the root, or meets all points where boxes are no
// help. A search for lists makes a tree of the queries first and walks twice, which for one query takes ten times as long; in 16
// columns, where a query meets most leaves, it brings all points from memory for each.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <vector>

#include "algorithm.hpp"
#include "zwalk/core/parallel.hpp"
#include "zwalk/knn/knn.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

namespace {

constexpr std::size_t very_few_rows = 16, few_rows = 1024, sources_per_row = 4;
/// Beyond so many dimensions boxes are so little help that this is faster for more rows, too.
constexpr int few_dims = 4;
constexpr std::size_t few_wide_rows = 1 << 14;
/// Rows that find more are better off with a walk. Some rows are asked first.
constexpr index_t most_found = 512;
constexpr std::size_t tried_rows = 4;

bool are_few(std::size_t rows, std::size_t sources, int dim) {
    return rows <= very_few_rows ||
           rows <= std::min(dim > few_dims ? few_wide_rows : few_rows, sources / sources_per_row);
}

/// The sources within the radius of each row, nearest first, ties by row; and whether some row had no room for them.
template <class T>
struct TakeWithin {
    std::vector<T> const& own;  ///< radii of rows; empty: all that are found are within
    std::vector<std::vector<ListedSource<T>>>& lists;
    pos_t room;
    std::atomic<bool>& many;

    void operator()(index_t row, Neighbours<T> const& found) const {
        if (pos_t(found.size()) == room) return many.store(true, std::memory_order_relaxed);
        auto& list = lists[std::size_t(row)];
        for (int i = 0; i < found.size(); ++i) {
            if (!own.empty() && !(found.distance(i) <= own[std::size_t(row)])) break;
            list.push_back({found.scaled_distance2(i), found.index(i)});
        }
        for (auto tie = list.begin(); tie != list.end();) {
            auto const end =
                std::find_if(tie, list.end(), [&](auto const& s) { return s.d2 != tie->d2; });
            if (end - tie > 1) std::sort(tie, end);
            tie = end;
        }
    }
};

template <class T>
RadiusResult<T> result_of(Cpu const& cpu, std::vector<std::vector<ListedSource<T>>> const& lists, T unit,
                          RadiusAsked const& o) {
    RadiusResult<T> r;
    std::size_t const n = lists.size();
    for (auto const& list : lists) r.found += list.size();
    if (o.work == RadiusWork::count) {
        r.counts = Buffer<index_t>(n);
        for (std::size_t i = 0; i < n; ++i) r.counts[i] = index_t(lists[i].size());
    } else if (o.work == RadiusWork::search) {
        r.offsets = Buffer<size_type>(n + 1);
        r.indices = Buffer<index_t>(r.found);
        if (o.distances) r.distances = Buffer<T>(r.found);
        size_type at = 0;
        for (std::size_t i = 0; i < n; ++i) {
            r.offsets[i] = at;
            for (auto const& [d2, row] : lists[i]) {
                if (o.distances) r.distances[at] = std::sqrt(d2) * unit;
                r.indices[at++] = row;
            }
        }
        r.offsets[n] = at;
    } else {
        auto const visitor = o.visitor.template get<T>();
        auto const show = [&](std::size_t i, std::size_t end) {
            for (; i < end; ++i)
                visitor.call(visitor.object, index_t(i), {lists[i].data(), lists[i].size(), unit});
        };
        if (n <= very_few_rows) show(0, n);
        else cpu.run([&] { parallel_for(n, very_few_rows, show); });
        r.found = 0;
    }
    r.stats.counts.emplace_back("found", r.found);
    return r;
}

}  // namespace

template <class T>
std::optional<RadiusResult<T>> search_few(Index<T> const& index, Points<T> queries,
                                          RadiusAsked const& o) {
    std::size_t const rows = queries.size;
    auto const most = std::min(most_found, index_t(index.size()) + 1);
    std::uint64_t const budget = index.place().memory_budget();
    bool const fits = budget == 0 || rows * std::uint64_t(most) <= budget / sizeof(ListedSource<T>);
    if (rows == 0 || index.size() == 0 || o.order != Order::input || !o.box.empty() || !fits ||
        !are_few(rows, index.size(), index.dim()))
        return std::nullopt;
    CallSets sets;
    sets.points = {index.size(), index.dim()};
    sets.others = {rows, queries.dim};
    RadiusAlgorithm::check<T>(o, sets);
    std::vector<T> const own(o.radii.begin(), o.radii.end());
    double const within = o.radii.empty() ? o.radius : *std::max_element(o.radii.begin(), o.radii.end());
    std::vector<std::vector<ListedSource<T>>> lists(rows);
    std::atomic<bool> many = false;
    auto const search = [&](std::size_t n) {
        for (std::size_t i = 0; i < n; ++i) lists[i].clear();
        knn_visit(index, Points<T>(queries.data, n, queries.dim),
                  TakeWithin<T>{own, lists, pos_t(most), many}, {.k = most, .within = within});
        return !many.load();
    };
    if ((rows > 4 * tried_rows && !search(tried_rows)) || !search(rows)) return std::nullopt;
    return result_of(index.place(), lists, index.points().unit.unit(), o);
}

template std::optional<RadiusResult<float>> search_few(Index<float> const&, Points<float>,
                                                       RadiusAsked const&);
template std::optional<RadiusResult<double>> search_few(Index<double> const&, Points<double>,
                                                        RadiusAsked const&);

}}}  // namespace zwalk::v0::detail
