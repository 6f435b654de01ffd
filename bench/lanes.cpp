// The leaf action of traits by lanes (uses.lanes), against the same one source at a time: gravity and pair counts.
//
//   bench_lanes [POINTS] [ROUNDS]     (1e5, 5)
//
// Seconds of one thread's CPU time, the least of ROUNDS that are taken in turn, and how many times faster lanes are. Gravity:
// `direct` is all pairs of a tenth of the points (opening angle 0), `tree` Barnes-Hut with 0.5. Pair counts: 20 logarithmic
// bins up to 0.1 and up to 0.3. ZWALK_ISA=baseline or avx2 asks for a lower instruction set.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <stdexcept>
#include <string>

#include "traits/monopole.hpp"
#include "traits/pair_counts.hpp"
#include "zwalk/run/cpu.hpp"
#include "zwalk/testing/points.hpp"

using namespace zwalk;
using namespace zwalk::examples;

namespace {

constexpr int Bins = 20;

/// As one would write it for single pairs: the bin of each.
template <class T>
struct OneByOne : PairCounts<3, T, Bins> {
    using typename PairCounts<3, T, Bins>::Point;
    static constexpr Uses uses{.total = true, .symmetric = true, .cutoff = true};
    void pair(Point const&, Point const&, T d2, auto& sink) const {
        int const b = this->bin(d2);
        if (b >= 0 && b < Bins) ++sink.total().pairs[b];
    }
};

template <class F>
double cpu_seconds(F const& f) {
    std::clock_t const start = std::clock();
    f();
    return double(std::clock() - start) / CLOCKS_PER_SEC;
}

template <class F, class G>
void compare(std::string const& what, int rounds, F const& scalar, G const& lanes) {
    double s = std::numeric_limits<double>::infinity(), l = s;
    for (int i = 0; i < rounds; ++i) {
        s = std::min(s, cpu_seconds(scalar));
        l = std::min(l, cpu_seconds(lanes));
    }
    std::printf("%-44s %8.3f %8.3f %6.2f\n", what.c_str(), s, l, s / l);
    std::fflush(stdout);
}

template <class Trait, class Tree>
void pull(Tree const& tree, double theta) {
    using T = typename Trait::real;
    auto acceleration = tree.template array<Vec<3, T>>();
    std::vector<Mass<T>> const masses(tree.size(), Mass<T>{T(1)});
    Trait gravity;
    gravity.theta2 = T(theta * theta);
    gravity.softening2 = T(1e-8);
    gravity.acceleration = acceleration.data();
    tree.walk(gravity, tree.payload(masses));
}

template <class Trait, class Tree>
typename Trait::Total pairs(Tree const& tree, double largest) {
    using T = typename Trait::real;
    Trait counts;
    for (int b = 0; b <= Bins; ++b) {
        double const r = largest * std::pow(300., double(b) / Bins - 1);
        counts.edge2[b] = T(r * r);
    }
    return tree.walk(counts).total;
}

template <class T>
void run(std::string const& kind, std::size_t n, int rounds) {
    std::string const name = kind + (sizeof(T) == 4 ? ", float" : ", double");
    Cpu cpu(1);
    auto const few = make_tree<3>(cpu, testing::make_points<3, T>(kind, n / 10, 1));
    auto const many = make_tree<3>(cpu, testing::make_points<3, T>(kind, n, 1));
    compare(
        "gravity, direct, " + name, rounds, [&] { pull<Monopole<3, T>>(few, 0); },
        [&] { pull<MonopoleLanes<3, T>>(few, 0); });
    compare(
        "gravity, tree, " + name, rounds, [&] { pull<Monopole<3, T>>(many, .5); },
        [&] { pull<MonopoleLanes<3, T>>(many, .5); });
    for (double const r : {.1, .3}) {
        typename PairCounts<3, T, Bins>::Total one, packs;
        compare(
            "pair counts, r < " + std::to_string(r).substr(0, 3) + ", " + name, rounds,
            [&] { one = pairs<OneByOne<T>>(many, r); },
            [&] { packs = pairs<PairCounts<3, T, Bins>>(many, r); });
        for (int b = 0; b < Bins; ++b)
            if (one.pairs[b] != packs.pairs[b]) throw std::runtime_error("pair counts differ");
    }
}

}  // namespace

int main(int argc, char** argv) {
    std::size_t const n = argc > 1 ? std::size_t(std::atof(argv[1])) : 100000;
    int const rounds = argc > 2 ? std::atoi(argv[2]) : 5;
    std::printf("%-44s %8s %8s %6s   (%s)\n", "", "scalar", "lanes", "ratio", name_of(best_isa()));
    for (auto const* kind : {"uniform", "clustered"}) {
        run<float>(kind, n, rounds);
        run<double>(kind, n, rounds);
    }
}
