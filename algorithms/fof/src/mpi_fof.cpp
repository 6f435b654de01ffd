// fof() on MPI ranks: groups of each rank by the driver of one process, then links between them.
#include "compiled_dims.hpp"
#include "rank_catalogue.hpp"
#include "zwalk/dist/labels.hpp"
#include "zwalk/fof/algorithm.hpp"
#include "zwalk/fof/fof_mpi.hpp"
#include "zwalk/run/call.hpp"
#include "zwalk/run/rank_within.hpp"

namespace zwalk::inline v0 {
namespace detail {
namespace {

template <class T>
class FofRanks {
  public:
    FofRanks(Comm& comm, Cpu const& cpu, FofOptions const& o) : comm_(comm), cpu_(cpu), o_(o) {}

    /// @param catalogue  null: none is made; of points that aren't an index's
    FofWithCatalogue run(RankInput<T> const& local, CatalogueOptions<T> const* catalogue) {
        agree_on(comm_, {{"the linking length", o_.linking_length}, {"order", int(o_.order)}});
        int const columns = comm_.attempt([&] {
            FofAlgorithm::check<T>(o_, local.rows);
            if (catalogue && !catalogue->box.empty() && catalogue->box != o_.box)
                throw InputError("the catalogue has another box than the groups");
            return compiled_columns<Cpu>(CpuDims{}, local.dim);
        });
        Beside beside;
        if (catalogue) beside = check_catalogue_options(comm_, cpu_, local.local, *catalogue);
        RankPoints<T> points(comm_, cpu_, local, columns, o_.box, FofAlgorithm::tree_options<Cpu>(o_),
                             r_.stats);
        with_dim<void>(CpuDims{}, local.dim, [&]<int D>() { find<D>(points); });
        auto& sorted = points.own().points;
        auto found = label_groups(comm_, cpu_, groups_, sorted.input_index, points.ranks());
        r_.labels = std::move(found.labels);
        r_.groups = found.groups;
        points.end_phase("labels");
        if (catalogue) {
            RankGroups<T> const groups{sorted, points.period(), points.extent(), groups_.root,
                                       groups_.shared};
            r_.catalogue = make_catalogue(comm_, cpu_, groups, *catalogue, beside);
            points.end_phase("catalogue");
        }
        points.hand_over(r_, o_.order, [&] { points.bring_home(r_.labels); });
        return std::move(r_);
    }

  private:
    template <int D>
    void find(RankPoints<T>& points) {
        auto all = import_pairs_within(points, T(o_.linking_length));
        points.drop_tree();
        Buffer<pos_t> root;
        points.run_on(all.tree, [&](RunPoints<T, Cpu>& kept) {
            FofOptions here = o_;
            here.order = Order::z;
            Cpu place = cpu_;
            root = Instance<FofAlgorithm, D, T, Cpu>::run(place, kept, here).root;
        });
        points.end_phase("walk");
        groups_ = join_groups(comm_, cpu_, std::move(root), {all.first, all.from, all.position},
                              points.ranks());
        points.end_phase("links");
    }

    Comm& comm_;
    Cpu const& cpu_;
    FofOptions const& o_;
    JoinedGroups groups_;
    FofWithCatalogue r_;
};

}  // namespace
}  // namespace detail

template <class T>
FofOnRanks fof(Points<T> local, FofOptions const& options, Mpi const& mpi, Cpu const& cpu) {
    Comm comm(mpi);
    return detail::FofRanks<T>(comm, cpu, options).run(local, nullptr);
}
template <class T>
FofOnRanks fof(RankIndex<T> const& index, FofOptions const& options) {
    Comm comm(index.mpi());
    return detail::FofRanks<T>(comm, index.cpu(), options).run(index, nullptr);
}
template <class T>
FofWithCatalogue fof_with_catalogue(Points<T> local, FofOptions const& options,
                                    CatalogueOptions<T> const& catalogue, Mpi const& mpi,
                                    Cpu const& cpu) {
    Comm comm(mpi);
    return detail::FofRanks<T>(comm, cpu, options).run(local, &catalogue);
}

template FofOnRanks fof(Points<float>, FofOptions const&, Mpi const&, Cpu const&);
template FofOnRanks fof(Points<double>, FofOptions const&, Mpi const&, Cpu const&);
template FofOnRanks fof(RankIndex<float> const&, FofOptions const&);
template FofOnRanks fof(RankIndex<double> const&, FofOptions const&);
template FofWithCatalogue fof_with_catalogue(Points<float>, FofOptions const&,
                                             CatalogueOptions<float> const&, Mpi const&, Cpu const&);
template FofWithCatalogue fof_with_catalogue(Points<double>, FofOptions const&,
                                             CatalogueOptions<double> const&, Mpi const&, Cpu const&);

}  // namespace zwalk::inline v0
