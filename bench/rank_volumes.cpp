// What ranks would bring in from each other, counted in one process: so for more ranks than a machine has cores.
//
//   bench_rank_volumes KIND N [N ...]      # uniform or clustered; e.g. uniform 1e6 4e6 1.6e7 6.4e7
//
// N float points in 3-D, in z-order, cut into 8 to 1000 equal ranges, each with a tree, as ranks/sort.hpp leaves them.
// Every rank asks, and those asked mark their points, by the code of the library (ranks/detail/need.hpp); nothing is sent, and nothing
// is walked. For k = 16 nearest neighbours, for friends-of-friends with b = 0.2 of the mean spacing, and ("far") for gravity by
// nodes that are seen under less than 0.5, as the example examples/traits/monopole.hpp has it. Columns:
//
//   n            points of a rank
//   mean, most   points that ranks bring in, by n: of all ranks, of the one with most
//   shell        if a rank's range were a cube: how far around it reaches what the one with most brings in, in mean spacings
//                of points. See share_in_shell()
//   requests     points or leaves that ask, once for each rank asked, by n: the mean
//   nodes        that come without all their points, by n: the mean
//   bytes        that reach a rank (points, nodes, requests, top nodes of all), by n: the mean
//
// Then for each number of ranks the exponent of n that fits `most` best, and by the mean of the shells what the one with most
// would bring in of 1e8 points a rank. Some 40 bytes of memory for each point.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "figures.hpp"
#include "fof/src/algorithm.hpp"
#include "traits/monopole.hpp"
#include "zwalk/fof/fof.hpp"
#include "zwalk/fof/trait.hpp"
#include "zwalk/knn/knn.hpp"
#include "zwalk/nearest/no_output.hpp"
#include "zwalk/nearest/trait.hpp"
#include "zwalk/ranks/import.hpp"
#include "zwalk/tree/joint.hpp"
#include "zwalk/zorder/sort.hpp"

namespace {

using namespace zwalk;

constexpr int rank_counts[]{8, 64, 100, 512, 1000};

struct Volume {
    double points = 0, nodes = 0;  ///< brought in
    double requests = 0;           ///< points or leaves that asked
};

/// All ranks of a walk of one trait, in open space.
template <class I>
class AllRanks {
    using Stub = detail::NodeStub<I>;
    using Summarized = detail::SummarizedTree<I>;

  public:
    AllRanks(Cpu const& cpu, I const& trait, Points<float> sorted, int ranks,
             TreeOptions const& options) {
        canopy_.begin.push_back(0);
        // Of points that weigh nothing: no bound depends on it.
        std::vector<typename I::Payload> const nothing(sorted.size / std::size_t(ranks) + 1);
        Columns<typename I::Payload> const payload{std::span(nothing)};
        std::vector<Stub> tops;
        for (int r = 0; r < ranks; ++r) {
            std::size_t const begin = first(sorted.size, ranks, r),
                              end = first(sorted.size, ranks, r + 1);
            Points<float> const own(sorted.data + 3 * begin, end - begin, 3);
            trees_.push_back(build_tree(cpu, own, 3, options));
            auto& sources = sources_.emplace_back(Summarized{&trees_.back(), {}});
            if constexpr (I::uses.summary)
                sources.summary =
                    cpu.run([&] { return summarize(trait, trees_.back(), payload.view()); });
            auto const stubs = detail::top_stubs(sources);
            tops.insert(tops.end(), stubs.begin(), stubs.end());
            canopy_.begin.push_back(tops.size());
        }
        canopy_.records = Buffer<Stub>(tops.size());
        std::copy(tops.begin(), tops.end(), canopy_.records.begin());
    }

    /// Of each rank.
    [[nodiscard]] std::vector<Volume> volumes(Cpu const& cpu, I const& trait) const {
        detail::StubPlane<I> const canopy{std::span<Stub const>(canopy_.records)};
        Open<3, float> const space;
        detail::NeedWalk<I, Open<3, float>> const walk(trait, space);
        std::vector<Volume> of_ranks(trees_.size());
        cpu.run([&] {
            parallel_for(trees_.size(), 1, [&](std::size_t r, std::size_t end) {
                for (; r < end; ++r) of_ranks[r] = volume(walk, canopy, int(r));
            });
        });
        return of_ranks;
    }
    /// Bytes that reach a rank with this volume.
    [[nodiscard]] double bytes(Volume const& v) const {
        return v.points * double(sizeof(detail::GivenPoint<I>)) +
               v.nodes * double(sizeof(detail::GivenNode<I>)) +
               double(sizeof(detail::Asking<I>)) * v.requests +
               double(sizeof(Stub)) * double(canopy_.records.size());
    }

  private:
    static std::size_t first(std::size_t n, int ranks, int r) {
        return n * std::size_t(r) / std::size_t(ranks);
    }
    template <class Walk>
    [[nodiscard]] Volume volume(Walk const& walk, detail::StubPlane<I> const& canopy, int rank) const {
        auto const& own = sources_[std::size_t(rank)];
        auto const asked = walk.ask(own, own, canopy, detail::askable_ranks<I>(canopy_.begin, rank),
                                    int(trees_.size()));
        Volume v{0, 0, double(asked.of_ranks.records.size())};
        for (int r = 0; r < int(trees_.size()); ++r) {
            if (asked.of_ranks.of(r).empty()) continue;
            auto const& sources = sources_[std::size_t(r)];
            if constexpr (accepts_nodes<I>) {
                auto const wanted = walk.wanted_nodes(sources, asked.of_ranks.of(r));
                auto const& first = sources.tree->planes[0].first;
                for (pos_t const l : wanted[0]) v.points += first[l + 1] - first[l];
                v.nodes += double(detail::given_nodes(sources, wanted).size());
            } else {
                v.points += double(walk.wanted_points(sources, asked.of_ranks.of(r)).size());
            }
        }
        return v;
    }

    std::deque<Tree<float, Cpu>> trees_;  // which stay where they are
    std::vector<Summarized> sources_;
    Parts<Stub> canopy_;
};

/// For some n: what the rank with most brings in, by n, and its shell.
struct Share {
    double n, most, shell;
};
using Shares = std::vector<Share>;

/// Faces of a cube towards other ranks, on each axis. Of 8 ranks all have a corner of the box of all points; with more
/// there are some inside. Of symmetric traits the ranks on one side alone are asked.
int faces(int ranks, bool symmetric) { return ranks <= 8 || symmetric ? 1 : 2; }

/// Points around a cube of n, by n: at most `shell` mean spacings from it.
double share_in_shell(double shell, double n, int faces) {
    return std::pow(1 + faces * shell / std::cbrt(n), 3) - 1;
}
double shell_of(double share, double n, int faces) {
    return (std::cbrt(1 + share) - 1) / faces * std::cbrt(n);
}

template <class I>
void count(Cpu const& cpu, char const* what, Points<float> sorted, I const& trait,
           TreeOptions const& options, std::map<std::pair<std::string, int>, Shares>& shares) {
    for (int const ranks : rank_counts) {
        double const n = double(sorted.size) / ranks;
        if (n < 4000) continue;
        double const start = now_seconds();
        AllRanks<I> const all(cpu, trait, sorted, ranks, options);
        Volume sum, most;
        for (Volume const& v : all.volumes(cpu, trait)) {
            sum.points += v.points / ranks;
            sum.nodes += v.nodes / ranks;
            sum.requests += v.requests / ranks;
            most.points = std::max(most.points, v.points);
        }
        double const shell = shell_of(most.points / n, n, faces(ranks, I::uses.symmetric));
        fmt::print(
            "{:<4}{:>9.2e}{:>6}{:>9.2e}{:>8.3f}{:>8.3f}{:>7.2f}{:>9.4f}{:>8.4f}{:>8.2f}{:>8.1f} s\n",
            what, double(sorted.size), ranks, n, sum.points / n, most.points / n, shell,
            sum.requests / n, sum.nodes / n, all.bytes(sum) / n, now_seconds() - start);
        std::fflush(stdout);  // a later one may be stopped
        shares[{what, ranks}].push_back({n, most.points / n, shell});
    }
}

/// The slope of a line through logarithms.
double exponent(Shares const& shares) {
    double x = 0, y = 0, xx = 0, xy = 0;
    auto const m = double(shares.size());
    for (Share const& s : shares) {
        double const u = std::log(s.n), v = std::log(s.most);
        x += u / m, y += v / m, xx += u * u / m, xy += u * v / m;
    }
    return (xy - x * y) / (xx - x * x);
}

void run(std::string const& kind, std::vector<double> const& sizes) {
    Cpu const cpu;
    std::map<std::pair<std::string, int>, Shares> shares;
    fmt::print("{:<4}{:>9}{:>6}{:>9}{:>8}{:>8}{:>7}{:>9}{:>8}{:>8}{:>10}\n", "", "N", "ranks", "n",
               "mean", "most", "shell", "requests", "nodes", "bytes", "");
    for (double const size : sizes) {
        auto const n = std::size_t(size);
        Buffer<float> sorted(3 * n);
        double length = 0;
        {
            auto const rows = bench::many_points(kind, n, 1);
            Points<float> const points(rows.data(), n, 3);
            length = .2 * mean_spacing(points);
            auto const order = z_sort(cpu, points);
            cpu.for_each(n, [&](std::size_t i) {
                std::copy_n(rows.data() + 3 * std::size_t(order[i]), 3, sorted.data() + 3 * i);
            });
        }
        Points<float> const points(sorted.data(), n, 3);
        using detail::FofAlgorithm;
        count(cpu, "knn", points, Nearest<3, float, NoOutput>(16), KnnOptions{}.tree, shares);
        count(cpu, "fof", points, Fof<3, float>(float(length)),
              FofAlgorithm::tree_options<Cpu>(FofOptions{}), shares);
        examples::Monopole<3, float> far;
        far.theta2 = .25F;
        count(cpu, "far", points, far, TreeOptions{}, shares);
    }
    fmt::print("\n{:>10}{:>10}{:>7}   of 1e8 points a rank\n", "ranks", "exponent", "shell");
    for (auto const& [key, all] : shares) {
        double shell = 0;
        for (Share const& s : all) shell += s.shell / double(all.size());
        auto const& [what, ranks] = key;
        fmt::print("{:<4}{:>6}{:>10}{:>7.2f}{:>9.3f}\n", what, ranks,
                   all.size() > 1 ? fmt::format("{:.3f}", exponent(all)) : "", shell,
                   share_in_shell(shell, 1e8, faces(ranks, what == "fof")));
    }
}

}  // namespace

int main(int argc, char** argv) {
    std::vector<double> sizes;
    for (int i = 2; i < argc; ++i) sizes.push_back(std::atof(argv[i]));
    if (sizes.empty())
        return fmt::print(stderr, "usage: bench_rank_volumes uniform|clustered N [N ...]\n"), 2;
    try {
        run(argv[1], sizes);
    } catch (std::exception const& error) {
        return fmt::print(stderr, "{}: {}\n", argv[0], error.what()), 1;
    }
}
