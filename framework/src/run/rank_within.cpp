#include "zwalk/run/rank_within.hpp"

#include <utility>

#include "compiled_dims.hpp"
#include "zwalk/run/dims.hpp"

namespace zwalk::inline v0::detail {
namespace {

/// What a walk does with nodes that are within the radius as a whole, and whom it meets.
enum class By { points, nodes, pairs };

/// Asks for sources within a radius; only imported for, never walked.
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

template <By by, class T>
CountedWithin<T> import_by(RankPoints<T>& points, RankPoints<T>& sources, T radius) {
    return with_dim<CountedWithin<T>>(CpuDims{}, points.dim(), [&]<int D>() -> CountedWithin<T> {
        Within<D, T, by> trait;
        trait.radius2 = radius * radius;
        auto all = points.import_from(sources, trait, {}, {});
        auto known = std::move(all.known);
        return {std::move(all), std::move(known)};
    });
}

}  // namespace

template <class T>
ImportedPoints<T> import_within(RankPoints<T>& points, RankPoints<T>& sources, T radius) {
    return import_by<By::points>(points, sources, radius);
}
template <class T>
CountedWithin<T> import_counted_within(RankPoints<T>& points, RankPoints<T>& sources, T radius) {
    return import_by<By::nodes>(points, sources, radius);
}

template <class T>
ImportedPoints<T> import_pairs_within(RankPoints<T>& points, T radius) {
    return import_by<By::pairs>(points, points, radius);
}

template ImportedPoints<float> import_within(RankPoints<float>&, RankPoints<float>&, float);
template ImportedPoints<double> import_within(RankPoints<double>&, RankPoints<double>&, double);
template CountedWithin<float> import_counted_within(RankPoints<float>&, RankPoints<float>&, float);
template CountedWithin<double> import_counted_within(RankPoints<double>&, RankPoints<double>&, double);
template ImportedPoints<float> import_pairs_within(RankPoints<float>&, float);
template ImportedPoints<double> import_pairs_within(RankPoints<double>&, double);

}  // namespace zwalk::inline v0::detail
