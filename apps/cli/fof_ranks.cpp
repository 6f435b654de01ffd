// zwalk fof on several ranks
#include <algorithm>

#include "fof.hpp"
#include "rank_memory.hpp"
#include "rank_run.hpp"
#include "zwalk/fof/fof_mpi.hpp"
#include "zwalk/ranks/points.hpp"

namespace zwalk::apps {
namespace {

struct Job {
    static constexpr char const* name = "groups";
    FofCommand const& o;
    FofPlan plan;
    BesidePoints beside{};
    index_t largest = 0;  ///< members of the largest group

    explicit Job(FofCommand const& command) : o(command), plan(fof_plan(command)) {}
    std::vector<double>& box() { return plan.fof.box; }

    std::uint64_t read_more(Comm& comm, io::PointSet const& points) {
        beside = read_beside(o, plan, points.precision(), [&](auto& file, auto const& options) {
            return read_own_points(comm, file, options);
        });
        comm.agree([&] { beside.check(o, points); });
        return beside.file_bytes();
    }
    /// Memory of a rank that has imported half as many points as it has. Its points are there once more in z-order, and labels
    /// once more when they are brought into the order of the input. For the catalogue masses and velocities are there in
    /// z-order, too, and all of it once more if all groups span ranks.
    [[nodiscard]] Need memory(io::PointSet const& points) const {
        Need need = of_points(fof_memory(points.size + points.size / 2, points.dim, points.item_bytes()),
                              plan, points);
        need.input += beside.bytes();
        need.sort += points.bytes();
        need.build += need.result + points.bytes();
        need.result = 2 * sizeof(index_t) * points.size;
        if (o.labels_only) need.walk = 0;
        else
            need.walk += 2 * (points.bytes() + beside.bytes()) + row_bytes(points) +
                         (o.members ? member_bytes * points.size : 0);
        return need;
    }
    template <class T>
    FofWithCatalogue compute(Comm& comm, io::PointSet const& points) {
        auto const own = points.points<T>();
        if (plan.fraction)
            plan.fof.linking_length = *plan.fraction * mean_spacing_of(comm, own, points.total);
        bool const on_gpu = plan.device == "cuda";
        if (o.labels_only)
            return {on_gpu ? fof(own, plan.fof, Mpi{}, plan.cuda(), plan.cpu())
                           : fof(own, plan.fof, Mpi{}, plan.cpu()),
                    {}};
        auto const options = comm.agree([&] {
            auto all = beside.options<T>(plan);
            all.members = o.members;
            return all;
        });
        auto found = on_gpu ? fof_with_catalogue(own, plan.fof, options, Mpi{}, plan.cuda(), plan.cpu())
                            : fof_with_catalogue(own, plan.fof, options, Mpi{}, plan.cpu());
        auto const& rows = found.catalogue.rows;
        largest = comm.reduce_all(rows.size() > 0 ? rows.count[0] : 0,
                                  [](index_t a, index_t b) { return std::max(a, b); });
        comm.agree([&] { found.stats.counts.emplace_back("catalogue", rows.size()); });
        return found;
    }
    void write(RankDirectory& out, FofWithCatalogue const& r) const {
        out.write_npy<index_t>("labels.npy", {r.labels.size()}, r.labels);
        if (plan.order == Order::z) out.write_npy<index_t>("order.npy", {r.z_order.size()}, r.z_order);
        if (o.labels_only) return;
        // As one process, whose catalogue of no groups has no velocities.
        bool const velocities = !o.velocities.empty() && r.catalogue.size > 0;
        auto const table = out.comm().agree([&] { return table_of(r.catalogue.rows, velocities); });
        if (o.format == "npy") out.write_npy_table("catalogue.npy", table);
        else if (o.format == "csv") out.write_csv_table("catalogue.csv", table);
        else out.write_hdf5_table("catalogue.hdf5", "Groups", table);
        if (o.members)
            out.write_npy<index_t>("members.npy", {r.catalogue.members.size()}, r.catalogue.members);
    }
    void print(FofWithCatalogue const& r) const {
        if (o.labels_only) print_groups(plan, r.groups);
        else print_groups(plan, r.groups, r.catalogue.size, largest);
    }
    [[nodiscard]] std::string files(FofWithCatalogue const&) const { return files_of(o); }

  private:
    static constexpr std::uint64_t member_bytes = 80;  // with those of others while they travel

    /// The bytes of the largest catalogue: its rows, before they are sorted and after, and as bytes of a file.
    [[nodiscard]] std::uint64_t row_bytes(io::PointSet const& points) const {
        return points.size / plan.min_members * 3 * sizeof(double) * (8 + 2 * std::uint64_t(points.dim));
    }
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

void run_fof_on_ranks(FofCommand const& command, Launch const&) { run_on_ranks<Job>(command); }
RankMemory memory_on_ranks(FofCommand const& command, RankShape const& shape) {
    return memory_of_job<Job>(command, shape);
}

}  // namespace zwalk::apps
