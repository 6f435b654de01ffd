// zwalk pairs on several ranks
#include "pairs.hpp"

#include <algorithm>

#include "../io/csv.hpp"
#include "../io/file.hpp"
#include "rank_memory.hpp"
#include "rank_run.hpp"
#include "zwalk/pairs/pairs.hpp"

namespace zwalk::apps {
namespace {

struct Job {
    static constexpr char const* name = "pairs";
    PairsCommand const& o;
    PairsPlan plan;
    io::PointSet queries{};  // the second points
    std::vector<double> weights{}, second_weights{};

    explicit Job(PairsCommand const& command) : o(command), plan(pairs_plan(command)) {}
    std::vector<double>& box() { return plan.pairs.box; }

    std::uint64_t read_more(Comm& comm, io::PointSet const& points) {
        std::string const& dataset = plan.read.dataset;
        std::string const masses = masses_beside(dataset);
        if (!o.edges.empty())
            plan.pairs.edges = comm.agree([&] {
                if (io::is_standard_input(o.edges)) io::refuse_ranges(o.edges);
                return read_column(o.edges, dataset);
            });
        if (!o.weights.empty())
            weights = read_own_column(comm, o.weights, masses, points.total, "weights");
        if (!o.second.empty()) {
            io::ReadOptions read = plan.read;
            read.precision = points.precision();
            queries = read_own_points(comm, o.second, read);
            print_notes(queries, "second points", plan.read.precision, o.quiet || comm.rank() != 0);
        }
        if (!o.second_weights.empty())
            second_weights =
                read_own_column(comm, o.second_weights, masses, queries.total, "second_weights");
        note_weights(comm, "--weights", weights, points.total);
        note_weights(comm, "--second-weights", second_weights, queries.total);
        plan.pairs.weights = weights;
        plan.pairs.second_weights = second_weights;
        return (weights.size() + second_weights.size()) * sizeof(double) + queries.file_bytes;
    }
    /// Memory of a rank that has imported half as many points as it has, which are there once more in z-order. All have weights:
    /// where none are given, units.
    [[nodiscard]] Need memory(io::PointSet const& points) const {
        Need need = pairs_memory(plan, points.size + points.size / 2, queries.size, points.dim,
                                 points.item_bytes(), 2 * (points.size + queries.size));
        need.input = points.bytes() + queries.bytes();
        for (auto* phase : {&need.sort, &need.build, &need.walk}) *phase += need.input;
        return need;
    }
    template <class T>
    PairCounts compute(Comm&, io::PointSet const& points) const {
        auto const own = points.points<T>();
        auto const count_on = [&](auto const&... places) {
            if (o.second.empty()) return pair_counts(own, plan.pairs, Mpi{}, places...);
            return pair_counts(own, queries.points<T>(), plan.pairs, Mpi{}, places...);
        };
        return plan.device == "cuda" ? count_on(plan.cuda(), plan.cpu()) : count_on(plan.cpu());
    }
    void write(RankDirectory& out, PairCounts const& r) const {
        out.write_by_first([&](io::OutputDirectory& directory) { write_pairs(directory, plan, r); });
    }
    void print(PairCounts const& r) const {
        print_pairs(o.second.empty() ? std::optional<std::uint64_t>() : queries.total, r);
    }
    [[nodiscard]] std::string files(PairCounts const& r) const { return files_of(plan, r); }

  private:
    /// Prints the note on the weights of all ranks.
    void note_weights(Comm& comm, char const* option, std::vector<double> const& own,
                      std::uint64_t count) const {
        WeightRange range(own);
        range.least = comm.reduce_all(range.least, [](double a, double b) { return std::min(a, b); });
        range.most = comm.reduce_all(range.most, [](double a, double b) { return std::max(a, b); });
        comm.agree([&] { print_note(weights_note(option, range, count), o.quiet || comm.rank() != 0); });
    }
};

}  // namespace

void run_pairs_on_ranks(PairsCommand const& command) { run_on_ranks<Job>(command); }
RankMemory memory_on_ranks(PairsCommand const& command, RankShape const& shape) {
    return memory_of_job<Job>(command, shape);
}

}  // namespace zwalk::apps
