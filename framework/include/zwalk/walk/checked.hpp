// A walk that looks for mistakes of a trait's author while it goes on: for tests, and for the first runs of a new trait.
//
//   zwalk::Checked<zwalk::Cpu> place;                  // instead of zwalk::Cpu; or Checked<HostDevice<true>>
//   auto const tree = zwalk::make_tree<3>(place, points);
//   tree.walk(trait);                                  // InputError, with a sentence, at the first mistake
//
// The results are those of the place itself. The checks are:
//
//   before the walk  a place that is still there, trees of the trait's dimension, coordinates finite and inside the box, a box
//                    without axes of length 0, payload, total and links that are there, links that are groups, one tree where only one may be
//   in the walk      links to points that there aren't, own bounds (metric) that are no range or wider than those of the
//                    parents, a reach or a horizon that is NaN; decisions that would be wrong on MPI ranks, since they compare
//                    positions or take the reach for an answer; and as in any walk, an accept that nothing takes
//
// Walks on MPI ranks aren't checked. A pointer holds no size of the memory behind it: PointTree::payload() has the sizes
// of payloads, and writes behind the end of an output are for the address sanitizer to find.
#pragma once
#include <algorithm>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>

#include "zwalk/exec/cpu.hpp"
#include "zwalk/tree/copy_tree.hpp"
#include "zwalk/walk/asked_again.hpp"
#include "zwalk/walk/bounds.hpp"
#include "zwalk/walk/check.hpp"
#include "zwalk/walk/detail/decided.hpp"
#include "zwalk/walk/inputs.hpp"
#include "zwalk/walk/lists.hpp"
#include "zwalk/walk/summaries.hpp"
#include "zwalk/walk/walk.hpp"

namespace zwalk { inline namespace v0 {

template <bool>
class HostDevice;

namespace detail {

[[noreturn]] void refuse_range(double lo2, double hi2, NodePoints target, NodePoints source);
[[noreturn]] void refuse_wider(char const* bound, double own, double above, NodePoints target,
                               NodePoints source);
[[noreturn]] void refuse_nan(char const* hook);
[[noreturn]] void refuse_decision(char const* what, NodePoints target, NodePoints source);
[[noreturn]] void refuse_link(pos_t a, pos_t b, pos_t size);
[[noreturn]] void refuse_two_trees();
[[noreturn]] void refuse_no_total();
[[noreturn]] void refuse_no_links();
[[noreturn]] void refuse_payload(char const* whose, std::size_t column);
void check_dimension(int columns, int dim, char const* whose);
void check_links(pos_t const* links, pos_t size, bool grouped);
/// @param box  the period of each axis, +infinity for open ones; null: all are open
template <class T>
void check_places(Tree<T, Cpu> const& targets, Tree<T, Cpu> const& sources, T const* box);

/// The inputs of a walk of I, for a trait that wraps I. (A field that is new there doesn't compile here.)
template <class Wrapped, class I>
WalkInputs<Wrapped> inputs_for(WalkInputs<I> const& inputs) {
    auto const& [own, of_sources, links, grouped, total, after_chunk, chunk_points, targets, known] =
        inputs;
    return {own, of_sources, links, grouped, total, after_chunk, chunk_points, targets, known};
}

/// One tree of a walk, with what nodes above a node look like.
template <class I, class Space>
class NodesAbove {
    using T = typename I::real;
    using Node = typename I::Node;

  public:
    /// @param shift  the shift of the positions that nodes have
    NodesAbove(I const& trait, Space const& space, Tree<T, Cpu> const& tree,
               ColumnsView<typename I::Payload> const& payload, pos_t shift = 0)
        : space_(space), tree_(tree), shift_(shift) {
        if constexpr (I::uses.summary) summary_ = summarize(trait, tree, payload);
    }
    struct NodeId {
        std::size_t plane;
        pos_t index;
    };
    /// The coarsest node with just these points.
    [[nodiscard]] NodeId find(Node const& n) const {
        pos_t const begin = n.first - shift_;
        for (std::size_t p = tree_.planes.size(); p-- > 0;) {
            auto const& first = tree_.planes[p].first;
            auto const at = std::lower_bound(first.begin(), first.end(), begin);
            auto const i = std::size_t(at - first.begin());
            if (i + 1 < first.size() && *at == begin && first[i + 1] == begin + n.count)
                return {p, pos_t(i)};
        }
        return {tree_.planes.size(), 0};
    }
    /// The node above, or the node itself where there is none.
    [[nodiscard]] NodeId above(NodeId n) const {
        if (n.plane + 1 >= tree_.planes.size()) return n;
        auto const& child = tree_.planes[n.plane + 1].child;
        auto const next = std::upper_bound(child.begin(), child.end(), n.index);
        return {n.plane + 1, pos_t(next - child.begin()) - 1};
    }
    [[nodiscard]] bool has(NodeId n) const { return n.plane < tree_.planes.size(); }
    [[nodiscard]] PlaneView<I::dim, T> plane(NodeId n) const {
        return tree_.template plane<I::dim>(n.plane);
    }
    [[nodiscard]] Node view(NodeId n) const {
        return node_view<I>(space_, plane(n), of_plane<I>(summary_, n.plane), n.index);
    }
    [[nodiscard]] pos_t size() const { return tree_.size(); }

  private:
    Space const& space_;
    Tree<T, Cpu> const& tree_;
    pos_t shift_;
    Summaries<I> summary_;
};

/// A sink that refuses links to points that there aren't.
template <class Sink>
struct CheckedSink {
    Sink& sink;
    pos_t size;

    void link(pos_t a, pos_t b) {
        if (a >= size || b >= size) refuse_link(a, b, size);
        sink.link(a, b);
    }
    auto& total() { return sink.total(); }
};

/// The trait I, whose hooks look at what they are given and at what they return.
template <class I, class Space>
struct CheckedTrait : I {
    using typename I::Node, typename I::Point;
    using T = typename I::real;
    using Unchecked = I;

    Space const* space;
    NodesAbove<I, Space> const *targets, *sources;

    Decision decide(Node const& t, Node const& s, Range<T> d) const {
        Decision const own = I::decide(t, s, d);
        if (auto const* what = depends_on<I>(*this, t, s, d, own))
            refuse_decision(what, points_of(t), points_of(s));
        return own;
    }
    Range<T> metric(Node const& t, Node const& s, Range<T> d) const requires(I::uses.metric) {
        Range<T> const own = I::metric(t, s, d);
        if (!(own.lo2 <= own.hi2)) refuse_range(own.lo2, own.hi2, points_of(t), points_of(s));
        // The states of the nodes above aren't known here.
        if constexpr (!I::uses.state) check_above(t, s, own);
        return own;
    }
    Key<T> reach_end(auto const& fold, Node const& t) const requires(bool(I::uses.reach)) {
        return checked(I::reach_end(fold, t), "reach_end");
    }
    Key<T> horizon(auto const& fold) const requires(bool(I::uses.ordered)) {
        return checked(I::horizon(fold), "horizon");
    }
    void accept(Node const& t, Node const& s, Range<T> d, auto& sink) const
        requires(accepts_into_sink<I>) {
        CheckedSink<std::remove_reference_t<decltype(sink)>> checked{sink, targets->size()};
        I::accept(t, s, d, checked);
    }
    void pair(Point const& p, Point const& q, T d2, auto& sink) const
        requires(bool(I::uses.symmetric) && !I::uses.displacement) {
        CheckedSink<std::remove_reference_t<decltype(sink)>> checked{sink, targets->size()};
        I::pair(p, q, d2, checked);
    }
    void pair(Point const& p, Point const& q, T d2, Vec<I::dim, T> const& dx, auto& sink) const
        requires(bool(I::uses.symmetric) && bool(I::uses.displacement)) {
        CheckedSink<std::remove_reference_t<decltype(sink)>> checked{sink, targets->size()};
        I::pair(p, q, d2, dx, checked);
    }
    template <class V>
    void pair(Point const& p, auto const& q, V d2, auto&&... rest) const
        requires(bool(I::uses.symmetric) && bool(I::uses.lanes)) {
        I::template pair<V>(p, q, d2, rest...);  // links don't go with lanes
    }

  private:
    static NodePoints points_of(Node const& n) { return {n.first, n.count}; }
    static Key<T> checked(Key<T> key, char const* hook) {
        if (key.d2 != key.d2) refuse_nan(hook);
        return key;
    }
    void check_above(Node const& t, Node const& s, Range<T> own) const {
        auto const target = targets->find(t), source = sources->find(s);
        if (!targets->has(target) || !sources->has(source)) return;
        auto const above = targets->above(target), source_above = sources->above(source);
        Range<T> const range = node_range(*space, targets->plane(above), above.index,
                                          sources->plane(source_above), source_above.index);
        Range<T> const wide = I::metric(targets->view(above), sources->view(source_above), range);
        if (!(own.lo2 >= wide.lo2)) refuse_wider("lo2", own.lo2, wide.lo2, points_of(t), points_of(s));
        if (!(own.hi2 <= wide.hi2)) refuse_wider("hi2", own.hi2, wide.hi2, points_of(t), points_of(s));
    }
};

template <class A>
void check_payload(ColumnsView<A> const& payload, char const* whose) {
    std::size_t needed = field_count<A>();
    if constexpr (requires { A::required_columns; }) needed = std::min(needed, A::required_columns);
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        ((I < needed && !payload.template column<I>() ? refuse_payload(whose, I) : void()), ...);
    }
    (FieldSequence<A>{});
}

/// Throws InputError for inputs that a walk of this trait can't go on with.
template <class I, class Space>
void check_walk_inputs(Space const& space, Tree<typename I::real, Cpu> const& targets,
                       Tree<typename I::real, Cpu> const& sources, bool one_tree,
                       WalkInputs<I> const& inputs) {
    if ((I::uses.symmetric || I::uses.links) && !one_tree) refuse_two_trees();
    if (I::uses.total && !inputs.total) refuse_no_total();
    check_dimension(targets.columns, I::dim, "targets");
    check_dimension(sources.columns, I::dim, "sources");
    if (targets.size() > 0) check_payload(inputs.target_payload, "targets");
    if (sources.size() > 0) check_payload(inputs.source_payload, "sources");
    if (I::uses.links && targets.size() > 0) {
        if (!inputs.links) refuse_no_links();
        check_links(inputs.links, targets.size(), inputs.grouped);
    }
    if constexpr (requires { space.box; }) check_places(targets, sources, space.box);
    else check_places(targets, sources, static_cast<typename I::real const*>(nullptr));
}

/// The tree as the host sees it.
template <class T>
Tree<T, Cpu> const& on_host(Cpu const&, Tree<T, Cpu> const& tree) {
    return tree;
}
template <class T, bool checked>
Tree<T, Cpu> on_host(HostDevice<checked>& device, Tree<T, HostDevice<checked>> const& tree) {
    Cpu const cpu(1);
    return copy_tree(cpu, device, tree);
}

/// f(checked trait, its inputs) for a walk whose inputs have been checked.
/// @param shift  of the positions that the trait will see
template <class I, class Space, class F>
auto with_checks(I const& trait, Space const& space, Tree<typename I::real, Cpu> const& targets,
                 Tree<typename I::real, Cpu> const& sources, WalkInputs<I> const& inputs, F const& f,
                 pos_t shift = 0) {
    using Wrapped = CheckedTrait<I, Space>;
    NodesAbove<I, Space> const above_targets(trait, space, targets, inputs.target_payload, shift);
    NodesAbove<I, Space> const above_sources(trait, space, sources, inputs.source_payload, shift);
    return f(Wrapped{{trait}, &space, &above_targets, &above_sources}, inputs_for<Wrapped>(inputs));
}

}  // namespace detail

/// The place P, where walks are checked: the top of this file lists the checks. P is a Cpu or a HostDevice; made from what P is
/// made from. A walk takes some times as long, and about as many bytes more as its trees have. The work of find_nearest() isn't
/// checked.
template <class P>
class Checked : public P {
  public:
    using Home = P;
    using P::P;
    /// Expires with the place: so trees can tell that it is gone.
    [[nodiscard]] std::weak_ptr<void const> life() const { return life_.token; }

  private:
    /// Each copy has a life of its own.
    struct Life {
        std::shared_ptr<void const> token = std::make_shared<char>();
        Life() = default;
        Life(Life const&) : Life() {}
        Life& operator=(Life const&) { return *this; }
    } life_;
};

/// Walks as walk() on P does, with checks.
/// @throws InputError  at a mistake, while the trait's outputs may be half written
template <class P, class I, class Space>
WalkCounts walk(Checked<P>& place, I const& trait, Space const& space,
                Tree<typename I::real, P> const& targets, Tree<typename I::real, P> const& sources,
                WalkInputs<I> const& inputs = {}) {
    if constexpr (!check_interaction<I>()) return {};
    else {
        P& home = place;
        bool const one_tree = &targets == &sources;
        auto const& seen = detail::on_host(home, targets);
        auto const& seen_sources = detail::on_host(home, sources);
        detail::check_walk_inputs<I>(space, seen, seen_sources, one_tree, inputs);
        return detail::with_checks(trait, space, seen, seen_sources, inputs,
                                   [&](auto const& checked, auto const& own) {
                                       return walk(home, checked, space, targets, sources, own);
                                   });
    }
}

}}  // namespace zwalk::v0
