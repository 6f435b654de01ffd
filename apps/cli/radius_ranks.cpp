// zwalk radius on several ranks
#include <algorithm>

#include "radius.hpp"
#include "rank_memory.hpp"
#include "rank_run.hpp"
#include "zwalk/radius/radius.hpp"

namespace zwalk::apps {
namespace {

struct Job {
    static constexpr char const* name = "balls";
    RadiusCommand const& o;
    RadiusPlan plan;
    io::PointSet queries{};
    std::vector<double> radii{};
    std::uint64_t found = 0;  // of all ranks

    explicit Job(RadiusCommand const& command) : o(command), plan(radius_plan(command)) {}
    std::vector<double>& box() { return plan.radius.box; }
    [[nodiscard]] bool has_queries() const { return !o.query.empty(); }

    std::uint64_t read_more(Comm& comm, io::PointSet const& points) {
        if (has_queries()) queries = read_own_queries(comm, o.query, plan.read, points, o.quiet);
        if (!o.radii.empty()) read_radii(comm, has_queries() ? queries.total : points.total);
        return queries.file_bytes + radii.size() * sizeof(double);
    }
    /// Memory of a rank that has imported half as many points as it has, which are there once more in z-order.
    [[nodiscard]] Need memory(io::PointSet const& points) const {
        Need need = radius_memory(o, plan, points.size + points.size / 2, queries.size, points.dim,
                                  points.item_bytes());
        need.input = points.bytes() + queries.bytes();
        for (auto* phase : {&need.sort, &need.build, &need.walk}) *phase += need.input;
        return need;
    }
    template <class T>
    RadiusOnRanks<T> compute(Comm& comm, io::PointSet const& points) {
        auto const own = points.points<T>();
        auto const find_on = [&](auto const&... places) {
            auto const find = [&](auto const&... who) {
                return o.count ? radius_count(who..., plan.radius, Mpi{}, places...)
                               : radius_search(who..., plan.radius, Mpi{}, places...);
            };
            return has_queries() ? find(own, queries.points<T>()) : find(own);
        };
        auto r = plan.device == "cuda" ? find_on(plan.cuda(), plan.cpu()) : find_on(plan.cpu());
        found = comm.reduce_all(r.found, std::plus<>());
        return r;
    }
    template <class T>
    void write(RankDirectory& out, RadiusOnRanks<T> const& r) const {
        std::size_t const rows = o.count ? r.counts.size() : r.offsets.size() - 1;
        if (o.count) {
            out.write_npy<index_t>("counts.npy", {rows}, r.counts);
        } else {
            write_offsets(out, r.offsets);
            out.write_npy<index_t>("indices.npy", {r.indices.size()}, r.indices);
            out.write_npy<T>("distances.npy", {r.distances.size()}, r.distances);
        }
        if (plan.order != Order::z) return;
        out.write_npy<index_t>("order.npy", {rows}, r.row_order);
        if (has_queries() && !o.count)
            out.write_npy<index_t>("source_order.npy", {r.source_order.size()}, r.source_order);
    }
    template <class T>
    void print(RadiusOnRanks<T> const&) const {
        if (has_queries()) fmt::print("queries     {}\n", queries.total);
        print_radius(o, plan);
        fmt::print("found       {}\n", found);
    }
    template <class T>
    std::string files(RadiusOnRanks<T> const&) const {
        return files_of(o);
    }

  private:
    void read_radii(Comm& comm, std::uint64_t targets) {
        radii = read_own_column(comm, o.radii, plan.read.dataset, targets, "radii",
                                has_queries() ? "queries" : "points");
        plan.take(radii);
        plan.longest = comm.reduce_all(plan.longest, [](double a, double b) { return std::max(a, b); });
    }
    /// counts.npy, and offsets.npy, whose end is the last rank's.
    static void write_offsets(RankDirectory& out, Buffer<size_type> const& own) {
        Comm& comm = out.comm();
        auto const before = comm.offsets(own.back())[std::size_t(comm.rank())];
        bool const last = comm.rank() + 1 == comm.size();
        std::size_t const rows = own.size() - 1;
        auto const [counts, offsets] = comm.agree([&] {
            std::pair all(Buffer<index_t>(rows), Buffer<index_t>(rows + last));
            for (std::size_t i = 0; i < rows; ++i) all.first[i] = index_t(own[i + 1] - own[i]);
            for (std::size_t i = 0; i < rows + last; ++i) all.second[i] = index_t(before + own[i]);
            return all;
        });
        out.write_npy<index_t>("counts.npy", {rows}, counts);
        out.write_npy<index_t>("offsets.npy", {offsets.size()}, offsets);
    }
};

}  // namespace

void run_radius_on_ranks(RadiusCommand const& command) { run_on_ranks<Job>(command); }
RankMemory memory_on_ranks(RadiusCommand const& command, RankShape const& shape) {
    return memory_of_job<Job>(command, shape);
}

}  // namespace zwalk::apps
