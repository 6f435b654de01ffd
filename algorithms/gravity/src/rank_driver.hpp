// gravity() on MPI ranks: sorted over ranks, what is needed brought in, then the driver of one process, on any place.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "algorithm.hpp"
#include "ask.hpp"
#include "zwalk/gravity/gravity_mpi.hpp"
#include "zwalk/run/rank_place.hpp"
#include "zwalk/run/rank_points.hpp"

namespace zwalk::inline v0::detail {

/// Forces on the points of all ranks. Members are collective.
/// @tparam Place  a RankPlace for three columns
template <class T, class Place>
class GravityRanks {
    using P = typename Place::Type;

  public:
    GravityRanks(Comm& comm, Cpu const& cpu, Place place, GravityOptions const& o)
        : comm_(comm), cpu_(cpu), place_(place), o_(o) {}

    GravityOnRanks<T> run(Points<T> local) {
        check(local);
        RankPoints<T> points(comm_, cpu_, local, 3, {}, o_.tree, r_.stats);
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
        comm_.agree([&] {
            if (is_periodic(o_))
                throw InputError(
                    "on ranks gravity is that of open space, without a periodic box (box 0: open)");
        });
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
            o_ = with_accuracy(o_);
            if constexpr (is_device<P>) check_gravity_on_device(o_);
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
        double most = 0;
        for (std::size_t j = 0; j < points.extent().lo.size(); ++j)
            most = std::max(most, double(points.extent().hi[j]) - double(points.extent().lo[j]));
        GravityPart<order, T> part;
        part.unit_of_mass = unit_of_mass(heaviest);
        part.unit_of_length = unit_of_length(points.size() > 0 ? most : 0);
        auto const masses = bring_masses(part.unit_of_mass, points);
        auto all = import_sources(comm_, cpu_, gravity_trait<order, T>(o_, part.unit_of_length),
                                  Open<3, T>{}, points.own(), masses.view());
        points.end_phase("import");
        part.targets = all.targets;
        part.size = points.size_here();
        part.masses = all.payload;
        part.known = &all.known;
        points.drop_tree();
        P& place = *place_.place;
        auto const check_memory = [&](std::uint64_t available) {
            std::size_t const n = all.tree.size();
            check_device_memory("gravity", n, device_gravity_memory(n, sizeof(T), o_), available);
        };
        run_on(comm_, place, points, all.tree, 3, check_memory, [&](RunPoints<T, P>& kept) {
            GravityTask<order, T> task(o_);
            task.part = &part;
            auto found = Instance<GravityByOrder<order>, 3, T, P>::run(place, kept, task);
            if constexpr (is_device<P>) take(to_host<GravityResult<T>>(place, std::move(found)));
            else take(std::move(found));
            r_.stats.counts.emplace_back("imported", all.tree.size() - part.size);
        });
        points.end_phase("walk");
    }
    Columns<PointMass<T>> bring_masses(double unit, RankPoints<T>& points) {
        auto const rows = comm_.agree([&] { return masses_in<T>(unit, o_.masses, points.rows()); });
        auto const sorted = points.rows_sorted(std::span<PointMass<T> const>(rows));
        return comm_.agree([&] { return Columns<PointMass<T>>(std::span<PointMass<T> const>(sorted)); });
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
    bool has_masses_ = false;
    GravityOnRanks<T> r_;
};

}  // namespace zwalk::inline v0::detail
