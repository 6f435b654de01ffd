// How targets could be put on the lanes of a GPU's leaf kernels, counted on the CPU: kNN of points among themselves, in 3-D.
//
//   bench_leaf_lanes KIND POINTS K [LEAF_SIZE]      # e.g. uniform 1e5 16; without a size that of TreeOptions
//
// A *pass* is what a warp does for up to 32 targets: it goes through a list of leaves, nearest first, as walk/detail/leaf_step.hpp has
// it. Every way of making passes finds the same neighbours. Of a thousand passes or two the program counts, per target of all points:
//
//   busy      share of lanes that have a target
//   entries   of lists that are looked at, and of those
//   boxes     leaves that are near enough for their boxes to be compared with every target
//   leaves    leaves that are near enough to some target
//   blocks    of four sources that lanes compute the distances of
//   finds     blocks in which a lane finds something
//   merges    of finds into what lanes keep
//   cost      machine instructions of warps for all this, about. The instructions of each step are what tests/cuda/executed.py counts for
//             merges and blocks, and guesses for the rest. For 3000 points they come within 14 % of all that is counted in the kernel
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/points.hpp"
#include "zwalk/core/key.hpp"
#include "zwalk/exec/cpu.hpp"
#include "zwalk/tree/joint.hpp"

namespace {

using namespace zwalk;
using T = float;

constexpr pos_t lanes = 32;
constexpr std::size_t enough_passes = 1000;

struct Box {
    T lo[3]{infinity<T>, infinity<T>, infinity<T>}, hi[3]{-infinity<T>, -infinity<T>, -infinity<T>};
    void add(Box const& b) {
        for (int j = 0; j < 3; ++j) {
            lo[j] = std::min(lo[j], b.lo[j]);
            hi[j] = std::max(hi[j], b.hi[j]);
        }
    }
    [[nodiscard]] T gap2(Box const& b) const {
        T sum = 0;
        for (int j = 0; j < 3; ++j) {
            T const gap = std::max({T(0), lo[j] - b.hi[j], b.lo[j] - hi[j]});
            sum += gap * gap;
        }
        return sum;
    }
};

/// Targets [begin, end), and boxes: the list is that of all leaves by the distance to the nearest of them.
struct Pass {
    pos_t begin, end;
    std::vector<Box> boxes;
};

struct Counts {
    double targets = 0, passes = 0, entries = 0, boxes = 0, leaves = 0, tiles = 0, blocks = 0, finds = 0,
           merges = 0;
    [[nodiscard]] double cost(int k) const {
        double const merge = k <= 8 ? 168 : k <= 16 ? 208 : 304;
        return 400 * passes + 14 * entries + 60 * boxes + 60 * tiles + 44 * blocks + 30 * finds +
               (merge + 30) * merges;
    }
};

class Leaves {
  public:
    explicit Leaves(Tree<T, Cpu> const& tree) : tree_(tree) {
        for (pos_t l = 0; l < count(); ++l) box_.push_back(box(first(l), first(l + 1)));
    }
    [[nodiscard]] pos_t count() const { return tree_.planes[0].nodes(); }
    [[nodiscard]] pos_t first(pos_t l) const { return tree_.planes[0].first[l]; }
    [[nodiscard]] Box const& box(pos_t l) const { return box_[l]; }
    [[nodiscard]] Box point(pos_t i) const {
        Box p;
        for (std::size_t j = 0; j < 3; ++j) p.lo[j] = p.hi[j] = tree_.x[j * tree_.stride + i];
        return p;
    }
    [[nodiscard]] Box box(pos_t begin, pos_t end) const {
        Box all;
        for (pos_t i = begin; i < end; ++i) all.add(point(i));
        return all;
    }
    /// Leaves [first, second) of each parent.
    [[nodiscard]] std::vector<std::pair<pos_t, pos_t>> families() const {
        if (tree_.planes.size() < 2) return {{0, count()}};
        auto const& parents = tree_.planes[1];
        std::vector<std::pair<pos_t, pos_t>> all;
        for (pos_t p = 0; p < parents.nodes(); ++p)
            all.emplace_back(parents.child[p], parents.child[p + 1]);
        return all;
    }

  private:
    Tree<T, Cpu> const& tree_;
    std::vector<Box> box_;
};

/// The passes over the targets of leaves [l, end) taken together, with the lists of those leaves whose targets they have.
void add_union(Leaves const& leaves, pos_t l, pos_t end, std::vector<Pass>& passes) {
    for (pos_t b = leaves.first(l); b < leaves.first(end); b += lanes) {
        Pass pass{b, std::min(b + lanes, leaves.first(end)), {}};
        for (pos_t m = l; m < end; ++m)
            if (leaves.first(m) < pass.end && leaves.first(m + 1) > b)
                pass.boxes.push_back(leaves.box(m));
        passes.push_back(std::move(pass));
    }
}

/// The ways: as the library has it; rests of two or of all leaves of a parent together; the targets of a parent as nodes of 32, whose
/// lists are their own.
constexpr std::string_view ways[] = {"leaf", "pairs", "parents", "nodes of 32"};

std::vector<Pass> passes_of(std::string_view way, Leaves const& leaves) {
    std::vector<Pass> passes;
    for (auto const& [begin, end] : leaves.families()) {
        if (way == "parents" || way == "nodes of 32") {
            std::size_t const from = passes.size();
            add_union(leaves, begin, end, passes);
            for (std::size_t p = from; way == "nodes of 32" && p < passes.size(); ++p)
                passes[p].boxes = {leaves.box(passes[p].begin, passes[p].end)};
        } else {
            pos_t const together = way == "pairs" ? 2 : 1;
            for (pos_t l = begin; l < end; l += together)
                add_union(leaves, l, std::min(l + together, end), passes);
        }
    }
    return passes;
}

/// What lanes find and keep: keys are squared distances.
class Lane {
  public:
    explicit Lane(Box const& target) : target_(target) {}
    [[nodiscard]] T horizon() const { return horizon_; }
    [[nodiscard]] bool reaches(Box const& b) const { return target_.gap2(b) <= horizon_; }
    [[nodiscard]] std::size_t waiting() const { return finds_.size(); }
    void meet(Box const& source) {
        if (reaches(source)) finds_.push_back(target_.gap2(source));
    }
    void merge(std::size_t k) {
        auto const from = finds_.end() - std::ptrdiff_t(std::min<std::size_t>(8, finds_.size()));
        kept_.insert(kept_.end(), from, finds_.end());
        finds_.erase(from, finds_.end());
        std::sort(kept_.begin(), kept_.end());
        if (kept_.size() < k) return;
        kept_.resize(k);
        horizon_ = kept_.back();
    }

  private:
    Box target_;
    T horizon_ = infinity<T>;
    std::vector<T> finds_, kept_;
};

void run(Leaves const& leaves, Pass const& pass, std::size_t k, Counts& counts) {
    std::vector<std::pair<T, pos_t>> list;
    for (pos_t s = 0; s < leaves.count(); ++s) {
        T nearest = infinity<T>;
        for (Box const& b : pass.boxes) nearest = std::min(nearest, b.gap2(leaves.box(s)));
        list.emplace_back(nearest, s);
    }
    std::sort(list.begin(), list.end());
    std::vector<Lane> lane;
    for (pos_t i = pass.begin; i < pass.end; ++i) lane.emplace_back(leaves.point(i));
    auto const any = [&](auto const& f) { return std::any_of(lane.begin(), lane.end(), f); };
    auto const merge = [&] {
        ++counts.merges;
        for (Lane& l : lane) l.merge(k);
    };
    ++counts.passes;
    counts.targets += double(lane.size());
    for (auto const& [gap2, s] : list) {
        ++counts.entries;
        if (!any([&](Lane const& l) { return gap2 <= l.horizon(); })) break;
        ++counts.boxes;
        if (!any([&](Lane const& l) { return l.reaches(leaves.box(s)); })) continue;
        ++counts.leaves;
        counts.tiles += (leaves.first(s + 1) - leaves.first(s) + 63) / 64;
        for (pos_t i = leaves.first(s); i < leaves.first(s + 1); i += 4) {
            std::size_t before = 0, after = 0;
            for (Lane& l : lane) {
                before += l.waiting();
                for (pos_t u = i; u < std::min(i + 4, leaves.first(s + 1)); ++u) l.meet(leaves.point(u));
                after += l.waiting();
            }
            ++counts.blocks;
            counts.finds += after > before;
            if (any([](Lane const& l) { return l.waiting() >= 9; })) merge();
        }
    }
    while (any([](Lane const& l) { return l.waiting() > 0; })) merge();
}

void print(std::string_view way, Leaves const& leaves, int k) {
    auto const passes = passes_of(way, leaves);
    std::size_t const step = std::max<std::size_t>(1, passes.size() / enough_passes) | 1;
    Counts c;
    for (std::size_t p = 0; p < passes.size(); p += step) run(leaves, passes[p], std::size_t(k), c);
    auto const each = [&](double count) { return count / c.targets; };
    fmt::print("{:>12} {:7.2f} {:9.2f} {:7.2f} {:7.2f} {:7.2f} {:7.2f} {:7.2f} {:7.0f}\n", way,
               c.targets / (lanes * c.passes), each(c.entries), each(c.boxes), each(c.leaves),
               each(c.blocks), each(c.finds), each(c.merges), each(c.cost(k)));
}

}  // namespace

int main(int count, char** words) {
    if (count < 4 || count > 5) {
        fmt::print(stderr, "usage: bench_leaf_lanes KIND POINTS K [LEAF_SIZE]\n");
        return 2;
    }
    int const k = std::atoi(words[3]);
    TreeOptions options;
    options.leaf_size = pos_t(count > 4 ? std::atoi(words[4]) : 0);
    auto const rows = test::make_points<3, T>(words[1], std::size_t(std::atof(words[2])), 1);
    Cpu const cpu(1);
    auto const tree =
        cpu.run([&] { return build_tree(cpu, Points<T>(rows[0].data(), rows.size(), 3), 3, options); });
    Leaves const leaves(tree);
    fmt::print("{}, {} points, k = {}: {} leaves, {:.1f} points each\n", words[1], rows.size(), k,
               leaves.count(), double(rows.size()) / leaves.count());
    fmt::print("{:>12} {:>7} {:>9} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7}\n", "way", "busy", "entries",
               "boxes", "leaves", "blocks", "finds", "merges", "cost");
    for (std::string_view const way : ways) print(way, leaves, k);
}
