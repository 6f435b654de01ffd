// gravity() on MPI ranks: points are sorted over ranks, those needed imported, then the driver of one process runs, on any place.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "algorithm.hpp"
#include "ask.hpp"
#include "far_field.hpp"
#include "images.hpp"
#include "zwalk/gravity/gravity.hpp"
#include "zwalk/run/rank_place.hpp"
#include "zwalk/run/rank_points.hpp"

namespace zwalk::inline v0::detail {

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

/// Forces on the points of all ranks. Members are collective.
/// @tparam Place  a RankPlace for three columns
template <class T, class Place>
class GravityRanks {
    using P = typename Place::Type;

  public:
    GravityRanks(Comm& comm, Cpu const& cpu, Place place, GravityOptions const& o)
        : comm_(comm), cpu_(cpu), place_(place), o_(o) {}

    GravityResult<T, Mpi> run(Points<T> local) {
        check(local);
        RankPoints<T> points(comm_, cpu_, local, 3, o_.box, o_.tree, r_.stats,
                             [this](T largest) { return gravity_unit(largest, o_); });
        unit_ = points.unit();
        find<least_gravity_order<P>>(points);
        r_.rows = points.size_here();
        points.hand_over(r_, o_.order, [&] {
            points.bring_home(r_.accelerations, r_.columns);
            points.bring_home(r_.potentials);
            r_.rows = points.rows();
        });
        return std::move(r_);
    }

  private:
    void check(Points<T> local) {
        agree_on(comm_, {{"softening", o_.softening},
                         {"accuracy", o_.accuracy},
                         {"expansion_order", o_.expansion_order},
                         {"opening", o_.opening},
                         {"order", int(o_.order)},
                         Place::option()});
        has_masses_ = comm_.reduce_all(int(!o_.masses.empty()), std::plus<>()) > 0;
        comm_.agree([&] {
            check_gravity_options<T>(o_, local.size, local.dim);
            if (has_masses_ && o_.masses.size() != local.size)
                throw InputError(fmt::format(
                    "there are no masses for {} points of this rank, but others have such", local.size));
            if constexpr (is_device<P>) check_gravity_on_device(o_);
            o_ = with_accuracy(o_, is_device<P>);
        });
    }
    template <int order>
    void find(RankPoints<T>& points) {
        if constexpr (order > max_gravity_order) __builtin_unreachable();
        else if (o_.expansion_order != order) find<order + 1>(points);
        else find_by_order<order>(points);
    }
    template <int order>
    void find_by_order(RankPoints<T>& points) {
        auto const largest = [](double a, double b) { return std::max(a, b); };
        double const heaviest =
            comm_.reduce_all(has_masses_ && o_.masses.empty() ? 0. : largest_mass(o_.masses), largest);
        if (!unit_.is_plain()) comm_.agree([&] { to_gravity_unit(o_, unit_, heaviest); });
        GravityPart<order, T> part;
        part.unit_of_mass = unit_of_mass(heaviest);
        part.unit_of_length = unit_of_length(length_of(points));
        part.size = points.size_here();
        auto const masses = bring_masses(part.unit_of_mass, points);
        auto const far = pulls_from_afar(points, masses);
        auto all = bring_sources<order>(points, part.unit_of_length, masses);
        std::size_t const here = all.tree.size();
        if (is_periodic(o_)) all = with_images_of(all, part.unit_of_length, points);
        part.targets = all.targets;
        part.masses = all.masses;
        part.known = &all.known;
        part.far = far;
        ForcesInRange own;
        part.in_range = &own;
        walk(points, part, all.tree, here);
        if (!unit_.is_plain()) check_range(own);
    }
    void check_range(ForcesInRange const& own) {
        ForcesInRange const all{comm_.reduce_all(own.pulled, std::plus<>()),
                                comm_.reduce_all(own.held, std::plus<>())};
        comm_.agree([&] {
            if (all.most_are_lost()) refuse_forces<T>();
        });
    }
    /// The length that unit_of_length() is of.
    double length_of(RankPoints<T> const& points) const {
        if (points.size() == 0) return 0;
        if (is_periodic(o_)) return double(points.period()[0]);
        double most = 0;
        for (std::size_t j = 0; j < points.extent().lo.size(); ++j)
            most = std::max(
                most, double(unit_.in(points.extent().hi[j])) - double(unit_.in(points.extent().lo[j])));
        return most;
    }
    template <int order>
    GravitySources<order, T> bring_sources(RankPoints<T>& points, double unit_of_length,
                                           std::vector<PointMass<T>> const& masses) {
        NeededGravity<order, T> needed{gravity_trait<order, T>(o_, unit_of_length)};
        if (is_periodic(o_) && points.size() > 0)
            needed.rounding = rounding_of_images(points.period(), in_unit(points.extent(), unit_));
        auto const columns =
            comm_.agree([&] { return Columns<PointMass<T>>(std::span<PointMass<T> const>(masses)); });
        auto all = points.import_for(needed, columns.view());
        points.drop_tree();
        return {std::move(all.tree), std::move(all.known), std::move(all.payload), all.targets};
    }
    /// The pulls on own points in a periodic box of images that are no sources of their walk.
    std::vector<Pull<T>> pulls_from_afar(RankPoints<T>& points,
                                         std::vector<PointMass<T>> const& masses) {
        if (!is_periodic(o_) || points.size() == 0) return {};
        auto const frame = lattice_frame(points.period(), in_unit(points.extent(), unit_));
        auto const x = points.own().tree.template points<3>();
        auto const own = comm_.attempt([&] {
            return cpu_.run(
                [&] { return lattice_moments(frame, x, std::span<PointMass<T> const>(masses)); });
        });
        // No reduce_all(), which is for small values: there may be no memory for these.
        auto const parts = comm_.gather_all(std::span<LatticeCoefficients const>(&own, 1));
        LatticeCoefficients all = parts.records[0];
        for (std::size_t r = 1; r < parts.records.size(); ++r)
            for (int k = 0; k < all.count; ++k) all.at[k] += parts.records[r].at[k];
        auto pulls = comm_.agree([&] {
            return cpu_.run([&] { return pulls_of(LatticeField(frame, all), x, masses.size()); });
        });
        points.end_phase("lattice");
        return pulls;
    }
    template <int order>
    GravitySources<order, T> with_images_of(GravitySources<order, T>& here, double unit_of_length,
                                            RankPoints<T>& points) {
        auto all = comm_.agree([&] {
            if (points.size_here() == 0) return std::move(here);
            return cpu_.run([&] {
                return with_images(cpu_, gravity_trait<order, T>(o_, unit_of_length), here.tree,
                                   std::move(here.known), std::span<PointMass<T> const>(here.masses),
                                   here.targets, box_of_periods(points.period()));
            });
        });
        points.end_phase("images");
        return all;
    }
    /// @param here  own points and those that have been imported, without images
    template <int order>
    void walk(RankPoints<T>& points, GravityPart<order, T> const& part, Tree<T, Cpu>& tree,
              std::size_t here) {
        P& place = *place_.place;
        auto const check_memory = [&](std::uint64_t available) {
            check_device_memory("gravity", here, device_gravity_memory(here, sizeof(T), o_), available);
        };
        run_on(comm_, place, points, tree, 3, check_memory, [&](RunPoints<T, P>& kept) {
            GravityTask<order, T> task(o_);
            task.part = &part;
            task.unit = unit_;
            auto found = Instance<GravityByOrder<order>, 3, T, P>::run(place, kept, task);
            if constexpr (is_device<P>) take(to_host<GravityResult<T>>(place, std::move(found)));
            else take(std::move(found));
        });
        points.end_phase("walk");
    }
    /// The masses of own points, in units.
    std::vector<PointMass<T>> bring_masses(double unit, RankPoints<T>& points) {
        auto const rows = comm_.agree([&] { return masses_in<T>(unit, o_.masses, points.rows()); });
        return points.rows_sorted(std::span<PointMass<T> const>(rows));
    }
    void take(GravityResult<T>&& found) {
        auto& counts = r_.stats.counts;
        counts.insert(counts.end(), found.stats.counts.begin(), found.stats.counts.end());
        r_.columns = found.columns;
        r_.accelerations = std::move(found.accelerations);
        r_.potentials = std::move(found.potentials);
        r_.expansion_order = found.expansion_order;
        r_.opening = found.opening;
    }

    Comm& comm_;
    Cpu const& cpu_;
    Place place_;
    GravityOptions o_;
    LengthUnit<T> unit_;  ///< of the points and, once these are there, of options
    bool has_masses_ = false;
    GravityResult<T, Mpi> r_;
};

}  // namespace zwalk::inline v0::detail
