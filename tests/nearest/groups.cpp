// kNN on every kind of group, by the reference walk, and against brute force: the same bits.
#include "support/brute_knn.hpp"
#include "support/sanitized.hpp"
#include "zwalk/nearest/detail/group_candidates.hpp"
#include "zwalk/nearest/rows.hpp"
#include "zwalk/nearest/trait.hpp"

using namespace test;

namespace {

/// Rows of (distance, index) by input index, one after the other.
template <class T>
using Table = std::vector<std::pair<T, index_t>>;

template <int D, class T>
Table<T> expected_table(Rows<D, T> const& sources, Rows<D, T> const& targets, pos_t k, bool exclude_self,
                        std::vector<double> const& box) {
    Table<T> table;
    auto const z = z_order(view<D>(sources));
    for (std::size_t i = 0; i < targets.size(); ++i) {
        auto const keys = brute_knn(view<D>(sources), z, targets[i].data(), k, box,
                                    exclude_self ? i : std::size_t(-1));
        for (pos_t j = 0; j < k; ++j)
            if (j < keys.size()) table.emplace_back(std::sqrt(keys[j].d2), index_t(z[keys[j].pos]));
            else table.emplace_back(infinity<T>, -1);
    }
    return table;
}

template <class Fold, int D, class T, class Space>
void check_knn(Space const& space, std::vector<double> const& box, Rows<D, T> const& sources,
               Rows<D, T> const* queries, pos_t k, bool exclude_self) {
    auto const& targets = queries ? *queries : sources;
    check_everywhere(expected_table<D, T>(sources, targets, k, exclude_self, box),
                     [&](Cpu const& cpu, TreeOptions const& options, auto const& walker) {
                         std::vector<Points<T>> roles{view<D>(sources)};
                         if (queries) roles.push_back(view<D>(*queries));
                         auto const trees =
                             build_joint<T>(cpu, std::span<Points<T> const>(roles), D, options);
                         std::vector<index_t> indices(targets.size() * k);
                         std::vector<T> distances(targets.size() * k);
                         using Trait = Nearest<D, T, NearestRows<T>, Fold>;
                         Trait trait(k, {k, indices.data(), distances.data(), trees.back().input.data(),
                                         trees.front().input.data()});
                         trait.exclude_self = exclude_self;
                         walker(trait, space, trees.back(), trees.front(), WalkInputs<Trait>{});
                         Table<T> table;
                         for (std::size_t i = 0; i < indices.size(); ++i)
                             table.emplace_back(distances[i], indices[i]);
                         return table;
                     });
}

}  // namespace

TEST_CASE("kNN on every group: open space, every kind of points") {
    for (auto const& kind : some(kinds(), 2)) {
        auto const rows = make_points<3, float>(kind, 250, 1);
        auto const queries = make_points<3, float>("uniform", 90, 2);
        for (pos_t k : {1, 9, 40}) {
            CAPTURE(kind);
            CAPTURE(k);
            check_knn<Collector<float>, 3, float>(Open<3, float>{}, {}, rows, nullptr, k, k == 9);
            check_knn<Collector<float>, 3, float>(Open<3, float>{}, {}, rows, &queries, k, false);
        }
    }
}

TEST_CASE("kNN on every group: double, periodic on one axis, k beyond the sorted lists") {
    auto const rows = make_points<2, double>("uniform", 300, 3);
    Periodic<2, double> const space{{1, infinity<double>}};
    for (pos_t k : {5, 60, 200, 300}) {
        CAPTURE(k);
        check_knn<Collector<double>, 2, double>(space, {1, 0}, rows, nullptr, k, false);
        check_knn<Candidates<double>, 2, double>(space, {1, 0}, rows, nullptr, k, false);
    }
    auto const floats = make_points<3, float>("clustered", 300, 4);
    for (pos_t k : {33, 128, 129, 256})  // shared by a group on devices only
        check_knn<GroupCandidates<float, 256>, 3, float>(Open<3, float>{}, {}, floats, nullptr, k, true);
}
