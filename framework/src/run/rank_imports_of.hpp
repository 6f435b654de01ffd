// For files that compile the imports of one dimension.
#pragma once
#include <utility>

#include "rank_imports.hpp"
#include "zwalk/core/within.hpp"
#include "zwalk/nearest/no_output.hpp"
#include "zwalk/nearest/trait.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

template <int D, class T>
ImportedPoints<T> ImportForNearest<D, T>::run(RankPoints<T>& points, RankPoints<T>& sources, pos_t k,
                                              bool exclude_self, T limit2) {
    Nearest<D, T, NoOutput> trait(k);
    trait.exclude_self = exclude_self;
    trait.limit2 = limit2;
    return points.import_from(sources, trait, {}, {});
}

/// A trait for sources within a radius; only imported for, never walked.
template <int D, class T, By by>
struct Within : Types<D, T, Empty, Empty, std::conditional_t<by == By::nodes, pos_t, Empty>> {
    using Base = Types<D, T, Empty, Empty, std::conditional_t<by == By::nodes, pos_t, Empty>>;
    using typename Base::Node, typename Base::State;
    static constexpr Uses uses{.state = by == By::nodes, .symmetric = by == By::pairs};

    T radius2;

    State top_state() const { return {}; }
    Decision decide(Node const&, Node const&, Range<T> d) const {
        if (d.lo2 > radius2) return Decision::discard;
        return by == By::nodes && d.hi2 <= radius2 ? Decision::accept : Decision::descend;
    }
};

template <int D, By by, class T>
CountedWithin<T> ImportWithin<D, by, T>::run(RankPoints<T>& points, RankPoints<T>& sources, T radius) {
    Within<D, T, by> trait;
    trait.radius2 = largest_square(radius);
    auto all = points.import_from(sources, trait, {}, {});
    auto known = std::move(all.known);
    return {std::move(all), std::move(known)};
}

#define ZWALK_RANK_IMPORTS(D)                            \
    template struct ImportForNearest<D, float>;          \
    template struct ImportForNearest<D, double>;         \
    template struct ImportWithin<D, By::points, float>;  \
    template struct ImportWithin<D, By::points, double>; \
    template struct ImportWithin<D, By::nodes, float>;   \
    template struct ImportWithin<D, By::nodes, double>;  \
    template struct ImportWithin<D, By::pairs, float>;   \
    template struct ImportWithin<D, By::pairs, double>;

}}}  // namespace zwalk::v0::detail
