// zwalk knn on several ranks
#include <filesystem>
#include <optional>
#include <variant>

#include "../io/file.hpp"
#include "knn_job.hpp"
#include "rank_memory.hpp"
#include "ranks.hpp"
#include "zwalk/knn/knn_in_batches.hpp"
#include "zwalk/run/rank_index.hpp"

namespace zwalk::apps {
namespace {

Mpi mpi_of(KnnPlan const& plan) { return {.gpu_aware = plan.gpu_aware}; }

/// See knn_job.hpp.
class RankSources {
  public:
    using Place = Ranks;
    using Directory = RankDirectory;
    using P = Mpi;

    io::PointSet read(Ranks& place, std::string const& file, KnnPlan const& plan) {
        auto const item_bytes = place.agree([&] {
            io::check_input_file(file);
            return index_item_bytes(file);
        });
        return item_bytes == 4 ? read_index<float>(place, file, plan)
                               : read_index<double>(place, file, plan);
    }
    template <class T>
    void make(io::PointSet const& points, KnnPlan const& plan, Stats& stats) {
        index_ = RankIndex<T>(points.points<T>(), {.box = plan.knn.box}, mpi_of(plan), plan.cpu());
        stats.seconds = std::get<RankIndex<T>>(index_).stats().seconds;
    }
    template <class T>
    void write(std::string const& path, std::string const&) const {
        std::get<RankIndex<T>>(index_).write(path);
    }

    template <class T, class F>
    void at(io::PointSet const& points, KnnPlan const& plan, Cpu const& cpu, F const& f) {
        bool const on_gpu = plan.device == "cuda";
        if (auto* const kept = std::get_if<RankIndex<T>>(&index_)) {
            kept->cpu() = cpu;
            if (on_gpu) f(*kept, plan.of_index(), plan.cuda());
            else f(*kept, plan.of_index());
        } else if (on_gpu) {
            f(points.points<T>(), plan.knn, mpi_of(plan), plan.cuda(), cpu);
        } else {
            f(points.points<T>(), plan.knn, mpi_of(plan), cpu);
        }
    }
    template <class T, class Call, class See, class... Where>
    KnnResult<T, Mpi> find(Call const& call, KnnPlan const& plan, RankDirectory& out, See const& see,
                           KnnOptions const& options, Where const&... where) {
        KnnBatch<T> all;
        std::optional<RankArray<index_t>> indices;
        std::optional<RankArray<T>> distances;
        auto const keep_or_write = [&](KnnBatch<T>& batch) {
            see(batch.indices, batch.batches);
            if (batch.batches == 1) {
                all = std::move(batch);
                return;
            }
            if (!indices) {
                std::vector<std::uint64_t> const shape{batch.rows_of_rank, batch.columns};
                indices.emplace(out, "indices.npy", shape);
                distances.emplace(out, "distances.npy", shape);
            }
            indices->write(batch.first, batch.indices);
            distances->write(batch.first, batch.distances);
        };
        auto found = call([](auto const&... a) { return knn_in_batches(a...); }, options, plan.budget,
                          keep_or_write, where...);
        found.indices = std::move(all.indices);
        found.distances = std::move(all.distances);
        return found;
    }
    template <class T>
    void finish(KnnPlan const&, bool, KnnFound<T, Mpi>& found) const {
        auto const* const kept = std::get_if<RankIndex<T>>(&index_);
        if (!kept) return;
        auto const& made = kept->stats().steps;
        found.stats.steps.insert(found.stats.steps.end(), made.begin(), made.end());
    }

  private:
    /// What is known of the points of the index, without them.
    template <class T>
    io::PointSet read_index(Ranks& place, std::string const& file, KnnPlan const& plan) {
        index_ = RankIndex<T>::load(file, mpi_of(plan), plan.cpu());
        return place.agree([&] {
            auto const& read = std::get<RankIndex<T>>(index_);
            io::PointSet points;
            points.rows = Buffer<T>();
            points.size = read.rows();
            points.total = read.size();
            points.dim = read.dim();
            points.box = read.box();
            points.file_bytes = place.is_first() ? std::filesystem::file_size(file) : 0;
            return points;
        });
    }

    std::variant<std::monostate, RankIndex<float>, RankIndex<double>> index_;
};

}  // namespace

void run_knn_on_ranks(KnnCommand const& command) { run_on_ranks<KnnJob<RankSources>>(command); }
RankMemory knn_memory_on_ranks(KnnCommand const& command, RankShape const& shape) {
    return memory_on_ranks<KnnJob<RankSources>>(command, shape);
}

}  // namespace zwalk::apps
