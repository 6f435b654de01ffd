#include "stats.hpp"

#include <algorithm>
#include <fstream>

#include "memory.hpp"
#include "zwalk/exec/cpu.hpp"

namespace zwalk::apps {
namespace {

std::string cpu_name() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);)
        if (line.starts_with("model name"))
            if (auto const at = line.find(": "); at != line.npos) return line.substr(at + 2);
    return "cpu";
}

}  // namespace

void RunStats::describe(CommonPlan const& plan, Need const& need, io::PointSet const& points) {
    predicted_peak = need.peak();
    budget = need.budget;
    input_bytes = points.file_bytes;
    device = plan.device;
    threads = plan.cpu().threads();
    counts = {{"points", points.total}, {"dim", std::uint64_t(points.dim)}};
}

void RunStats::set_phases(std::vector<std::pair<std::string, double>> const& measured) {
    double sum = 0;
    for (auto const& [name, seconds] : measured) {
        sum += seconds;
        auto const same = std::find_if(phases.begin(), phases.end(),
                                       [&, key = name](auto const& p) { return p.first == key; });
        if (same != phases.end()) same->second += seconds;
        else phases.emplace_back(name, seconds);
    }
    compute = std::max(compute, sum);  // against rounding: nothing may be left over below zero
    phases.emplace_back("other", compute - sum);
}

std::string RunStats::json() const {
    using io::JsonObject;
    JsonObject seconds, by_phase, bytes, counted, where;
    for (auto const& [name, value] : phases) by_phase.add(name, value);
    seconds.add("read", read).add("compute", compute).add("write", write);
    seconds.add("total", total.seconds()).add("phases", by_phase);
    bytes.add("input", input_bytes).add("output", output_bytes);
    bytes.add("peak_resident", peak_resident()).add("predicted_peak", predicted_peak);
    bytes.add("budget", budget);
    for (auto const& [name, value] : counts) counted.add(name, value);
    where.add("kind", device).add("threads", std::uint64_t(threads)).add("name", cpu_name());
    JsonObject all;
    all.add("seconds", seconds).add("bytes", bytes).add("counts", counted).add("device", where);
    if (ranks) all.add("ranks", *ranks);
    return all.text() + "\n";
}

StatsFile::StatsFile(std::string const& path, io::OutputDirectory* out, bool force) {
    if (!path.empty()) file_.emplace(path, out, force);
}

void StatsFile::write(RunStats const& stats) {
    if (!file_) return;
    io::Writer out(file_->path());
    out.write(stats.json());
    out.close();
}

void StatsFile::commit() {
    if (file_) file_->commit();
}

}  // namespace zwalk::apps
