// zwalk fof on several ranks
#include "fof.hpp"
#include "rank_run.hpp"
#include "zwalk/dist/points.hpp"
#include "zwalk/fof/fof_mpi.hpp"

namespace zwalk::apps {
namespace {

struct Job {
    static constexpr char const* name = "groups";
    FofCommand const& o;
    FofPlan plan;

    explicit Job(FofCommand const& command) : o(command) {
        check_options_on_ranks(o);
        refuse_on_ranks(!o.labels_only, "zwalk fof without --labels-only (the catalogue of groups)");
        plan = fof_plan(o);
    }
    std::vector<double>& box() { return plan.fof.box; }

    /// Of a rank that has imported half as many points as it has. Its points are there once more in z-order, and labels
    /// once more when they are brought into the order of the input.
    [[nodiscard]] KnnMemory memory(io::PointSet const& points) const {
        FofMemory const m = fof_memory(points.size + points.size / 2, points.dim, points.item_bytes());
        KnnMemory need;
        need.input = points.bytes();
        need.result = 2 * sizeof(index_t) * points.size;
        need.sort = m.sort + points.bytes();
        need.build = m.walk + m.result + points.bytes();
        need.program = program_bytes;
        need.budget = plan.budget;
        return need;
    }
    template <class T>
    FofOnRanks compute(Comm& comm, io::PointSet const& points) {
        auto const own = points.points<T>();
        if (plan.fraction)
            plan.fof.linking_length = *plan.fraction * mean_spacing_of(comm, own, points.total);
        return fof(own, plan.fof, Mpi{}, plan.cpu());
    }
    void write(RankDirectory& out, FofOnRanks const& r) const {
        out.write_npy<index_t>("labels.npy", {r.labels.size()}, r.labels);
        if (plan.order == Order::z)
            out.write_npy<index_t>("order.npy", {r.row_order.size()}, r.row_order);
    }
    void print(FofOnRanks const& r) const {
        fmt::print("length      {}\n", plan.fof.linking_length);
        fmt::print("groups      {}\n", r.groups);
    }
    [[nodiscard]] std::string files(FofOnRanks const&) const {
        return plan.order == Order::z ? "labels.npy, order.npy" : "labels.npy";
    }

  private:
    template <class T>
    double mean_spacing_of(Comm& comm, Points<T> own, std::uint64_t total) const {
        print_note(spacing_note(plan.fof.box), o.quiet || comm.rank() != 0);
        Cpu const cpu = plan.cpu();
        check_points(comm, cpu, own);
        auto const extent = find_extent(comm, cpu, own);
        return comm.agree([&] { return mean_spacing(extent, total, plan.fof.box); });
    }
};

}  // namespace

void run_fof_on_ranks(FofCommand const& command, Launch const&) {
    Job job(command);
    run_on_ranks(job, command);
}

}  // namespace zwalk::apps
