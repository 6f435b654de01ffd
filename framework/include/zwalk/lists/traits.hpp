// A list trait as two traits for walks: one counts the sources that a target wants, the other one hands them to a writer.
#pragma once
#include <cstdint>
#include <type_traits>

#include "zwalk/core/bits.hpp"
#include "zwalk/exec/simd.hpp"
#include "zwalk/lists/list_trait.hpp"
#include "zwalk/walk/tuning.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Positions of the points of a node, beside its summary by the list trait.
template <class Own>
struct RangeSummary {
    Own own;
    pos_t first, count;
};

/// What a walk holds for a target that has a cutoff of its own, beside what it holds for any.
template <class Own, class T>
struct FoldWithin {
    Own own;
    T cutoff2;
};
template <class Fold>
ZWALK_INLINE auto& own_of(Fold& fold) {
    if constexpr (requires { fold.own, fold.cutoff2; }) return fold.own;
    else return fold;
}

/// What both have in common. `Summary` is that of L, or a RangeSummary of it.
template <class L, class Summary, class State>
struct ListWalk : Types<L::dim, typename L::real, typename L::Payload, Summary, State> {
    using T = typename L::real;
    using Base = Types<L::dim, T, typename L::Payload, Summary, State>;
    using typename Base::Node, typename Base::Point, typename Base::Target;

    L list;

    explicit ListWalk(L const& asked) : list(asked) {}

    /// The list trait's own view of a node.
    static ZWALK_HD typename L::Node own(Node const& n) {
        typename L::Node view;
        view.index = n.index;
        view.first = n.first;
        view.count = n.count;
        view.diag2 = n.diag2;
        if constexpr (std::is_same_v<Summary, typename L::Summary>) view.summary = n.summary;
        else view.summary = n.summary.own;
        return view;
    }
    ZWALK_HD Decision ask(Node const& t, Node const& s, Range<T> d) const {
        return list.decide(own(t), own(s), d);
    }
    /// With a cutoff walks are ordered, though nothing ever comes nearer: the horizon is what keeps sources that are too
    /// far from visit(), by lanes.
    // bool(): nvcc 13.5 takes no member of a constant object by itself for what a member template requires.
    template <class Fold>
    ZWALK_HD Key<T> horizon([[maybe_unused]] Fold const& fold) const requires(bool(L::uses.cutoff)) {
        if constexpr (HasCutoffs<L>) return {fold.cutoff2, no_pos};
        else return {list.cutoff2(), no_pos};
    }
    /// Shows a target those of a block of sources that limits2() lets by.
    template <Isa isa, class Walk, class Fold, class Block>
    ZWALK_INLINE void visit_within_limits(Walk const& walk, Fold& f, Target const& p,
                                          Block const& block) const {
        constexpr pos_t W = simd_width<T>;
        for (pos_t c = 0; c < block.count; c += W) {
            alignas(64) T d2[W], limit2[W] = {};
            block.distances(c, d2);
            bool const each =
                list.limits2(p, block.payload, block.first + c, min_of(W, block.count - c), limit2);
            std::uint32_t near = block.lanes(c);
            near &= each ? Simd<isa>::at_most(d2, limit2) : Simd<isa>::at_most(d2, f.cutoff2);
            for (; near != 0; near &= near - 1) {
                int const l = trailing_zeros(near);
                pos_t const i = block.first + c + pos_t(l);
                walk.visit(f, p, Point{block.sources.point(i), i, block.payload[i]}, d2[l]);
            }
        }
    }
    template <class Own>
    using FoldOf = std::conditional_t<HasCutoffs<L>, FoldWithin<Own, typename L::real>, Own>;
};

/// How many sources each target wants. Those of a node that is accepted are counted once, for all targets of a node.
template <class L>
struct CountListed : ListWalk<L, typename L::Summary, pos_t> {
    using Base = ListWalk<L, typename L::Summary, pos_t>;
    using typename Base::T, typename Base::Node, typename Base::Point, typename Base::Target;
    static constexpr Uses uses{.ordered = L::uses.cutoff, .state = true, .summary = L::uses.summary};
    static constexpr Tuning tuning{.blocks = L::uses.limits};

    pos_t* count;  ///< of each target, by its index

    CountListed(L const& asked, pos_t* counts) : Base(asked), count(counts) {}

    ZWALK_HD Decision decide(Node const& t, Node const& s, Range<T> d) const {
        return this->ask(t, s, d);
    }
    ZWALK_HD auto summarize(Point const& p) const requires(L::uses.summary) {
        return this->list.summarize(p);
    }
    ZWALK_HD auto merge(typename L::Summary const& a, typename L::Summary const& b) const
        requires(L::uses.summary) {
        return this->list.merge(a, b);
    }
    ZWALK_HD pos_t top_state() const { return 0; }
    ZWALK_HD pos_t inherit(pos_t n, Node const&, Node const&) const { return n; }
    ZWALK_HD void absorb(pos_t& n, Node const&, Node const& s, Range<T>) const { n += s.count; }

    using Fold = typename Base::template FoldOf<pos_t>;
    ZWALK_HD Fold begin([[maybe_unused]] Target const& p, pos_t n) const {
        if constexpr (HasCutoffs<L>) return {n, this->list.cutoff2(p)};
        else return n;
    }
    ZWALK_HD void visit(Fold& n, Target const& p, Point const& q, T d2) const {
        own_of(n) += pos_t(this->list.wanted(p, q, d2));
    }
    template <Isa isa, class Block>
    ZWALK_INLINE void visit_block(Fold& n, Target const& p, Block const& block) const
        requires(bool(L::uses.limits)) {
        this->template visit_within_limits<isa>(*this, n, p, block);
    }
    ZWALK_HD void end(Fold const& n, Target const& p) const { count[p.index] = own_of(n); }
};

/// Hands all sources that targets want to a writer. A Writer is a trivially copyable struct with
///   takes_nodes                 whether it can take the sources of an accepted node without their distances
///   Fold, Fold begin(index)     what it holds for a target
///   void add(Fold&, Key)        a source: squared distance, position
///   void add(Fold&, first, n)   if takes_nodes: sources at positions from `first` on
///   void end(Fold&, index)
template <class L, class Writer>
struct FillListed : ListWalk<L,
                             std::conditional_t<Writer::takes_nodes, RangeSummary<typename L::Summary>,
                                                typename L::Summary>,
                             Empty> {
    static constexpr bool takes_nodes = Writer::takes_nodes;
    using Summary =
        std::conditional_t<takes_nodes, RangeSummary<typename L::Summary>, typename L::Summary>;
    using Base = ListWalk<L, Summary, Empty>;
    using typename Base::T, typename Base::Node, typename Base::Point, typename Base::Target;
    static constexpr Uses uses{
        .ordered = L::uses.cutoff, .summary = takes_nodes || L::uses.summary, .far = takes_nodes};
    static constexpr Tuning tuning{.blocks = L::uses.limits};

    Writer writer;

    FillListed(L const& asked, Writer const& to) : Base(asked), writer(to) {}

    ZWALK_HD Decision decide(Node const& t, Node const& s, Range<T> d) const {
        Decision const made = this->ask(t, s, d);
        return made == Decision::accept && !takes_nodes ? Decision::descend : made;
    }
    ZWALK_HD Summary summarize(Point const& p) const requires(takes_nodes || L::uses.summary) {
        if constexpr (!takes_nodes) return this->list.summarize(p);
        else if constexpr (L::uses.summary) return {this->list.summarize(p), p.position, 1};
        else return {{}, p.position, 1};
    }
    /// Summaries are merged in z-order, so the points of both follow each other.
    ZWALK_HD Summary merge(Summary const& a, Summary const& b) const
        requires(takes_nodes || L::uses.summary) {
        if constexpr (!takes_nodes) return this->list.merge(a, b);
        else if constexpr (L::uses.summary)
            return {this->list.merge(a.own, b.own), a.first, a.count + b.count};
        else return {{}, a.first, a.count + b.count};
    }

    using Fold = typename Base::template FoldOf<typename Writer::Fold>;
    ZWALK_HD Fold begin(Target const& p, Empty) const {
        if constexpr (HasCutoffs<L>) return {writer.begin(p.index), this->list.cutoff2(p)};
        else return writer.begin(p.index);
    }
    ZWALK_HD void visit(Fold& f, Target const& p, Point const& q, T d2) const {
        if (this->list.wanted(p, q, d2)) writer.add(own_of(f), Key<T>{d2, q.position});
    }
    template <Isa isa, class Block>
    ZWALK_INLINE void visit_block(Fold& f, Target const& p, Block const& block) const
        requires(bool(L::uses.limits)) {
        this->template visit_within_limits<isa>(*this, f, p, block);
    }
    template <class Space>
    ZWALK_HD void far(Fold& f, Target const&, Summary const& s,
                      Space const&) const requires takes_nodes {
        writer.add(own_of(f), s.first, s.count);
    }
    ZWALK_HD void end(Fold& f, Target const& p) const { writer.end(own_of(f), p.index); }
};

}}}  // namespace zwalk::v0::detail
