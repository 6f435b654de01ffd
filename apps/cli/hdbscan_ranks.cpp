// zwalk hdbscan on several ranks
#include "hdbscan.hpp"

#include <algorithm>
#include <functional>

#include "emst.hpp"
#include "rank_memory.hpp"
#include "rank_run.hpp"
#include "zwalk/hdbscan/hdbscan.hpp"
#include "zwalk/run/rank_index.hpp"

namespace zwalk::apps {
namespace {

struct Job {
    static constexpr char const* name = "clusters";
    HdbscanPlan plan;
    std::uint64_t noise = 0;  // of all ranks

    explicit Job(HdbscanCommand const& command) : plan(hdbscan_plan(command)) {}
    std::vector<double>& box() { return plan.hdbscan.box; }
    static std::uint64_t read_more(Comm&, io::PointSet const&) { return 0; }

    [[nodiscard]] Need memory(io::PointSet const& points) const { return memory_of_rank(points, false); }
    [[nodiscard]] Need memory_of_first(io::PointSet const& points) const {
        return memory_of_rank(points, true);
    }
    template <class T>
    HdbscanOnRanks<T> compute(Comm& comm, io::PointSet const& points) {
        auto const rows = points.points<T>();
        auto r = plan.device == "cuda" ? hdbscan(rows, plan.hdbscan, Mpi{}, plan.cuda(), plan.cpu())
                                       : hdbscan(rows, plan.hdbscan, Mpi{}, plan.cpu());
        auto const own = std::count(r.labels.begin(), r.labels.end(), index_t(-1));
        noise = comm.reduce_all(std::uint64_t(own), std::plus<>());
        return r;
    }
    template <class T>
    void write(RankDirectory& out, HdbscanOnRanks<T> const& r) const {
        out.write_npy<index_t>("labels.npy", {r.labels.size()}, r.labels);
        out.write_npy<double>("probabilities.npy", {r.probabilities.size()}, r.probabilities);
        out.write_npy<double>("outlier_scores.npy", {r.outlier_scores.size()}, r.outlier_scores);
        out.write_by_first([&](io::OutputDirectory& directory) {
            write_tables(directory, plan, {r.linkage, r.condensed_tree, r.ids, r.persistence, noise});
        });
    }
    template <class T>
    void print(HdbscanOnRanks<T> const& r) const {
        print_clusters(r.clusters, noise);
    }
    template <class T>
    std::string files(HdbscanOnRanks<T> const&) const {
        return plan.files();
    }

  private:
    [[nodiscard]] Need memory_of_rank(io::PointSet const& points, bool makes_clusters) const {
        return of_points(hdbscan_rank_memory(points.size, points.total, points.dim, points.item_bytes(),
                                             plan.hdbscan, makes_clusters),
                         plan, points);
    }
};

}  // namespace

void run_hdbscan_on_ranks(HdbscanCommand const& command, Launch const&) { run_on_ranks<Job>(command); }
RankMemory memory_on_ranks(HdbscanCommand const& command, RankShape const& shape) {
    return memory_of_job<Job>(command, shape);
}

}  // namespace zwalk::apps
