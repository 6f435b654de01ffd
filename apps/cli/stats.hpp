// The file of --stats.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../io/json.hpp"
#include "../io/output.hpp"
#include "common.hpp"
#include "zwalk/knn/memory.hpp"

namespace zwalk::apps {

/// What a run took.
struct RunStats {
    double read = 0, compute = 0, write = 0;             ///< seconds
    std::vector<std::pair<std::string, double>> phases;  ///< seconds; they add up to compute
    std::vector<std::pair<std::string, std::uint64_t>> counts;
    std::uint64_t input_bytes = 0, output_bytes = 0, predicted_peak = 0, budget = 0;
    std::string device = "cpu";
    int threads = 1;
    std::optional<io::JsonObject> ranks;  ///< the figures of ranks where several did it
    Timer total;

    /// Where the work is done, on which points and in what memory.
    void describe(CommonPlan const& plan, Need const& need, io::PointSet const& points);
    /// The phases that the library measured, and "other": what is left of compute.
    void set_phases(std::vector<std::pair<std::string, double>> const& measured);
    [[nodiscard]] std::string json() const;
};

/// Written beside the results: in the same directory, or anywhere else. No name: does nothing.
class StatsFile {
  public:
    /// @param out  null: there is no output directory
    StatsFile(std::string const& path, io::OutputDirectory* out, bool force);
    void write(RunStats const& stats);
    void commit();

  private:
    std::optional<io::SideFile> file_;
};

}  // namespace zwalk::apps
