// zwalk dbscan on several ranks
#include "dbscan.hpp"

#include "rank_memory.hpp"
#include "rank_run.hpp"
#include "zwalk/dbscan/dbscan.hpp"

namespace zwalk::apps {
namespace {

struct Job {
    static constexpr char const* name = "clusters";
    DbscanCommand const& o;
    DbscanPlan plan;

    explicit Job(DbscanCommand const& command) : o(command), plan(dbscan_plan(command)) {}
    std::vector<double>& box() { return plan.dbscan.box; }

    static std::uint64_t read_more(Comm&, io::PointSet const&) { return 0; }
    /// Memory of a rank that has imported half as many points as it has. Its points are there once more in z-order, and labels
    /// once more when they are brought into the order of the input.
    [[nodiscard]] Need memory(io::PointSet const& points) const {
        Need need = of_points(
            dbscan_memory(points.size + points.size / 2, points.dim, points.item_bytes()), plan, points);
        need.sort += points.bytes();
        need.build += need.result + points.bytes();
        need.result = 2 * (sizeof(index_t) + 1) * points.size;
        return need;
    }
    template <class T>
    DbscanOnRanks compute(Comm&, io::PointSet const& points) const {
        auto const own = points.points<T>();
        return plan.device == "cuda" ? dbscan(own, plan.dbscan, Mpi{}, plan.cuda(), plan.cpu())
                                     : dbscan(own, plan.dbscan, Mpi{}, plan.cpu());
    }
    void write(RankDirectory& out, DbscanOnRanks const& r) const {
        out.write_npy<index_t>("labels.npy", {r.labels.size()}, r.labels);
        out.write_npy<std::uint8_t>("core.npy", {r.core.size()}, r.core);
        if (plan.order == Order::z)
            out.write_npy<index_t>("order.npy", {r.row_order.size()}, r.row_order);
    }
    void print(DbscanOnRanks const& r) const {
        print_clusters(plan, r.clusters, r.core_points, r.noise);
    }
    [[nodiscard]] std::string files(DbscanOnRanks const&) const { return files_of(o); }
};

}  // namespace

void run_dbscan_on_ranks(DbscanCommand const& command) { run_on_ranks<Job>(command); }
RankMemory memory_on_ranks(DbscanCommand const& command, RankShape const& shape) {
    return memory_of_job<Job>(command, shape);
}

}  // namespace zwalk::apps
