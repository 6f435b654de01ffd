// Traits on sources that were put together from parts: of a source they read what the contract allows.
#include "support/parts.hpp"

#include "traits/monopole.hpp"
#include "traits/nearest_brighter.hpp"
#include "traits/pair_counts.hpp"
#include "traits/radius_count.hpp"
#include "traits/radius_lists.hpp"

using namespace test;
using namespace zwalk::examples;

namespace {

constexpr char const* some_kinds[]{"uniform", "clustered", "grid", "sites40", "line", "equal"};

/// One value per position, and those of targets [begin, end).
template <class V, class F>
Columns<V> column_of(pos_t begin, pos_t end, F const& f) {
    std::vector<V> values;
    for (pos_t i = begin; i < end; ++i) values.push_back({f(i)});
    return Columns<V>(values);
}

}  // namespace

TEST_CASE("parts: the tree that is put together holds the points of all") {
    Cpu const cpu(1);
    for (auto const* kind : some_kinds)
        for (pos_t leaf_size : {1, 7, 48}) {
            CAPTURE(kind);
            auto const rows = make_points<3, float>(kind, 400, 3);
            Parts<3, float> const parts(cpu, rows,
                                        {.leaf_size = leaf_size, .coarsening = 2, .top_nodes = 2});
            auto const &all = parts.together, &whole = parts.whole;
            REQUIRE(all.size() == whole.size());
            for (pos_t i = 0; i < all.size(); ++i)
                REQUIRE(all.points<3>().point(i) == whole.points<3>().point(i));
            for (std::size_t p = 0; p < all.planes.size(); ++p) {
                auto const& plane = all.planes[p];
                REQUIRE(plane.first[0] == 0);
                REQUIRE(plane.first[plane.nodes()] == all.size());
                for (pos_t i = 0; i < plane.nodes(); ++i) {
                    REQUIRE(plane.first[i] < plane.first[i + 1]);
                    for (pos_t q = plane.first[i]; q < plane.first[i + 1]; ++q)
                        for (int j = 0; j < 3; ++j) {
                            float const x = all.points<3>().at(j, q);
                            REQUIRE(plane.view<3>().box_lo(j, i) <= x);
                            REQUIRE(plane.view<3>().box_hi(j, i) >= x);
                        }
                    if (p == 0) continue;
                    auto const& finer = all.planes[p - 1];
                    REQUIRE(finer.first[plane.child[i]] == plane.first[i]);
                    REQUIRE(finer.first[plane.child[i + 1]] == plane.first[i + 1]);
                }
            }
        }
}

TEST_CASE("parts: nearest brighter") {
    for (auto const* kind : some_kinds) {
        CAPTURE(kind);
        auto const rows = make_points<3, float>(kind, 300, 1);
        auto const light = [](pos_t i) { return float(i * 7919 % 101); };
        auto const stars = column_of<Star>(0, pos_t(rows.size()), light);
        check_parts<3, float>(rows, [&](auto const& walker, auto const& targets, auto const& sources,
                                        pos_t begin, pos_t end) {
            auto const own = column_of<Star>(begin, end, light);
            std::vector<pos_t> brighter(end - begin);
            NearestBrighter trait;
            trait.brighter = brighter.data();
            walker(trait, Open<3, float>{}, targets, sources,
                   WalkInputs<NearestBrighter>{own.view(), stars.view()});
            return brighter;
        });
    }
}

TEST_CASE("parts: sources within a radius, counted and listed") {
    for (auto const* kind : some_kinds) {
        CAPTURE(kind);
        auto const rows = make_points<3, float>(kind, 250, 2);
        check_parts<3, float>(rows, [&](auto const& walker, auto const& targets, auto const& sources,
                                        pos_t begin, pos_t end) {
            Open<3, float> const space;
            std::vector<size_type> count(end - begin), offset(end - begin + 1);
            RadiusCount<3, float> counts;
            counts.radius2 = .03f;
            counts.count = count.data();
            walker(counts, space, targets, sources, WalkInputs<RadiusCount<3, float>>{});
            std::partial_sum(count.begin(), count.end(), offset.begin() + 1);
            std::vector<pos_t> listed(offset.back());
            RadiusLists<3, float> lists;
            lists.radius2 = counts.radius2;
            lists.offset = offset.data();
            lists.source = listed.data();
            walker(lists, space, targets, sources, WalkInputs<RadiusLists<3, float>>{});
            std::vector<std::vector<pos_t>> found;
            for (pos_t i = 0; i < end - begin; ++i) {
                auto const list = listed.begin();
                std::sort(list + std::ptrdiff_t(offset[i]), list + std::ptrdiff_t(offset[i + 1]));
                found.emplace_back(list + std::ptrdiff_t(offset[i]),
                                   list + std::ptrdiff_t(offset[i + 1]));
            }
            return found;
        });
    }
}

namespace {

/// Sums of which the order, and the nodes accepted, depend on the tree.
struct Pull {
    Vec<3, double> a;
    friend bool operator==(Pull const& x, Pull const& y) {
        for (int j = 0; j < 3; ++j)
            if (!(std::abs(x.a[j] - y.a[j]) <= 1e-9 * (1 + std::abs(x.a[j])))) return false;
        return true;
    }
};

}  // namespace

TEST_CASE("parts: gravity") {
    auto const rows = make_points<3, double>("uniform", 300, 5);
    auto const mass = [](pos_t i) { return double(1 + i % 10); };
    auto const masses = column_of<Mass<double>>(0, pos_t(rows.size()), mass);
    check_parts<3, double>(rows, [&](auto const& walker, auto const& targets, auto const& sources,
                                     pos_t begin, pos_t end) {
        using Trait = Monopole<3, double>;
        auto const own = column_of<Mass<double>>(begin, end, mass);
        std::vector<Vec<3, double>> acceleration(end - begin);
        Trait trait;
        trait.theta2 = 1e-12;  // leaves of one point, perhaps
        trait.softening2 = 1e-4;
        trait.acceleration = acceleration.data();
        walker(trait, Open<3, double>{}, targets, sources, WalkInputs<Trait>{own.view(), masses.view()});
        std::vector<Pull> pulls;
        for (auto const& a : acceleration) pulls.push_back({a});
        return pulls;
    });
}

TEST_CASE("parts: symmetric traits need one tree, which may be put together") {
    for (auto const* kind : some_kinds) {
        CAPTURE(kind);
        using Trait = PairCounts<3, float, 4>;
        auto const rows = make_points<3, float>(kind, 300, 6);
        auto const count = [](auto const& walker, auto const& tree) {
            Trait trait;
            std::copy_n(std::array{0.f, .01f, .1f, .5f, 1.f}.begin(), 5, trait.edge2);
            typename Trait::Total total;
            WalkInputs<Trait> inputs;
            inputs.total = &total;
            walker(trait, Open<3, float>{}, tree, tree, inputs);
            return std::vector(total.pairs, total.pairs + 4);
        };
        Cpu const one(1);
        auto const expected = one.run([&] {
            return count([&](auto const&... arguments) { walk(one, arguments...); },
                         build_tree(one, view<3>(rows), 3));
        });
        check_everywhere(expected, [&](Cpu const& cpu, TreeOptions const& options, auto const& walker) {
            return count(walker, Parts<3, float>(cpu, rows, options).together);
        });
    }
}
