// Friends-of-friends on MPI ranks: groups of each rank by the driver of one process, on any place; then links between them.
#pragma once
#include <utility>

#include "compiled_dims.hpp"
#include "rank_catalogue.hpp"
#include "zwalk/fof/fof_mpi.hpp"
#include "zwalk/fof/rank_groups.hpp"
#include "zwalk/ranks/labels.hpp"
#include "zwalk/run/rank_within.hpp"

namespace zwalk::inline v0::detail {

/// @tparam Place  a RankPlace
template <class T, class Place>
class FofRanks {
  public:
    FofRanks(Comm& comm, Cpu const& cpu, Place place, FofOptions const& o)
        : comm_(comm), cpu_(cpu), place_(place), o_(o) {}

    /// @param catalogue  null: none is made; of points that aren't an index's
    FofWithCatalogue run(RankInput<T> const& local, CatalogueOptions<T> const* catalogue) {
        agree_on(comm_,
                 {{"the linking length", o_.linking_length}, {"order", int(o_.order)}, Place::option()});
        int const columns = comm_.attempt([&] {
            FofAlgorithm::check<T>(o_, local.rows);
            if (catalogue && !catalogue->box.empty() && catalogue->box != o_.box)
                throw InputError("the catalogue has another box than the groups");
            return Place::tree_columns(local.dim);
        });
        Beside beside;
        if (catalogue) beside = check_catalogue_options(comm_, cpu_, local.local, *catalogue);
        RankPoints<T> points(comm_, cpu_, local, columns, o_.box,
                             FofAlgorithm::tree_options<typename Place::Type>(o_), r_.stats);
        linking_length_ = points.unit().limit(o_.linking_length);
        Place::template with_columns<void>(local.dim, [&]<int D>() { find<D>(points); });
        auto& sorted = points.own().points;
        auto found = label_groups(comm_, cpu_, groups_, sorted.input_index, points.ranks());
        r_.labels = std::move(found.labels);
        r_.groups = found.groups;
        points.end_phase("labels");
        if (catalogue) {
            Extent<T> extent(0);
            comm_.attempt([&] { extent = in_unit(points.extent(), points.unit()); });
            RankGroups<T> const groups{sorted, points.period(), extent, groups_.root, groups_.shared};
            r_.catalogue = make_catalogue(comm_, cpu_, groups, *catalogue, beside);
            from_unit(r_.catalogue.rows, points.unit());
            points.end_phase("catalogue");
        }
        points.hand_over(r_, o_.order, [&] { points.bring_home(r_.labels); });
        return std::move(r_);
    }

  private:
    static void from_unit(FofCatalogue& c, LengthUnit<T> const& unit) {
        for (auto* lengths : {&c.centre_of_mass, &c.inertia_radius, &c.radius})
            for (double& length : *lengths) length *= double(unit.unit());
    }
    template <int D>
    void find(RankPoints<T>& points) {
        auto all = import_pairs_within(points, T(linking_length_));
        points.drop_tree();
        auto root = find_roots<D>(comm_, *place_.place, points, all.tree,
                                  {.linking_length = linking_length_, .tree = o_.tree});
        points.end_phase("walk");
        groups_ = join_groups(comm_, cpu_, std::move(root), {all.first, all.from, all.position},
                              points.ranks());
        points.end_phase("links");
    }

    Comm& comm_;
    Cpu const& cpu_;
    Place place_;
    FofOptions const& o_;
    double linking_length_ = 0;  // in the unit of the points
    JoinedGroups groups_;
    FofWithCatalogue r_;
};

}  // namespace zwalk::inline v0::detail
