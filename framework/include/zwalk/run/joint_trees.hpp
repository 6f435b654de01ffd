// Trees of several sets of points that are walked against each other: gas, stars and dark matter; data and randoms.
//
//   auto const [gas, stars] = zwalk::make_joint_trees<3>(place, {.box = 100}, gas_rows, star_rows);
//   stars.walk_against(gas, trait, stars.payload(ages), gas.payload(masses));
//   gas.walk(other_trait);
//
// On threads one hierarchy is built over all points and seen by each set (paper section II-E), so that nodes of different sets
// are alike in size wherever they meet. On devices and on MPI ranks the largest set has a tree of its own, and those of the
// others are cut to fit it (tree/targets.hpp), as with PointTree::targets(): results are the same.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "zwalk/core/error.hpp"
#include "zwalk/core/points.hpp"
#include "zwalk/run/point_tree.hpp"
#include "zwalk/tree/joint.hpp"

namespace zwalk { inline namespace v0 {
namespace detail {

/// Makes the trees of N sets of points of at most D columns.
template <int D, class T, class P, std::size_t N>
class JointTrees {
    using Sets = std::array<Points<T>, N>;
    using Tree = PointTree<D, T, P>;

  public:
    static std::array<Tree, N> make(P& place, Sets const& sets, PointTreeOptions const& options) {
        for (std::size_t i = 1; i < N; ++i) check_columns_of_set(i + 1, sets[i].dim, sets[0].dim);
        if constexpr (std::is_same_v<PlaceOf<P>, Cpu>) return over_one_hierarchy(place, sets, options);
        else return around_the_largest(place, sets, options);
    }

  private:
    static std::array<Tree, N> over_one_hierarchy(P& place, Sets const& sets,
                                                  PointTreeOptions const& options) {
        Cpu& cpu = place;
        check_most_columns(sets[0].dim, D);
        std::array<Brought<T, Cpu>, N> brought;
        Extent<T> extent(options.box.empty() ? 0 : sets[0].dim);
        T largest = 0;
        for (std::size_t i = 0; i < N; ++i) {
            auto const name = "points of set " + std::to_string(i + 1);
            brought[i] = Preparation<T, Cpu>::bring(cpu, sets[i], name.c_str(), !options.box.empty());
            if (!brought[i].extent.lo.empty()) extent.add(brought[i].extent);
            largest = std::max(largest, brought[i].largest);
        }
        check_plain_range(largest, "points");
        auto const period = checked_period(options.box, extent);
        auto trees = build_joint<T>(cpu, sets, D, options.tree);
        return each([&](std::size_t i) {
            return Tree(PointSet<D, T, P>(place, std::make_shared<PreparedPoints<T, Cpu> const>(
                                                     PreparedPoints<T, Cpu>{std::move(trees[i]),
                                                                            sets[i].dim,
                                                                            period,
                                                                            std::move(brought[i].extent),
                                                                            options.tree,
                                                                            {},
                                                                            largest})));
        });
    }
    static std::array<Tree, N> around_the_largest(P& place, Sets const& sets,
                                                  PointTreeOptions const& options) {
        std::array<std::uint64_t, N> size;
        for (std::size_t i = 0; i < N; ++i) {
            size[i] = sets[i].size;
            if constexpr (requires { place.comm(); })
                size[i] = place.comm().reduce_all(size[i], [](auto a, auto b) { return a + b; });
        }
        auto const largest = std::size_t(std::max_element(size.begin(), size.end()) - size.begin());
        Tree const first = make_tree<D>(place, sets[largest], options);
        return each([&](std::size_t i) { return i == largest ? first : first.targets(sets[i]); });
    }
    template <class F>
    static std::array<Tree, N> each(F const& f) {
        return [&]<std::size_t... i>(std::index_sequence<i...>) { return std::array<Tree, N>{f(i)...}; }
        (std::make_index_sequence<N>());
    }
};

}  // namespace detail

/// Trees of two or more sets of points, each to be walked by itself and against any other. On MPI ranks each rank passes its own
/// rows of each set. The result is a std::array of PointTree, in the order of the sets.
///
/// O(N log N) for N points in all. Memory: as make_tree() of all points, and on threads 5 bytes for each point and set while the
/// sets are parted.
/// @param options  the box holds all sets
/// @throws InputError  as make_tree(), for any of the sets; sets with different numbers of columns
template <int D, class P, class First, class... More>
requires(sizeof...(More) > 0 && PointRows<First> && (PointRows<More> && ...))
    [[nodiscard]] auto make_joint_trees(P& place, PointTreeOptions const& options, First const& first,
                                        More const&... more) {
    using T = RealOf<First>;
    constexpr bool is_one_type = (std::is_same_v<RealOf<More>, T> && ...);
    static_assert(is_one_type, "zwalk: the sets of joint trees are all of float, or all of double");
    if constexpr (is_one_type)
        return detail::JointTrees<D, T, P, 1 + sizeof...(More)>::make(
            place, {Points<T>(Points(first)), Points<T>(Points(more))...}, options);
}

}}  // namespace zwalk::v0
