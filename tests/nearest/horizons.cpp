// How far points look once they have met some leaves: by brute force, and nobody is handed any neighbours.
#include "zwalk/walk/horizons.hpp"
#include "support/brute_knn.hpp"
#include "zwalk/nearest/trait.hpp"

using namespace test;

namespace {

/// Counts who is handed neighbours.
struct Outputs {
    int* calls;
    void operator()(auto const&, auto const&) const { ++*calls; }
};

/// The squared distance to the k-th nearest of these sources, infinite if there are fewer.
template <class T>
T kth_of(std::vector<T> d2, pos_t k) {
    if (d2.size() < k) return infinity<T>;
    std::nth_element(d2.begin(), d2.begin() + std::ptrdiff_t(k - 1), d2.end());
    return d2[k - 1];
}

/// Every leaf meets every `step`-th one.
template <int D, class T, class Space>
void check_horizons(Space const& space, std::vector<double> const& box, Rows<D, T> const& rows,
                    Rows<D, T> const* others, pos_t k, bool exclude_self, pos_t step) {
    Cpu const cpu(1);
    TreeOptions const options{.leaf_size = 12};
    auto const sources = build_tree(cpu, view<D>(rows), D, options);
    auto const other = others ? build_tree(cpu, view<D>(*others), D, options) : Tree<T, Cpu>{};
    auto const& targets = others ? other : sources;
    auto const s = sources.template points<D>(), t = targets.template points<D>();
    int outputs = 0;
    using Trait = Nearest<D, T, Outputs>;
    static_assert(detail::has_horizons<Trait>);
    Trait trait(k, {&outputs});
    trait.exclude_self = exclude_self;
    detail::Horizons<Trait, Space> const horizons(trait, space, targets, {}, {}, sources, {});
    auto const met = sources.template plane<D>(0), meeting = targets.template plane<D>(0);
    std::size_t asked = 0;
    for (pos_t leaf = 0; leaf < targets.planes[0].nodes(); ++leaf) {
        std::vector<Entry<T>> list;
        for (pos_t l = leaf % step; l < sources.planes[0].nodes(); l += step)
            list.push_back({l, node_range(space, meeting, leaf, met, l).lo2});
        horizons.of_leaf(leaf, list, [&](pos_t i, T found) {
            auto const p = t.point(i);
            std::vector<T> d2;
            for (auto const& e : list)
                for (pos_t j = met.first[e.source]; j < met.first[e.source + 1]; ++j)
                    if (!exclude_self || i != j)
                        d2.push_back(plain_distance2(p.v, s.point(j).v, D, box));
            ++asked;
            REQUIRE(found == kth_of(d2, k));
        });
    }
    CHECK(asked == targets.size());
    CHECK(outputs == 0);
}

}  // namespace

TEST_CASE("horizons: those of brute force, of every kind of points") {
    for (auto const& kind : kinds())
        for (pos_t const k : {1, 7, 40}) {
            CAPTURE(kind);
            CAPTURE(k);
            auto const rows = make_points<3, float>(kind, 200, 5);
            auto const others = make_points<3, float>(kind, 90, 6);
            for (pos_t const step : {1, 3}) {
                CAPTURE(step);
                check_horizons<3, float>(Open<3, float>{}, {}, rows, nullptr, k, k == 7, step);
                check_horizons<3, float>(Open<3, float>{}, {}, rows, &others, k, false, step);
            }
        }
}

TEST_CASE("horizons: periodic, double, and fewer sources than neighbours") {
    Periodic<2, double> const space{{1, infinity<double>}};
    for (std::size_t const n : {1, 2, 11, 12, 13, 150}) {
        CAPTURE(n);
        auto const rows = make_points<2, double>("uniform", n, 5);
        for (pos_t const k : {1, 12, 13, 60})
            check_horizons<2, double>(space, {1, 0}, rows, nullptr, k, false, 1);
    }
}

TEST_CASE("horizons: no sources, and no targets") {
    auto const rows = make_points<3, float>("uniform", 30, 3);
    Rows<3, float> const none;
    Cpu const cpu(1);
    auto const some = build_tree(cpu, view<3>(rows), 3), empty = build_tree(cpu, view<3>(none), 3);
    int outputs = 0;
    using Trait = Nearest<3, float, Outputs>;
    Trait const trait(2, {&outputs});
    detail::Horizons<Trait, Open<3, float>> const without_sources(trait, {}, some, {}, {}, empty, {}),
        without_targets(trait, {}, empty, {}, {}, some, {});
    std::size_t asked = 0;
    for (pos_t leaf = 0; leaf < some.planes[0].nodes(); ++leaf)
        without_sources.of_leaf(leaf, {}, [&](pos_t, float d2) {
            ++asked;
            CHECK(d2 == infinity<float>);
        });
    CHECK(asked == rows.size());
}
