// Who looks into a node of an image, on threads and in kernels: the opening criterion (multipole acceptance criterion) of gravity's
// trait, by what it needs of nodes.
#pragma once
#include "zwalk/core/space.hpp"
#include "zwalk/gravity/trait.hpp"
#include "zwalk/walk/bounds.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// What decisions need of a node.
template <class T>
struct NodeInSight {
    Vec<3, T> lo, hi;  ///< its box
    T size2;           ///< Multipole::size2

    NodeInSight() = default;
    template <int order>
    ZWALK_HD explicit NodeInSight(Multipole<order, T> const& m) : lo(m.lo), hi(m.hi), size2(m.size2) {}
    /// The same node of an image.
    [[nodiscard]] ZWALK_HD NodeInSight moved(Vec<3, double> const& shift) const {
        NodeInSight there = *this;
        ZWALK_AXES_LOOP
        for (int j = 0; j < 3; ++j) {
            there.lo[j] += T(shift[j]);
            there.hi[j] += T(shift[j]);
        }
        return there;
    }
    [[nodiscard]] ZWALK_HD Range<T> range_to(NodeInSight const& other) const {
        Range<T> range{0, 0};
        ZWALK_AXES_LOOP
        for (int j = 0; j < 3; ++j)
            add_axis(Open<3, T>(), j, lo[j], hi[j], other.lo[j], other.hi[j], range);
        return range;
    }
};

/// Whether targets descend into sources. Decisions don't depend on the order of expansions, so they are those of order 1.
template <class T>
class Sight {
    using I = Gravity<1, T>;

  public:
    template <int order>
    explicit Sight(Gravity<order, T> const& trait)
        : trait_{{}, trait.opening2, trait.softening2, trait.per_unit, nullptr, nullptr} {}

    [[nodiscard]] ZWALK_HD bool descends(NodeInSight<T> const& target,
                                         NodeInSight<T> const& source) const {
        return trait_.decide(node(target), node(source), target.range_to(source)) == Decision::descend;
    }

  private:
    static ZWALK_HD typename I::Node node(NodeInSight<T> const& n) {
        typename I::Node node;
        node.diag2 = n.range_to(n).hi2;
        node.summary.size2 = n.size2;
        return node;
    }

    I trait_;
};

}}}  // namespace zwalk::v0::detail
