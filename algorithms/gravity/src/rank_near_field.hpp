// The sources of gravity on a rank, and what they do to its points (near_field.hpp): own points and those that are imported, also as
// nodes with their moments; in a periodic box with images of all, which a device makes as its walk begins.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "far_field.hpp"
#include "near_field.hpp"
#include "zwalk/exec/device_memory_error.hpp"
#include "zwalk/run/rank_call_points.hpp"
#include "zwalk/run/rank_points.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Gravity for import_sources() in a periodic box, whose space has the distance to the nearest image: what no leaf looks into
/// here, it doesn't look into there, nor into any image. Images are moved and rounded, so that distances of theirs are a little
/// less, perhaps; here they are less by more than that.
template <int order, class T>
struct NeededGravity : Gravity<order, T> {
    using Base = Gravity<order, T>;
    T rounding = 0;

    Decision decide(typename Base::Node const& t, typename Base::Node const& s, Range<T> d) const {
        if (rounding == 0) return Base::decide(t, s, d);
        T const gap = std::sqrt(d.lo2) - rounding;
        if (gap > 0) return Base::decide(t, s, {gap * gap, d.hi2});
        bool here = t.diag2 + s.diag2 == 0;
        for (int j = 0; j < 3; ++j) here = here && t.summary.lo[j] == s.summary.lo[j];
        return here ? Base::decide(t, s, d) : Decision::descend;
    }
};
/// More than what moving nodes by some periods changes of distances between them.
template <class T>
T rounding_of_images(std::vector<T> const& period, Extent<T> const& extent) {
    T most = 0;
    for (std::size_t j = 0; j < 3; ++j)
        most = std::max({most, std::abs(extent.lo[j]), std::abs(extent.hi[j])});
    return 32 * std::numeric_limits<T>::epsilon() *
           (most + 4 * *std::max_element(period.begin(), period.end()));
}

template <class T, class Where>
double extent_to_measure(RankCallPoints<T, Where>& all, GravityOptions const& o) {
    RankPoints<T> const& points = all.points();
    if (points.size() == 0) return 0;
    if (is_periodic(o)) return double(points.period()[0]);
    auto const& [lo, hi] = points.extent();
    double most = 0;
    for (std::size_t j = 0; j < lo.size(); ++j)
        most = std::max(most, double(points.unit().in(hi[j])) - double(points.unit().in(lo[j])));
    return most;
}

template <int order, class T, class Where>
class NearField<order, RankCallPoints<T, Where>> {
    using Points = RankCallPoints<T, Where>;
    using P = typename Where::Type;

  public:
    template <class Carried>
    NearField(Points& points, GravityOptions const& o, Gravity<order, T> const& trait,
              Carried const& carried)
        : points_(points),
          comm_(points.comm()),
          cpu_(points.place()),
          o_(o),
          periodic_(is_periodic(o) && points.size() > 0) {
        auto const rows = comm_.attempt([&] { return carried(points.rows_here()); });
        auto const masses = points.points().rows_sorted(std::span<PointMass<T> const>(rows));
        if (periodic_) pull_from_afar(masses);
        bring_sources(trait, masses);
        here_ = sources_.tree.size();
        if (periodic_ && !is_device<P>) {
            comm_.agree([&] {
                if (points_.size_here() > 0) add_images(trait);
            });
            points_.end_phase("images");
        }
    }
    NearField(NearField const&) = delete;
    NearField& operator=(NearField const&) = delete;

    Felt<T, Cpu> walk(Gravity<order, T> trait) {
        Felt<T, Cpu> felt;
        auto const check = [&](std::uint64_t available) {
            check_device_memory(GravityAlgorithm::name, here_,
                                device_gravity_memory_of(nodes_here(), here_, sizeof(T), o_), available);
        };
        points_.template on_tree<3>(sources_.tree, check, [&](P& walks, RunPoints<T, P>& there) {
            std::size_t const n = points_.size_here();
            auto acceleration = new_array<Vec<3, T>>(walks, n);
            auto potential = new_array<T>(walks, n);
            if (n > 0) {
                trait.acceleration = acceleration.data();
                trait.potential = potential.data();
                walk_there(walks, trait, there);
            }
            download(walks, felt.acceleration, std::move(acceleration));
            download(walks, felt.potential, std::move(potential));
        });
        points_.end_phase("walk");
        return felt;
    }
    [[nodiscard]] Buffer<Pull<T>> const& far() const { return far_; }

  private:
    [[nodiscard]] TreeNodes nodes_here() const {
        TreeNodes nodes;
        for (auto const& plane : sources_.tree.planes) {
            nodes.all += plane.nodes();
            nodes.tops = plane.nodes();
            ++nodes.planes;
        }
        TargetNodes const targets = top_nodes(sources_.tree, sources_.targets);
        if (!periodic_ || targets.begin == targets.end) return nodes;
        auto const& tops = sources_.tree.planes.back();
        RankPoints<T> const& points = points_.points();
        auto const all = in_unit(points.extent(), points.unit());
        for (std::size_t j = 0; j < 3; ++j) {
            T const* const lo = tops.lo.data() + j * tops.stride;
            T const* const hi = tops.hi.data() + j * tops.stride;
            double const side = points.period()[j], from = all.lo[j];
            nodes.lo[j] = (*std::min_element(lo + targets.begin, lo + targets.end) - from) / side;
            nodes.hi[j] = (*std::max_element(hi + targets.begin, hi + targets.end) - from) / side;
        }
        return nodes;
    }
    /// The pulls on own points in a periodic box of images that are no sources of their walk.
    void pull_from_afar(std::vector<PointMass<T>> const& masses) {
        RankPoints<T>& points = points_.points();
        auto const& tree = points.own().tree;
        std::optional<FarMasses> far;
        Buffer<T> mass;
        auto const own = comm_.attempt([&] {
            far.emplace(points.period(), in_unit(points.extent(), points.unit()));
            mass = Buffer<T>(masses.size());
            for (std::size_t i = 0; i < masses.size(); ++i) mass[i] = masses[i].mass;
            Cpu place = cpu_;
            return cpu_.run(
                [&] { return lattice_moments(place, far->frame, tree, mass.data(), masses.size()); });
        });
        // No reduce_all(), which is for small values: there may be no memory for these.
        auto const parts = comm_.gather_all(std::span<LatticeCoefficients const>(&own, 1));
        LatticeCoefficients& all = far->moments;
        all = parts.records[0];
        for (std::size_t r = 1; r < parts.records.size(); ++r)
            for (int k = 0; k < all.count; ++k) all.at[k] += parts.records[r].at[k];
        far_ = comm_.agree([&] {
            Cpu place = cpu_;
            return pulls_from_afar(place, *far, tree, masses.size());
        });
        points_.end_phase("lattice");
    }
    void bring_sources(Gravity<order, T> const& trait, std::vector<PointMass<T>> const& masses) {
        RankPoints<T>& points = points_.points();
        NeededGravity<order, T> needed{trait};
        auto const columns = comm_.agree([&] {
            if (periodic_)
                needed.rounding =
                    rounding_of_images(points.period(), in_unit(points.extent(), points.unit()));
            return Columns<PointMass<T>>(std::span<PointMass<T> const>(masses));
        });
        auto all = points.import_for(needed, columns.view());
        points.drop_tree();
        sources_ = {std::move(all.tree), std::move(all.known), std::move(all.payload), all.targets};
    }
    /// On threads.
    void add_images(Gravity<order, T> const& trait) {
        sources_ = cpu_.run([&] {
            return with_images(cpu_, trait, sources_.tree, std::move(sources_.known),
                               std::span<PointMass<T> const>(sources_.masses), sources_.targets,
                               ImageBox(points_.period()));
        });
    }
    /// A device makes images of what is there, or gets what threads make where it hasn't the memory. A walk that has come to an end
    /// by that has left nothing: the next one writes all results.
    void walk_there(P& walks, Gravity<order, T> const& trait, RunPoints<T, P>& there) {
        if constexpr (is_device<P>) {
            if (periodic_) {
                auto const counts = unless_out_of_memory([&] {
                    return std::optional(walk_over(walks, trait, points_.period(), there->tree));
                });
                if (counts) return points_.note_walk(there->tree, *counts);
                there.drop_tree();
                add_images(trait);
                auto const tree = Preparation<T, P>::from_host(walks, sources_.tree, 3);
                return points_.note_walk(tree, walk_over(walks, trait, {}, tree));
            }
        }
        points_.note_walk(there->tree, walk_over(walks, trait, {}, there->tree));
    }
    /// @param period  of the box whose images the walk makes; none: they are among the sources, if there are any
    WalkCounts walk_over(P& walks, Gravity<order, T> const& trait, std::vector<T> const& period,
                         Tree<T, P> const& tree) const {
        WalkInputs<Gravity<order, T>> inputs;
        inputs.targets = sources_.targets;
        inputs.known = &sources_.known;
        return CompiledWalk<Gravity<order, T>, P>::run(walks, trait, period, tree, tree, inputs,
                                                       sources_.masses);
    }

    Points& points_;
    Comm& comm_;
    Cpu const& cpu_;
    GravityOptions const& o_;
    bool periodic_;
    GravitySources<order, T> sources_;
    std::size_t here_ = 0;  // sources without images
    Buffer<Pull<T>> far_;
};

}}}  // namespace zwalk::v0::detail
