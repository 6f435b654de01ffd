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

TEST_CASE("parts: nearest brighter") {
    for (auto const* kind : some_kinds) {
        CAPTURE(kind);
        auto const rows = make_points<3, float>(kind, 300, 1);
        auto const light = [](pos_t i) { return float(i * 7919 % 101); };
        auto const stars = column_of<Star>(0, pos_t(rows.size()), light);
        check_parts<3, float>(rows, [&](auto const& walker, auto const& tree, TargetNodes targets,
                                        pos_t begin, pos_t end) {
            std::vector<pos_t> brighter(end - begin);
            NearestBrighter trait;
            trait.brighter = brighter.data();
            WalkInputs<NearestBrighter> inputs{stars.view(), stars.view()};
            inputs.targets = targets;
            walker(trait, Open<3, float>{}, tree, tree, inputs);
            return brighter;
        });
    }
}

TEST_CASE("parts: sources within a radius, counted and listed") {
    for (auto const* kind : some_kinds) {
        CAPTURE(kind);
        auto const rows = make_points<3, float>(kind, 250, 2);
        check_parts<3, float>(rows, [&](auto const& walker, auto const& tree, TargetNodes targets,
                                        pos_t begin, pos_t end) {
            Open<3, float> const space;
            std::vector<size_type> count(end - begin), offset(end - begin + 1);
            RadiusCount<3, float> counts;
            counts.radius2 = .03f;
            counts.count = count.data();
            WalkInputs<RadiusCount<3, float>> counting;
            counting.targets = targets;
            walker(counts, space, tree, tree, counting);
            std::partial_sum(count.begin(), count.end(), offset.begin() + 1);
            std::vector<pos_t> listed(offset.back());
            RadiusLists<3, float> lists;
            lists.radius2 = counts.radius2;
            lists.offset = offset.data();
            lists.source = listed.data();
            WalkInputs<RadiusLists<3, float>> listing;
            listing.targets = targets;
            walker(lists, space, tree, tree, listing);
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
    check_parts<3, double>(
        rows, [&](auto const& walker, auto const& tree, TargetNodes targets, pos_t begin, pos_t end) {
            using Trait = Monopole<3, double>;
            std::vector<Vec<3, double>> acceleration(end - begin);
            Trait trait;
            trait.theta2 = 1e-12;  // leaves of one point, perhaps
            trait.softening2 = 1e-4;
            trait.acceleration = acceleration.data();
            WalkInputs<Trait> inputs{masses.view(), masses.view()};
            inputs.targets = targets;
            walker(trait, Open<3, double>{}, tree, tree, inputs);
            std::vector<Pull> pulls;
            for (auto const& a : acceleration) pulls.push_back({a});
            return pulls;
        });
}

TEST_CASE("parts: symmetric traits, whose pairs are met by the lower point") {
    for (auto const* kind : some_kinds) {
        CAPTURE(kind);
        using Trait = PairCounts<3, float, 4>;
        auto const rows = make_points<3, float>(kind, 300, 6);
        auto const count = [](auto const& walker, auto const& tree,
                              std::vector<TargetNodes> const& parts) {
            std::vector<std::uint64_t> sum(4);
            for (TargetNodes const& targets : parts) {
                Trait trait;
                std::copy_n(std::array{0.f, .01f, .1f, .5f, 1.f}.begin(), 5, trait.edge2);
                typename Trait::Total total;
                WalkInputs<Trait> inputs;
                inputs.total = &total;
                inputs.targets = targets;
                walker(trait, Open<3, float>{}, tree, tree, inputs);
                for (std::size_t i = 0; i < 4; ++i) sum[i] += total.pairs[i];
            }
            return sum;
        };
        Cpu const one(1);
        auto const expected = one.run([&] {
            return count([&](auto const&... arguments) { walk(one, arguments...); },
                         build_tree(one, view<3>(rows), 3), {{}});
        });
        check_everywhere(expected, [&](Cpu const& cpu, TreeOptions const& options, auto const& walker) {
            Parts<3, float> const parts(cpu, rows, options);
            return count(walker, parts.together, parts.targets);
        });
    }
}
