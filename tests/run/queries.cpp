// Queries that a call brings along: their z-order, the trees of parts of them, and all ways to what is nearest to them.
#include "zwalk/run/queries.hpp"

#include "knn/check.hpp"
#include "support/brute_knn.hpp"
#include "zwalk/run/nearest_of.hpp"
#include "zwalk/zorder/sort.hpp"

using namespace test;

namespace {

constexpr index_t k = 5;

/// What is seen of a query.
struct Seen {
    pos_t last = no_pos;     ///< position of its k-th neighbour
    std::size_t number = 0;  ///< in z-order
    int times = 0;
};
struct See {
    Seen* of;
    pos_t const* row_of;
    std::size_t first;
    template <class Target, class Found>
    void operator()(Target const& target, Found const& found) const {
        Seen& seen = of[row_of ? row_of[target.index] : target.index];
        seen.last = found.position(int(found.size()) - 1);
        seen.number = first + target.index;
        ++seen.times;
    }
};

template <int D>
struct Search {
    Rows<D, float> sources, rows;
    Cpu cpu{3};
    PreparedPoints<float, Cpu> points{build_tree(cpu, view<D>(sources), D, {.leaf_size = 9}),
                                      D,
                                      {},
                                      Extent<float>(0),
                                      {.leaf_size = 9}};
    detail::Queries<float, Cpu> queries{};

    explicit Search(char const* kind)
        : sources(make_points<D, float>(kind, 900, 1)), rows(make_points<D, float>("uniform", 300, 2)) {
        queries.points = view<D>(rows);
        sort_queries(cpu, queries);
    }
    /// True if ask(search, queries) shows each query its neighbours once, and its number if they are `sorted`.
    template <class Ask>
    bool right(bool sorted, std::size_t batches, Ask const& ask) {
        std::vector<Seen> seen(rows.size());
        auto const output_of = [&](std::span<pos_t const> row_of, std::size_t first) {
            return See{seen.data(), row_of.data(), first};
        };
        detail::NearestOf<D, float, decltype(output_of)> nearest(cpu, points, {.k = k}, output_of);
        cpu.run([&] { ask(nearest); });
        auto const z = z_order(view<D>(sources));
        for (std::size_t i = 0; i < rows.size(); ++i) {
            auto const keys =
                brute_knn(view<D>(sources), z, rows[i].data(), std::size_t(k), {}, std::size_t(-1));
            if (seen[i].times != 1 || seen[i].last != keys.back().pos) return false;
            if (seen[i].number != i && !sorted) return false;
            if (sorted && queries.order[seen[i].number] != i) return false;
        }
        auto const stats = nearest.take_stats();
        return batches == 0 ? stats.counts.empty() : count_of(stats, "batches") == batches;
    }
};

template <int D>
void check_ways(char const* kind) {
    CAPTURE(D);
    CAPTURE(kind);
    Search<D> search(kind);
    using detail::IndexWay;
    auto const by = [&](IndexWay way, std::size_t batch_size) {
        return [&search, way, batch_size](auto& nearest) {
            nearest.for_queries(search.queries, way, batch_size);
        };
    };
    CHECK(search.right(true, 1, by(IndexWay::walk, 300)));
    CHECK(search.right(true, 5, by(IndexWay::walk, 70)));
    CHECK(search.right(true, 0, by(IndexWay::descents, 300)));
    CHECK(search.right(true, 0, by(IndexWay::ask, 70)));
    CHECK(search.right(false, 0, [&](auto& nearest) { nearest.for_few(search.queries.points); }));
}

}  // namespace

TEST_CASE("queries: all ways give each its neighbours") {
    for (auto const* kind : {"uniform", "clustered", "sites40"}) {
        check_ways<2>(kind);
        check_ways<5>(kind);
    }
}

TEST_CASE("queries: a tree of some has these, in their order") {
    Search<2> search("clustered");
    auto const part = std::span<pos_t const>(search.queries.order).subspan(50, 120);
    auto const tree = detail::tree_of_queries(search.cpu, search.queries.points, part, search.points);
    CHECK(tree.size() == 120);
    bool same = true;
    for (pos_t i = 0; i < tree.size(); ++i)
        for (int j = 0; j < 2; ++j)
            same = same && tree.template points<2>().at(j, i) == search.rows[part[i]][std::size_t(j)];
    CHECK(same);
    CHECK(search.queries.order == z_sort(search.cpu, view<2>(search.rows)));
}

TEST_CASE("queries: with other columns they are refused") {
    CHECK_NOTHROW(detail::check_query_columns(3, 3));
    CHECK_THROWS_WITH_AS(detail::check_query_columns(2, 3),
                         "queries have 2 columns, but the points have 3", InputError);
}
