#include "trace_walks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "zwalk/core/error.hpp"
#include "zwalk/core/within.hpp"
#include "zwalk/dbscan/trait.hpp"
#include "zwalk/emst/trait.hpp"
#include "zwalk/fof/trait.hpp"
#include "zwalk/gravity/trait.hpp"
#include "zwalk/lists/traits.hpp"
#include "zwalk/nearest/candidates.hpp"
#include "zwalk/nearest/no_output.hpp"
#include "zwalk/nearest/trait.hpp"
#include "zwalk/radius/trait.hpp"
#include "zwalk/run/point_tree.hpp"

namespace zwalk::apps {
namespace {

using T = double;

// Traits that record why they decide, where that can't be seen from outside.

template <int D>
struct RadiusToSee : detail::CountListed<WithinRadius<D, T>> {
    using Base = detail::CountListed<WithinRadius<D, T>>;
    using Base::Base;
    static char const* reason(auto const&, auto const&, Range<T>, Decision d) {
        return d == Decision::discard  ? "all of it is beyond the radius"
               : d == Decision::accept ? "all of it is within the radius"
                                       : "the radius ends between the bounds";
    }
};
template <int D>
struct FofToSee : Fof<D, T> {
    using Fof<D, T>::Fof;
    char const* reason(auto const& t, auto const& s, Range<T> r, Decision d) const {
        if (r.lo2 > this->link2) return "further away than the linking length";
        if (d == Decision::discard) return "both are of one group already";
        if (d == Decision::accept) return "both are one group each, and near enough to be linked";
        return this->whole(t) && this->whole(s) ? "near enough in part"
                                                : "larger than the linking length";
    }
};
template <int D>
struct EnoughToSee : EnoughNeighbours<D, T> {
    char const* reason(auto const& t, auto const&, Range<T> r, Decision d) const {
        if (this->decided(t.state))
            return "the number of neighbours is known to be enough, or too small";
        if (d == Decision::discard) return "nearer nodes are enough";
        if (d == Decision::descend) return "epsilon ends between the bounds";
        return this->near(r) ? "all of it are neighbours" : "none of it is a neighbour";
    }
};
template <int P>
struct GravityToSee : Gravity<P, T> {
    static char const* reason(auto const&, auto const&, Range<T>, Decision d) {
        return d == Decision::accept    ? "far away for the size of both: moments will do"
               : d == Decision::descend ? "too near for the size of both"
                                        : "at the same place";
    }
};
template <int D>
struct EdgesToSee : LeastEdges<D, T> {
    static char const* reason(auto const& t, auto const& s, Range<T>, Decision d) {
        if (d == Decision::descend) return "may have a shorter edge to another component";
        auto const &own = t.summary, &other = s.summary;
        if (own.component != no_pos && own.component == other.component)
            return "all of it is of the same component";
        return "further away than an edge that is known";
    }
};

/// What all have in common.
template <int D>
struct Walks {
    TraceTask const& task;
    Tracing place{1};
    PointTree<D, T, Tracing> tree;

    Walks(Points<T> points, TraceTask const& asked)
        : task(asked), tree(make_tree<D>(place, points, {.box = asked.box, .tree = asked.tree})) {}

    [[nodiscard]] std::size_t size() const { return tree.size(); }

    std::string radius() {
        auto counts = tree.template array<pos_t>();
        tree.walk(RadiusToSee<D>(WithinRadius<D, T>(task.length), counts.data()));
        std::uint64_t found = 0;
        for (pos_t const n : counts.in_z_order()) found += n;
        return fmt::format(
            "For each of {} points, all points within a radius of {}. There are {}: accepted nodes are "
            "counted "
            "whole.",
            size(), task.length, found);
    }
    std::string knn() {
        pos_t const k = attainable_k(task.k, tree.size());
        tree.walk(Nearest<D, T, NoOutput, Candidates<T>>(k));
        return fmt::format(
            "The {} nearest of each of {} points, itself included. What is beyond the reach of a node "
            "can't have a "
            "neighbour of any of its points.",
            k, size());
    }
    std::string fof() {
        auto const labels = tree.walk(FofToSee<D>(task.length)).labels;
        return fmt::format(
            "Friends-of-friends of {} points, linking length {:.4g}: {} groups. Every pair of nodes is "
            "met "
            "once.",
            size(), task.length, std::set(labels.begin(), labels.end()).size());
    }
    std::string dbscan() {
        auto core = tree.template array<std::uint8_t>();
        EnoughToSee<D> trait;
        trait.radius2 = largest_square(task.length);
        trait.enough = task.min_samples;
        trait.sources = tree.size();
        trait.core = core.data();
        tree.walk(trait);
        auto const is_core = core.in_z_order();
        return fmt::format(
            "Core points of DBSCAN: which of {} points have {} neighbours within {}? {} do. Neighbours "
            "are counted no "
            "further than it takes to know.",
            size(), task.min_samples, task.length,
            std::count(is_core.begin(), is_core.end(), std::uint8_t(1)));
    }
    std::string gravity() requires(D == 3) {
        constexpr int order = 2;
        auto acceleration = tree.template array<Vec<3, T>>();
        auto potential = tree.template array<T>();
        GravityToSee<order> trait;
        trait.opening2 = task.opening * task.opening;
        trait.softening2 = 0;
        trait.per_unit = 1;
        trait.acceleration = acceleration.data();
        trait.potential = potential.data();
        tree.walk(trait, tree.payload(std::vector<PointMass<T>>(size(), {1.})));
        return fmt::format(
            "Gravity of {} points of mass 1 by expansions of order {}, opening {}: accepted nodes pull "
            "as a whole.",
            size(), order, task.opening);
    }
    std::string emst();
};

/// Borůvka's algorithm: in each round every component finds the least edge that leaves it.
template <int D>
class Rounds {
  public:
    explicit Rounds(PointTree<D, T, Tracing> const& tree)
        : tree_(tree), n_(tree.size()), parent_(n_), margin2_(n_), candidate_(n_), hint_(n_) {
        for (pos_t i = 0; i < n_; ++i) parent_[i] = i;
    }
    [[nodiscard]] pos_t components() {
        pos_t roots = 0;
        for (pos_t i = 0; i < n_; ++i) roots += Links{parent_.data()}.root(i) == i;
        return roots;
    }
    void run() {
        std::vector<pos_t> component(n_);
        for (pos_t i = 0; i < n_; ++i) component[i] = Links{parent_.data()}.root(i);
        std::vector<Key<T>> proven(n_, Key<T>{-1, 0});
        std::vector<pos_t> least(n_, no_pos);
        EdgesToSee<D> trait;
        trait.fragments = {margin2_.data(), candidate_.data(), hint_.data(), proven.data(),
                           least.data()};
        std::fill(candidate_.begin(), candidate_.end(), Key<T>{});
        std::vector<FragmentPoint<T>> rows(n_);
        for (pos_t i = 0; i < n_; ++i) {
            hint_[i] = along_the_curve(component, i);
            trait.fragments.offer(component[i], i | Fragments<T>::is_hint);
            rows[tree_.tree().input[i]] = {component[i], 1, 0};
        }
        tree_.walk(trait, tree_.payload(rows));
        for (pos_t c = 0; c < n_; ++c)
            if (component[c] == c) {
                Edge<T> const edge = trait.fragments.least_of(c);
                Links{parent_.data()}.link(edge.a, edge.b);
            }
    }

  private:
    /// Some edge of a point to another component: to the next point of one in z-order.
    Key<T> along_the_curve(std::vector<pos_t> const& component, pos_t i) const {
        pos_t before = i, behind = i;
        while (before > 0 && component[before] == component[i]) --before;
        while (behind + 1 < n_ && component[behind] == component[i]) ++behind;
        pos_t const j = component[before] != component[i] ? before : behind;
        auto const points = tree_.tree().template points<D>();
        // Open space: around the box it may be nearer, never further.
        return {distance2(Open<D, T>{}, points.point(i), points.point(j)), j};
    }

    PointTree<D, T, Tracing> const& tree_;
    pos_t n_;
    std::vector<pos_t> parent_;
    std::vector<T> margin2_;
    std::vector<Key<T>> candidate_, hint_;
};

template <int D>
std::string Walks<D>::emst() {
    Rounds<D> rounds(tree);
    for (int round = 1;; ++round) {
        pos_t const components = rounds.components();
        if (components <= 1)
            throw InputError(fmt::format("--round {}: all points are connected after round {}",
                                         task.round, round - 1));
        rounds.run();
        if (round == task.round)
            return fmt::format(
                "Round {} of Borůvka's algorithm for the minimum spanning tree of {} points: each of {} "
                "components "
                "looks for the shortest edge that leaves it. {} are left.",
                round, size(), components, rounds.components());
    }
}

template <int D>
TracedWalk traced(Points<T> points, TraceTask const& task) {
    Walks<D> walks(points, task);
    std::string about;
    if (task.algorithm == "radius") about = walks.radius();
    else if (task.algorithm == "knn") about = walks.knn();
    else if (task.algorithm == "fof") about = walks.fof();
    else if (task.algorithm == "dbscan") about = walks.dbscan();
    else if (task.algorithm == "emst") about = walks.emst();
    else if constexpr (D == 3) about = walks.gravity();
    return {walks.place.trace(), std::move(about)};
}

}  // namespace

TracedWalk trace_algorithm(io::PointSet const& points, TraceTask const& task) {
    // Expansions are made for three dimensions: in two the third coordinate is 0.
    bool const flat = points.dim == 2 && task.algorithm != "gravity";
    return flat ? traced<2>(points.points<T>(), task) : traced<3>(points.points<T>(), task);
}

}  // namespace zwalk::apps
