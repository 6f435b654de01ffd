// knn() on MPI ranks: sorted over ranks, what is needed brought in, then the driver of one process.
#include "compiled_dims.hpp"
#include "search.hpp"
#include "zwalk/knn/knn_mpi.hpp"
#include "zwalk/nearest/no_output.hpp"
#include "zwalk/nearest/trait.hpp"
#include "zwalk/run/rank_points.hpp"

namespace zwalk::inline v0 {
namespace detail {
namespace {

template <class T>
class KnnRanks {
  public:
    KnnRanks(Comm& comm, Cpu const& cpu, KnnOptions const& o) : comm_(comm), cpu_(cpu), o_(o) {}

    KnnOnRanks<T> run(Points<T> local) {
        agree_on(comm_, {{"k", o_.k}, {"exclude_self", o_.exclude_self}, {"order", int(o_.order)}});
        int const columns = comm_.agree([&] {
            check_options(o_, false);
            return compiled_columns<Cpu>(CpuDims{}, local.dim);
        });
        RankPoints<T> points(comm_, cpu_, local, columns, o_.box, o_.tree, r_.stats);
        r_.columns = std::size_t(o_.k);
        with_dim<void>(CpuDims{}, local.dim, [&]<int D>() { find<D>(points); });
        points.hand_over(r_, o_.order, [&] {
            points.bring_home(r_.indices, r_.columns);
            points.bring_home(r_.distances, r_.columns);
            r_.rows = local.size;
        });
        return std::move(r_);
    }

  private:
    template <int D>
    void find(RankPoints<T>& points) {
        using Trait = Nearest<D, T, NoOutput>;
        std::uint64_t const n = std::min<std::uint64_t>(points.size(), max_points);
        Trait trait(attainable_k(r_.columns, pos_t(n)));
        trait.exclude_self = o_.exclude_self;
        auto all = points.import_for(trait);
        points.own().tree = {};
        points.run_on(all.tree, [&](RunPoints<T, Cpu>& kept) {
            KnnSearch<T, Cpu> search{{.k = o_.k, .exclude_self = o_.exclude_self, .order = Order::z}};
            search.targets = all.targets;
            Cpu place = cpu_;
            take(Instance<KnnAlgorithm, D, T, Cpu>::run(place, kept, search),
                 names_of(all, points.ranks()));
        });
        points.end_phase("walk");
    }
    /// What neighbours are called: rows of the input or, with Order::z, positions among all points.
    template <class Imported>
    Buffer<index_t> names_of(Imported& all, Ranks const& ranks) const {
        if (o_.order == Order::input) return std::move(all.input_index);
        Buffer<index_t> names(all.position.size());
        for_each_of_ranks(cpu_, all.from, [&](std::size_t r, std::size_t i) {
            names[i] = index_t(ranks.positions_before(int(r)) + all.position[i]);
        });
        return names;
    }
    void take(KnnResult<T> found, Buffer<index_t> const& names) {
        cpu_.for_each(found.indices.size(), NameSources{found.indices.data(), names.data()});
        r_.rows = found.rows;
        r_.indices = std::move(found.indices);
        r_.distances = std::move(found.distances);
        auto& counts = r_.stats.counts;
        counts.insert(counts.end(), found.stats.counts.begin(), found.stats.counts.end());
    }
    /// Positions in the tree become names.
    struct NameSources {
        index_t* index;
        index_t const* names;
        void operator()(std::size_t i) const {
            if (index[i] >= 0) index[i] = names[index[i]];
        }
    };

    Comm& comm_;
    Cpu const& cpu_;
    KnnOptions const& o_;
    KnnOnRanks<T> r_;
};

}  // namespace
}  // namespace detail

template <class T>
KnnOnRanks<T> knn(Points<T> local, KnnOptions const& options, Mpi const& mpi, Cpu const& cpu) {
    Comm comm(mpi);
    return detail::KnnRanks<T>(comm, cpu, options).run(local);
}

template KnnOnRanks<float> knn(Points<float>, KnnOptions const&, Mpi const&, Cpu const&);
template KnnOnRanks<double> knn(Points<double>, KnnOptions const&, Mpi const&, Cpu const&);

}  // namespace zwalk::inline v0
