// zwalk peaks on several ranks
#include "peaks.hpp"

#include "rank_memory.hpp"
#include "rank_run.hpp"

namespace zwalk::apps {
namespace {

template <class T>
struct Found : PeaksOnRanks<T> {
    PeaksClusters cut;
};

struct Job {
    static constexpr char const* name = "density peaks";
    PeaksPlan plan;

    explicit Job(PeaksCommand const& command) : plan(peaks_plan(command)) {}
    std::vector<double>& box() { return plan.peaks.box; }

    static std::uint64_t read_more(Comm&, io::PointSet const&) { return 0; }
    /// Memory of a rank that has imported half as many points as it has. Its points are there once more in z-order, and results
    /// once more when they are brought into the order of the input.
    [[nodiscard]] Need memory(io::PointSet const& points) const {
        Need need = of_points(
            peaks_memory(points.size + points.size / 2, points.dim, points.item_bytes()), plan, points);
        need.sort += points.bytes();
        need.build += need.result + points.bytes();
        need.result = 2 * row_bytes(points) * points.size;
        return need;
    }
    /// Rank 0 makes the cut.
    [[nodiscard]] Need memory_of_first(io::PointSet const& points) const {
        Need need = memory(points);
        if (plan.cut)
            need.result += (row_bytes(points) + sizeof(index_t) + sizeof(pos_t)) * points.total;
        return need;
    }
    template <class T>
    Found<T> compute(Comm& comm, io::PointSet const& points) const {
        auto const own = points.points<T>();
        Found<T> r{plan.device == "cuda" ? density_peaks(own, plan.peaks, Mpi{}, plan.cuda(), plan.cpu())
                                         : density_peaks(own, plan.peaks, Mpi{}, plan.cpu()),
                   {}};
        if (!plan.cut) return r;
        r.cut = peaks_clusters(r, *plan.cut, Mpi{}, plan.cpu());
        comm.agree([&] { r.stats.counts.emplace_back("clusters", r.cut.centres.size()); });
        return r;
    }
    template <class T>
    void write(RankDirectory& out, Found<T> const& r) const {
        out.write_npy<T>("radius.npy", {r.radius.size()}, r.radius);
        out.write_npy<T>("delta.npy", {r.delta.size()}, r.delta);
        out.write_npy<index_t>("nearest_denser.npy", {r.nearest_denser.size()}, r.nearest_denser);
        if (plan.cut) {
            out.write_npy<index_t>("labels.npy", {r.cut.labels.size()}, r.cut.labels);
            out.write_by_first([&](io::OutputDirectory& files) {
                io::write_npy<index_t>(files.file("centres.npy"), {r.cut.centres.size()}, r.cut.centres);
            });
        }
        if (plan.order == Order::z)
            out.write_npy<index_t>("order.npy", {r.row_order.size()}, r.row_order);
    }
    template <class T>
    void print(Found<T> const& r) const {
        if (plan.cut) print_centres(r.cut);
    }
    template <class T>
    [[nodiscard]] std::string files(Found<T> const&) const {
        return files_of(plan);
    }

  private:
    static std::uint64_t row_bytes(io::PointSet const& points) {
        return 2 * points.item_bytes() + sizeof(index_t);
    }
};

}  // namespace

void run_peaks_on_ranks(PeaksCommand const& command) { run_on_ranks<Job>(command); }
RankMemory memory_on_ranks(PeaksCommand const& command, RankShape const& shape) {
    return memory_of_job<Job>(command, shape);
}

}  // namespace zwalk::apps
