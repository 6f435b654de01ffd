// Few queries of an index, answered by searches for their nearest: each goes down from the root, or meets all points where boxes are no
// help. A search for lists makes a tree of the queries first and walks twice, which costs a single query much more; in 16
// columns, where a query meets most leaves, it brings all points from memory for each.
#include <algorithm>
#include <cmath>
#include <vector>

#include "algorithm.hpp"
#include "zwalk/core/parallel.hpp"
#include "zwalk/knn/knn.hpp"
#include "zwalk/lists/lists.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

namespace {

constexpr std::size_t very_few_rows = 16, few_rows = 1024, sources_per_row = 4;
/// Beyond so many dimensions boxes are so little help that this is faster for more rows, too.
constexpr int few_dims = 4;
constexpr std::size_t few_wide_rows = 1 << 14;
/// Of many rows some are asked first.
constexpr std::size_t tried_rows = 4;

bool are_few(std::size_t rows, std::size_t sources, int dim) {
    return rows <= very_few_rows ||
           rows <= std::min(dim > few_dims ? few_wide_rows : few_rows, sources / sources_per_row);
}

/// Thrown where a row has no room for what it finds.
struct FindsMuch {};

/// The sources within the radius of each row, nearest first, ties by row; or only how many.
template <class T>
struct TakeWithin {
    std::vector<T> const& own;  ///< radii of rows; empty: all that are found are within
    std::vector<std::vector<ListedSource<T>>>& lists;
    std::vector<index_t>& counts;
    pos_t room;
    bool counted;  ///< no lists

    void operator()(index_t row, Neighbours<T> const& found) const {
        if (pos_t(found.size()) == room) throw FindsMuch();
        int n = found.size();
        if (!own.empty())
            while (n > 0 && !(found.distance(n - 1) <= own[std::size_t(row)])) --n;
        counts[std::size_t(row)] = n;
        if (counted) return;
        auto& list = lists[std::size_t(row)];
        list.reserve(std::size_t(n));
        for (int i = 0; i < n; ++i) list.push_back({found.scaled_distance2(i), found.index(i)});
        for (auto tie = list.begin(); tie != list.end();) {
            auto const end =
                std::find_if(tie, list.end(), [&](auto const& s) { return s.d2 != tie->d2; });
            if (end - tie > 1) std::sort(tie, end);
            tie = end;
        }
    }
};

/// The search for all rows. False: a row finds too much.
template <class T>
bool search(Index<T> const& index, Points<T> rows, double within, TakeWithin<T> const& take,
            Stats& stats) {
    try {
        stats = knn_visit(index, rows, take, {.k = index_t(take.room), .within = within});
        return true;
    } catch (FindsMuch const&) {
        return false;
    }
}

/// Whether some of the rows, from all of them, find too much.
template <class T>
bool some_find_much(Index<T> const& index, Points<T> rows, double within, pos_t room) {
    std::vector<T> some;
    for (std::size_t i = 0; i < tried_rows; ++i) {
        T const* const row = rows.data + i * rows.size / tried_rows * std::size_t(rows.dim);
        some.insert(some.end(), row, row + rows.dim);
    }
    std::vector<T> const own;
    std::vector<std::vector<ListedSource<T>>> lists;
    std::vector<index_t> counts(tried_rows);
    Stats stats;
    try {
        return !search<T>(index, {some.data(), tried_rows, rows.dim}, within,
                          {own, lists, counts, room, true}, stats);
    } catch (InputError const&) {
        return false;  // all rows are looked at before any is searched for: that says which of all are bad
    }
}

template <class T>
void write_lists(std::vector<std::vector<ListedSource<T>>> const& lists, T unit, bool distances,
                 RadiusResult<T>& r) {
    std::size_t const n = lists.size();
    r.offsets = Buffer<size_type>(n + 1);
    r.indices = Buffer<index_t>(r.found);
    if (distances) r.distances = Buffer<T>(r.found);
    size_type at = 0;
    for (std::size_t i = 0; i < n; ++i) {
        r.offsets[i] = at;
        for (auto const& [d2, row] : lists[i]) {
            if (distances) r.distances[at] = std::sqrt(d2) * unit;
            r.indices[at++] = row;
        }
    }
    r.offsets[n] = at;
}
/// On threads of its own: what a visitor does mustn't have another call of this index wait.
template <class T>
void show_lists(Cpu const& cpu, std::vector<std::vector<ListedSource<T>>> const& lists, T unit,
                ListVisitor<T> const& visitor) {
    auto const show = [&](std::size_t i, std::size_t end) {
        for (; i < end; ++i)
            visitor.call(visitor.object, index_t(i), {lists[i].data(), lists[i].size(), unit});
    };
    if (lists.size() <= very_few_rows) show(0, lists.size());
    else cpu.apart().run([&] { parallel_for(lists.size(), very_few_rows, show); });
}

/// Whether lists of so many rows fit, if all of them have as many entries as they may.
template <class T>
bool lists_fit(Cpu const& cpu, std::size_t rows, pos_t room) {
    std::uint64_t const bytes = rows * std::uint64_t(room) * sizeof(ListedSource<T>);
    if (cpu.memory_budget() > 0) return bytes <= cpu.memory_budget();
    return bytes <= small_lists || bytes <= cpu.available();
}

}  // namespace

template <class T>
std::optional<RadiusResult<T>> search_few(Index<T> const& index, Points<T> queries,
                                          RadiusAsked const& o) {
    std::size_t const rows = queries.size;
    auto const room = pos_t(std::min(few_found, index_t(index.size()) + 1));
    if (rows == 0 || index.size() == 0 || o.order != Order::input || !o.box.empty() ||
        !are_few(rows, index.size(), index.dim()) || !lists_fit<T>(index.place(), rows, room))
        return std::nullopt;
    CallSets sets;
    sets.points = {index.size(), index.dim()};
    sets.others = {rows, queries.dim};
    RadiusAlgorithm::check<T>(o, sets);
    double const within = o.radii.empty() ? o.radius : *std::max_element(o.radii.begin(), o.radii.end());
    if (rows > very_few_rows && some_find_much(index, queries, within, room)) return std::nullopt;

    std::vector<T> const own(o.radii.begin(), o.radii.end());
    bool const counted = o.work == RadiusWork::count;
    std::vector<std::vector<ListedSource<T>>> lists(counted ? 0 : rows);
    std::vector<index_t> counts(rows);
    RadiusResult<T> r;
    if (!search<T>(index, queries, within, {own, lists, counts, room, counted}, r.stats))
        return std::nullopt;
    for (index_t const n : counts) r.found += size_type(n);
    T const unit = index.points().unit.unit();
    if (counted) {
        r.counts = Buffer<index_t>(rows);
        std::copy(counts.begin(), counts.end(), r.counts.begin());
    } else if (o.work == RadiusWork::search) {
        write_lists(lists, unit, o.distances, r);
    } else {
        show_lists(index.place(), lists, unit, o.visitor.template get<T>());
        r.found = 0;
    }
    r.stats.counts.emplace_back("found", r.found);
    return r;
}

template std::optional<RadiusResult<float>> search_few(Index<float> const&, Points<float>,
                                                       RadiusAsked const&);
template std::optional<RadiusResult<double>> search_few(Index<double> const&, Points<double>,
                                                        RadiusAsked const&);

}}}  // namespace zwalk::v0::detail
