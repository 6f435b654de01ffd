// knn() on MPI ranks: sorted over ranks, what is needed brought in, then the driver of one process.
#include "compiled_dims.hpp"
#include "search.hpp"
#include "zwalk/dist/agree_on.hpp"
#include "zwalk/dist/import.hpp"
#include "zwalk/dist/points.hpp"
#include "zwalk/knn/knn_mpi.hpp"
#include "zwalk/nearest/trait.hpp"

namespace zwalk::inline v0 {
namespace detail {
namespace {

/// The trait as far as nodes are asked: what needs no output.
struct NoOutput {
    void operator()(auto const&, auto const&) const {}
};

/// Phases of a call, in which ranks wait for each other.
class Phases {
  public:
    explicit Phases(Stats& stats) : stats_(stats) {}
    void end(char const* phase) {
        double const now = now_seconds();
        stats_.seconds.emplace_back(phase, now - last_);
        last_ = now;
    }

  private:
    Stats& stats_;
    double last_ = now_seconds();
};

template <class T>
class KnnRanks {
  public:
    KnnRanks(Comm& comm, Cpu const& cpu, KnnOptions const& o) : comm_(comm), cpu_(cpu), o_(o) {}

    KnnOnRanks<T> run(Points<T> local) {
        check(local);
        Phases phases(r_.stats);
        auto sorted = z_sort(comm_, cpu_, local);
        phases.end("sort");
        r_.columns = std::size_t(o_.k);
        with_dim<void>(CpuDims{}, local.dim, [&]<int D>() { find<D>(std::move(sorted), phases); });
        if (o_.order == Order::input) {
            go_home(local.size);
            phases.end("home");
        } else {
            r_.row_order = std::move(sorted_.input_index);
        }
        r_.steps = comm_.stats();
        std::uint64_t bytes = 0;
        for (StepStats const& step : r_.steps) bytes += step.bytes;
        r_.stats.counts.emplace_back("bytes_sent", bytes);
        return std::move(r_);
    }

  private:
    void check(Points<T> local) {
        std::span<double const> const box = o_.box;
        agree_on(comm_, {{"k", o_.k},
                         {"exclude_self", o_.exclude_self},
                         {"order", int(o_.order)},
                         {"the box", box}});
        comm_.agree([&] { check_options(o_, false); });
        check_points(comm_, cpu_, local);
        auto const extent = find_extent(comm_, cpu_, local);
        prepared_.dim = local.dim;
        prepared_.options = o_.tree;
        prepared_.period = comm_.agree([&] {
            (void)compiled_columns<Cpu>(CpuDims{}, local.dim);
            return checked_period(o_.box, extent);
        });
    }

    template <int D>
    void find(SortedPoints<T>&& sorted, Phases& phases) {
        auto own = comm_.agree([&] { return make_rank_tree<D>(cpu_, std::move(sorted), o_.tree); });
        phases.end("planes");
        using Trait = Nearest<D, T, NoOutput>;
        auto all = with_space<D>(prepared_.period, [&](auto const& space) {
            std::uint64_t const n = own.points.ranks.positions_before(comm_.size());
            Trait trait(attainable_k(std::size_t(o_.k), pos_t(std::min<std::uint64_t>(n, max_points))));
            trait.exclude_self = o_.exclude_self;
            return import_sources(comm_, cpu_, trait, space, own);
        });
        r_.stats.counts.emplace_back("imported", all.tree.size() - own.tree.size());
        own.tree = {};
        sorted_ = std::move(own.points);
        phases.end("import");
        prepared_.tree = std::move(all.tree);
        comm_.agree([&] { walk<D>(all.targets, all.input_index); });
        phases.end("walk");
    }
    template <int D>
    void walk(TargetNodes const& targets, Buffer<index_t> const& input_index) {
        RunPoints<T, Cpu> kept(prepared_);
        KnnSearch<T, Cpu> search{{.k = o_.k, .exclude_self = o_.exclude_self, .order = Order::z}};
        search.targets = targets;
        Cpu place = cpu_;
        auto found =
            cpu_.run([&] { return Instance<KnnAlgorithm, D, T, Cpu>::run(place, kept, search); });
        place.for_each(found.indices.size(), NameSources{found.indices.data(), input_index.data()});
        r_.rows = found.rows;
        r_.indices = std::move(found.indices);
        r_.distances = std::move(found.distances);
        r_.stats.counts.insert(r_.stats.counts.end(), found.stats.counts.begin(),
                               found.stats.counts.end());
    }
    /// Positions become rows of the input.
    struct NameSources {
        index_t* index;
        index_t const* input_index;
        void operator()(std::size_t i) const {
            if (index[i] >= 0) index[i] = input_index[index[i]];
        }
    };

    void go_home(std::size_t rows) {
        bring_home(rows, r_.indices);
        bring_home(rows, r_.distances);
        r_.rows = rows;
    }
    template <class V>
    void bring_home(std::size_t rows, Buffer<V>& values) {
        auto by_row = comm_.agree([&] { return Buffer<V>(rows * r_.columns); });
        home(comm_, cpu_, sorted_.travel, std::span<V const>(values), std::span<V>(by_row), r_.columns);
        values = std::move(by_row);
    }

    Comm& comm_;
    Cpu const& cpu_;
    KnnOptions const& o_;
    PreparedPoints<T, Cpu> prepared_;
    SortedPoints<T> sorted_;
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
