// A walk written down, to be looked at: a table, and a page for a browser.
//
//   zwalk::Tracing place;                                          // instead of zwalk::Cpu
//   auto const tree = zwalk::make_tree<2>(place, points, {.tree = zwalk::tree_to_look_at(points.size())});
//   tree.walk(trait);                                              // any trait, and nothing else to write
//   std::cout << place.trace().table_text();
//   zwalk::write_page("walk.html", place.trace(), {.title = "my trait"});
//
// A trait may have two hooks for pages only. They run on the host, and no check asks for them:
//   `char const* reason(Node t, Node s, Bounds range, Decision) const`  why it decided so
//   `std::string describe(Node n) const`  what its summary and state hold, in words
#pragma once
#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "zwalk/core/error.hpp"
#include "zwalk/exec/cpu.hpp"
#include "zwalk/walk/check.hpp"
#include "zwalk/walk/lists.hpp"
#include "zwalk/walk/reference.hpp"

namespace zwalk { inline namespace v0 {

/// Options that make the tree of few points deep enough to see something: some hundred leaves, a handful of planes. (With
/// those for speed 200 points are one plane of few leaves.) They don't change what a walk finds.
TreeOptions tree_to_look_at(std::size_t points);

/// What was decided on one plane: pairs of nodes, and of the points in them.
struct PlaneCounts {
    struct Pairs {
        std::uint64_t nodes = 0, points = 0;
    };
    int plane = 0;
    pos_t targets = 0;                 ///< nodes there
    std::array<Pairs, 3> decisions{};  ///< by Decision

    [[nodiscard]] Pairs const& of(Decision d) const { return decisions[std::size_t(d)]; }
};

/// Everything that one walk decided.
///
/// Each pair of points is accounted for once: it was in a pair of nodes that was discarded, in one that was accepted, or it met.
class Trace {
  public:
    struct Plane {
        std::vector<pos_t> first;    ///< nodes + 1 offsets into the points
        std::vector<double> lo, hi;  ///< boxes, `dim` numbers for each node
        [[nodiscard]] pos_t nodes() const { return pos_t(first.size() - 1); }
        [[nodiscard]] std::uint64_t count(pos_t i) const { return first[i + 1] - first[i]; }
    };
    /// The points of a tree in z-order, and its planes, the leaves first.
    struct Side {
        std::vector<double> x;     ///< `dim` numbers for each point
        std::vector<pos_t> input;  ///< row of each point
        std::vector<Plane> planes;
    };
    struct Pair {
        WalkPlanes planes;
        pos_t target, source;
        double lo2, hi2, reach;  ///< squared; reach: infinite where the trait has none
        Decision decision;
        std::uint16_t reason;           ///< index into `reasons`
        std::uint32_t target_text = 0;  ///< index into `texts`, where these aren't empty
        std::uint32_t source_text = 0;
    };

    int dim = 0;
    bool symmetric = false;   ///< each unordered pair is met once
    bool one_tree = false;    ///< the sources are the targets, and not written down again
    std::vector<double> box;  ///< period of each axis, 0: open
    Side targets, sources;
    std::vector<Pair> pairs;       ///< in the order of the walk: plane by plane, the coarsest first
    std::uint64_t met = 0;         ///< pairs of points that met
    std::vector<double> horizons;  ///< targets' ones in the end, squared (uses.ordered), else empty
    std::vector<std::string> reasons;
    std::vector<std::string> texts;  ///< of describe(), each once; empty: the trait has none

    [[nodiscard]] Side const& source_side() const { return one_tree ? targets : sources; }
    /// All pairs of points that a double loop meets: N M, or N (N - 1) / 2 unordered ones.
    [[nodiscard]] std::uint64_t all_pairs() const;
    /// Pairs of points in a pair of nodes.
    [[nodiscard]] std::uint64_t points_of(Pair const& pair) const;
    /// What was decided on each plane, the coarsest first. O(pairs).
    [[nodiscard]] std::vector<PlaneCounts> table() const;
    /// The table as text for people: a line for each plane, and one for the points that met.
    [[nodiscard]] std::string table_text() const;
};

/// The texts and the limits of a page.
struct PageOptions {
    std::string title = "A walk";
    std::string about{};             ///< a sentence or two: what is looked for
    double radius = 0;               ///< if > 0: drawn around the points of the target
    std::size_t most_points = 5000;  ///< for targets and sources each; a browser takes no more
    std::size_t most_pairs = 400000;
};

/// The counts that the walk returns on other places. O(pairs).
WalkCounts counts_of(Trace const& trace);

/// The trace as a page of HTML that needs nothing else: no network, no other file.
/// @throws InputError  no points; not two or three dimensions; more points, or pairs of nodes, than the options allow
std::string page(Trace const& trace, PageOptions const& options = {});
/// Writes the page of page() into a file.
/// @throws InputError  as page()
/// @throws Error       the file can't be written
void write_page(std::filesystem::path const& file, Trace const& trace, PageOptions const& options = {});

namespace detail {

template <int D, class T>
Trace::Side traced_side(Tree<T, Cpu> const& tree) {
    Trace::Side side;
    auto const points = tree.template points<D>();
    for (pos_t i = 0; i < tree.size(); ++i) {
        auto const x = points.point(i);
        for (int j = 0; j < D; ++j) side.x.push_back(double(x[j]));
    }
    side.input.assign(tree.input.begin(), tree.input.end());
    for (std::size_t p = 0; p < tree.planes.size(); ++p) {
        auto const view = tree.template plane<D>(p);
        Trace::Plane& own = side.planes.emplace_back();
        own.first.assign(view.first, view.first + view.nodes + 1);
        for (pos_t i = 0; i < view.nodes; ++i)
            for (int j = 0; j < D; ++j) {
                own.lo.push_back(double(view.box_lo(j, i)));
                own.hi.push_back(double(view.box_hi(j, i)));
            }
    }
    return side;
}

/// Why a trait discarded a pair, as far as that can be seen from outside: by what decide() would say if the nodes were at the
/// same place, and if the target had the state of a top node.
template <class I>
char const* reason_to_discard(I const& trait, Decided<I> const& d) {
    using Node = typename I::Node;
    using Bounds = Range<typename I::real>;
    if constexpr (I::uses.reach)
        if (d.target.reach < Key<typename I::real>{d.range.lo2, d.source.first})
            return "beyond the reach";
    if constexpr (cuts_off_nodes<I>)
        if (trait.cutoff2() < d.range.lo2) return "beyond the cutoff";
    if constexpr (I::uses.links)
        if (d.target.label == d.source.label) return "of one group already";
    auto const discards_near = [&](Node const& target) {
        return trait.decide(target, d.source, Bounds{0, d.range.hi2}) == Decision::discard;
    };
    if (!discards_near(d.target)) return "too far away";
    if constexpr (I::uses.state) {
        Node target = d.target;
        target.state = trait.top_state();
        if (!discards_near(target)) return "for the state of the target";
    }
    return "for what the nodes hold, however near they are";
}

/// Why a trait decided so: by its own reason(), else for a discard as above; "" if nothing can be said.
template <class I>
char const* reason_of(I const& trait, Decided<I> const& d) {
    if constexpr (requires { trait.reason(d.target, d.source, d.range, d.decision); }) {
        return trait.reason(d.target, d.source, d.range, d.decision);
    } else {
        return d.decision == Decision::discard ? reason_to_discard(trait, d) : "";
    }
}

/// A trait that puts into words what its nodes hold.
template <class I>
concept DescribesNodes = requires(I const trait, typename I::Node const node) {
    { trait.describe(node) } -> std::convertible_to<std::string>;
};

/// Writes down what a reference walk of I reports.
template <class I>
class Tracer : public NoObserver {
  public:
    Tracer(I const& trait, Trace& trace) : trait_(trait), trace_(trace) {
        if constexpr (DescribesNodes<I>) text_number("");
    }

    void decided(Decided<I> const& d) {
        trace_.pairs.push_back({d.planes, d.target.index, d.source.index, double(d.range.lo2),
                                double(d.range.hi2), double(d.target.reach.d2), d.decision,
                                number_of(reason_of(trait_, d))});
        if constexpr (DescribesNodes<I>) {
            trace_.pairs.back().target_text = text_number(trait_.describe(d.target));
            // A source has no state: without a summary there is nothing to be said of it.
            if constexpr (I::uses.summary)
                trace_.pairs.back().source_text = text_number(trait_.describe(d.source));
        }
    }
    template <class Target, class Point, class T>
    void met(Target const&, Point const&, T) {
        ++trace_.met;
    }
    template <class Target, class Fold>
    void folded(Target const& p, Fold const& fold) {
        if constexpr (I::uses.ordered) {
            trace_.horizons.resize(trace_.targets.input.size());
            trace_.horizons[p.position] = double(trait_.horizon(fold).d2);
        }
    }

  private:
    std::uint16_t number_of(std::string const& reason) {
        auto& all = trace_.reasons;
        auto const found = std::find(all.begin(), all.end(), reason);
        if (found == all.end()) return all.push_back(reason), std::uint16_t(all.size() - 1);
        return std::uint16_t(found - all.begin());
    }
    std::uint32_t text_number(std::string const& text) {
        auto const [found, is_new] = numbers_.try_emplace(text, std::uint32_t(trace_.texts.size()));
        if (is_new) trace_.texts.push_back(text);
        return found->second;
    }

    I const& trait_;
    Trace& trace_;
    std::unordered_map<std::string, std::uint32_t> numbers_;  ///< of trace_.texts
};

template <int D, class T>
std::vector<double> lengths_of(Open<D, T> const&) {
    return std::vector<double>(D);
}
template <int D, class T>
std::vector<double> lengths_of(Periodic<D, T> const& space) {
    std::vector<double> box;
    for (T const l : space.box) box.push_back(l < infinity<T> ? double(l) : 0);
    return box;
}

}  // namespace detail

/// Runs reference_walk() and returns its trace. All of the tree's points are targets.
/// Memory: 56 bytes for each pair of nodes that meets.
template <class I, class Space>
Trace traced_walk(I const& trait, Space const& space, Tree<typename I::real, Cpu> const& targets,
                  Tree<typename I::real, Cpu> const& sources, WalkInputs<I> const& inputs = {}) {
    Trace trace;
    trace.dim = I::dim;
    trace.symmetric = I::uses.symmetric;
    trace.one_tree = &targets == &sources;
    trace.box = detail::lengths_of(space);
    trace.targets = detail::traced_side<I::dim>(targets);
    if (!trace.one_tree) trace.sources = detail::traced_side<I::dim>(sources);
    detail::Tracer<I> tracer(trait, trace);
    reference_walk(trait, space, targets, sources, inputs, tracer);
    return trace;
}

/// A place where walks are reference walks, and written down. Its threads do all else.
class Tracing : public Cpu {
  public:
    using Home = Cpu;
    using Cpu::Cpu;

    /// The trace of the last walk. (The lists of a list trait take two walks: one counts, the other one fills.)
    /// @throws InputError  there was none
    [[nodiscard]] Trace const& trace() const {
        if (traces_.empty()) throw InputError("nothing was walked on this place: there is no trace");
        return traces_.back();
    }
    /// The traces of all walks on this place, the first one first.
    [[nodiscard]] std::deque<Trace> const& traces() const { return traces_; }
    void add(Trace&& trace) { traces_.push_back(std::move(trace)); }

  private:
    std::deque<Trace> traces_;
};

/// The walk that PointTree::walk calls on this place.
template <class I, class Space>
WalkCounts walk(Tracing& place, I const& trait, Space const& space,
                Tree<typename I::real, Cpu> const& targets, Tree<typename I::real, Cpu> const& sources,
                WalkInputs<I> const& inputs = {}) {
    if constexpr (!check_interaction<I>()) return {};
    else
        return place.run([&] {
            place.add(traced_walk(trait, space, targets, sources, inputs));
            return counts_of(place.traces().back());
        });
}

}}  // namespace zwalk::v0
