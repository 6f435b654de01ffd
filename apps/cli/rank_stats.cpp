#include "rank_stats.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "memory.hpp"

namespace zwalk::apps {
namespace {

struct Figure {
    char name[56] = {};
    double value = 0;
};

using Figures = std::vector<std::pair<std::string, double>>;

/// Counts of the whole, which are the same on all ranks that have them (those of spanning trees and of clusters).
bool is_of_all(std::string_view count) {
    return count == "parts" || count == "rounds" || count == "searches" || count == "clusters" ||
           count == "core_points" || count == "noise";
}

Spread& named(std::vector<Spread>& all, char const* name) {
    auto const same =
        std::find_if(all.begin(), all.end(), [&](Spread const& s) { return s.name == name; });
    return same != all.end() ? *same : all.emplace_back(Spread{name});
}

/// What each rank has of figures, which may occur several times.
std::vector<Figure> summed(Figures const& own) {
    std::vector<Figure> figures;
    for (auto const& [name, value] : own) {
        Figure figure{{}, value};
        std::strncpy(figure.name, name.c_str(), sizeof(figure.name) - 1);
        auto const same = std::find_if(figures.begin(), figures.end(), [&](Figure const& f) {
            return std::strcmp(f.name, figure.name) == 0;
        });
        if (same == figures.end()) figures.push_back(figure);
        else same->value += value;
    }
    return figures;
}

io::JsonObject spreads_json(std::vector<Spread> const& spreads, int ranks) {
    io::JsonObject all;
    for (Spread const& s : spreads) {
        io::JsonObject spread;
        spread.add("min", s.least).add("mean", s.sum / ranks).add("max", s.most);
        all.add(s.name, spread);
    }
    return all;
}

/// A figure of each step.
template <class Of>
Figures of_steps(std::vector<StepStats> const& steps, Of const& of) {
    Figures figures;
    for (StepStats const& s : steps) figures.emplace_back(s.name, double(of(s)));
    return figures;
}

}  // namespace

std::vector<Spread> spread_over_ranks(Comm& comm, Figures const& own) {
    auto const figures = comm.agree([&] { return summed(own); });
    auto const all = comm.gather_all(std::span<Figure const>(figures));
    return comm.agree([&] {
        std::vector<Spread> spreads;
        for (Figure const& f : all.records) named(spreads, f.name).sum += f.value;
        for (Spread& s : spreads) {
            std::vector<double> values;
            for (Figure const& f : all.records)
                if (s.name == f.name) values.push_back(f.value);
            if (values.size() < std::size_t(comm.size())) values.push_back(0);
            auto const [least, most] = std::minmax_element(values.begin(), values.end());
            s.least = *least, s.most = *most;
        }
        return spreads;
    });
}

void gather_stats(Comm& comm, Stats const& own, std::vector<StepStats> const& steps, RunStats& stats) {
    auto const step = comm.step("stats");
    auto const spread = [&](auto const& figures) {
        return spread_over_ranks(comm, comm.agree(figures));
    };
    auto const seconds = spread([&] { return own.seconds; });
    auto const counts = spread([&] { return Figures(own.counts.begin(), own.counts.end()); });
    auto const peaks = spread([&] { return Figures{{"peak_resident", double(peak_resident())}}; });
    auto const bytes = spread([&] { return of_steps(steps, [](auto& s) { return s.bytes; }); });
    auto const messages = spread([&] { return of_steps(steps, [](auto& s) { return s.messages; }); });
    auto const waits = spread([&] { return of_steps(steps, [](auto& s) { return s.collectives; }); });
    comm.agree([&] {
        io::JsonObject ranks, by_step;
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            io::JsonObject one;
            one.add("bytes", std::uint64_t(bytes[i].sum));
            one.add("messages", std::uint64_t(messages[i].sum));
            one.add("collectives", std::uint64_t(waits[i].most));
            by_step.add(bytes[i].name, one);
        }
        double imported = 0;
        for (Spread const& s : counts) {
            stats.counts.emplace_back(s.name, std::uint64_t(is_of_all(s.name) ? s.most : s.sum));
            if (s.name == "imported") imported = s.sum;
        }
        ranks.add("count", std::uint64_t(comm.size()));
        ranks.add("imported_share",
                  imported / double(std::max<std::uint64_t>(1, stats.counts[0].second)));
        ranks.add("bytes", spreads_json(peaks, comm.size()));
        ranks.add("phases", spreads_json(seconds, comm.size())).add("steps", by_step);
        stats.ranks = ranks;
    });
}

}  // namespace zwalk::apps
