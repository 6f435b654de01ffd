// A trait that uses no more than some of the liberties which the contract gives to a walk: so that it shows which hook it is
// that answers wrongly.
#pragma once
#include <type_traits>

#include "zwalk/walk/hooks.hpp"
#include "zwalk/walk/interaction.hpp"

namespace zwalk { inline namespace v0 { namespace testing {

/// What a walk may leave out on the word of a hook. With nothing all points meet: brute force.
struct Liberties {
    bool whole = false;    ///< whole() links the points of a node
    bool discard = false;  ///< decide() discards pairs
    bool reach = false;    ///< ... by the bound of reach_end()
    bool accept = false;   ///< decide() accepts pairs
    bool horizon = false;  ///< sources behind horizon() are not visited
    bool cutoff = false;   ///< what is further apart than cutoff2() doesn't meet
    bool idle = false;     ///< targets that are idle() don't end
};
inline constexpr Liberties all_liberties{true, true, true, true, true, true, true};

/// A node of one point, as hooks see it.
template <class I>
typename I::Node node_of_point(I const& trait, typename I::Point const& p) {
    typename I::Node n;
    n.index = n.first = p.position;
    n.count = 1;
    if constexpr (I::uses.summary) n.summary = trait.summarize(p);
    return n;
}

/// The trait I in a reference walk that takes some liberties, and these wherever it may.
template <class I>
struct Altered : I {
    using typename I::Node, typename I::Point, typename I::Target;
    using T = typename I::real;

    Liberties may;

    Decision decide(Node const& t, Node const& s, Range<T> d) const {
        if constexpr (zwalk::detail::cuts_off_nodes<I>)
            if (is_cut_off(d.lo2)) return Decision::discard;
        if (!may.discard && !may.accept) return Decision::descend;
        // Unchecked: rules.hpp has looked at single decisions. Here those that are wrong on ranks alone pass.
        Decision const decision = I::Unchecked::decide(t, s, d);
        bool const taken = decision == Decision::discard ? may.discard : may.accept;
        return taken ? decision : Decision::descend;
    }
    Key<T> reach_end(auto const& fold, Node const& t) const requires(bool(I::uses.reach)) {
        return may.reach ? I::reach_end(fold, t) : Key<T>{};
    }
    bool whole(Node const& n) const requires(I::uses.links) { return may.whole && I::whole(n); }

    void visit(auto& fold, Target const& p, Point const& q, T d2) const
        requires(!I::uses.symmetric && !I::uses.displacement) {
        if (!is_left_out(fold, p, q, d2)) I::visit(fold, p, q, d2);
    }
    void visit(auto& fold, Target const& p, Point const& q, T d2, Vec<I::dim, T> const& dx) const
        requires(!I::uses.symmetric && bool(I::uses.displacement)) {
        if (!is_left_out(fold, p, q, d2)) I::visit(fold, p, q, d2, dx);
    }
    template <class V>
    void visit(auto& fold, Target const& p, auto const& q, V d2, auto const&... dx) const
        requires(!I::uses.symmetric && bool(I::uses.lanes)) {
        if constexpr (std::is_same_v<V, T> && I::uses.cutoff)  // in a reference walk V is a number
            if (may.cutoff && d2 > cutoff_of<I>(*this, p)) return;
        I::template visit<V>(fold, p, q, d2, dx...);
    }
    void end(auto& fold, Target const& p, auto&&... sink_and_space) const
        requires(!I::uses.symmetric && requires(I const& i) { i.end(fold, p, sink_and_space...); }) {
        if constexpr (I::uses.idle)
            if (may.idle && I::idle(node_of_point<I>(*this, p))) return;
        I::end(fold, p, sink_and_space...);
    }
    void pair(Point const& p, Point const& q, T d2, auto& sink) const
        requires(bool(I::uses.symmetric) && !I::uses.displacement) {
        if (!is_cut_off(d2)) I::pair(p, q, d2, sink);
    }
    void pair(Point const& p, Point const& q, T d2, Vec<I::dim, T> const& dx, auto& sink) const
        requires(bool(I::uses.symmetric) && bool(I::uses.displacement)) {
        if (!is_cut_off(d2)) I::pair(p, q, d2, dx, sink);
    }
    template <class V>
    void pair(Point const& p, auto const& q, V d2, auto&&... rest) const
        requires(bool(I::uses.symmetric) && bool(I::uses.lanes)) {
        if constexpr (std::is_same_v<V, T>)
            if (is_cut_off(d2)) return;
        I::template pair<V>(p, q, d2, rest...);
    }

  private:
    [[nodiscard]] bool is_cut_off(T d2) const {
        if constexpr (zwalk::detail::cuts_off_nodes<I>) return may.cutoff && d2 > I::cutoff2();
        else return false;
    }
    bool is_left_out(auto const& fold, Target const& p, Point const& q, T d2) const {
        if constexpr (I::uses.cutoff) return may.cutoff && d2 > cutoff_of<I>(*this, p);
        else return is_behind_horizon(fold, p, q, d2);
    }
    bool is_behind_horizon(auto const& fold, Point const& p, Point const& q, T d2) const {
        if constexpr (I::uses.ordered) {
            if (!may.horizon) return false;
            Key<T> key{d2, q.position};
            if constexpr (I::uses.metric)
                key.d2 = I::metric(node_of_point<I>(*this, p), node_of_point<I>(*this, q), {d2, d2}).lo2;
            return I::horizon(fold) < key;
        } else {
            return false;
        }
    }
};

}}}  // namespace zwalk::v0::testing
