#include "zwalk/hdbscan/condensed_tree.hpp"

#include <algorithm>
#include <atomic>
#include <utility>
#include <vector>

#include "chains.hpp"
#include "checks.hpp"
#include "condensed_on.hpp"
#include "level_walk.hpp"
#include "strength.hpp"
#include "strips.hpp"
#include "weighted.hpp"
#include "zwalk/core/key.hpp"
#include "zwalk/core/parallel_sort.hpp"

namespace zwalk { inline namespace v0 {
namespace {

using detail::Chain, detail::Chains, detail::lambda_at, detail::leave, detail::scan_pieces,
    detail::split;

/// Writes what leaves which cluster, level by level of a hierarchy. A chain is what is left of a cluster from level to level.
/// @tparam Sizes  as of Chains
template <class Sizes>
class Condenser {
  public:
    /// Call inside Cpu::run. At least one merge.
    Condenser(Cpu const& cpu, Linkage const& linkage, CondensedTree& out)
        : cpu_(cpu),
          merges_(linkage.merges),
          points_(linkage.points),
          out_(out),
          sizes_(linkage),
          chains_(cpu, linkage, out.min_cluster_size, sizes_) {}

    void run() {
        sort_by_level();
        number_rows();
        describe_clusters();
        std::size_t const rows = points_ + chains_.size() - 1;
        for (auto* column : {&out_.parent, &out_.child, &out_.child_size}) column->resize(rows);
        out_.lambda.resize(rows);
        if constexpr (has_weights) out_.child_weight.resize(rows);
        parallel_for(steps_.size(), 1 << 12,
                     [this](std::size_t k, std::size_t end) { write_rows(k, end); });
        set_stabilities();
    }

  private:
    static constexpr bool has_weights = Sizes::has_weights;

    /// A merge of a chain comes apart.
    struct Step {
        pos_t node, chain;
        pos_t row;  ///< the first one that it writes; before that is known, how many
    };

    /// All of a cluster but its rows.
    void describe_clusters() {
        auto& clusters = out_.clusters;
        clusters.resize(chains_.size());
        clusters[0] = {-1, index_t(points_), 0};
        parallel_for(clusters.size(), 1 << 8, [&](std::size_t c, std::size_t end) {
            for (; c < end; ++c)
                if (Chain const& chain = chains_[c]; chain.splits())
                    for (pos_t const half : {chain.left, chain.right})
                        clusters[cluster_[half]] = {
                            index_t(cluster_[c]), index_t(chains_.points_of(half)),
                            lambda_at(chains_.nodes()[chain.end() - 1].distance)};
        });
    }
    /// Clusters know when they end, and their sums, once all rows are there.
    void set_stabilities() {
        Buffer<pos_t> first;  // of each node its first row, whose weights are needed
        if constexpr (has_weights) {
            first = Buffer<pos_t>(steps_.size());
            parallel_for(steps_.size(), 1 << 12, [&](std::size_t k, std::size_t end) {
                for (; k < end; ++k) first[steps_[k].node] = steps_[k].row;
            });
        }
        parallel_for(chains_.size(), 1 << 4, [&](std::size_t c, std::size_t end) {
            for (; c < end; ++c) {
                CondensedCluster& cluster = out_.clusters[cluster_[c]];
                if constexpr (has_weights) add_rows(cluster, chains_[c], first);
                else set_stability(cluster, chains_[c]);
            }
        });
    }
    void add_rows(CondensedCluster& cluster, Chain const& chain, Buffer<pos_t> const& first) const {
        if (chain.splits()) cluster.leaf = false;
        for (pos_t node = chain.begin; node < chain.end(); ++node) {
            pos_t const end = first[node] + chains_.leaving(chain, node);
            for (pos_t row = first[node]; row < end; ++row)
                detail::leave_weighing(cluster, out_.lambda[row], out_.child_weight[row]);
        }
    }
    void set_stability(CondensedCluster& cluster, Chain const& chain) const {
        for (pos_t node = chain.begin; node < chain.end(); ++node) {
            double const lambda = lambda_at(chains_.nodes()[node].distance);
            if (node + 1 == chain.end() && chain.splits())
                split(cluster, lambda, chains_.points_of(chain.left), chains_.points_of(chain.right));
            else leave(cluster, lambda, chains_.leaving(chain, node));
        }
    }

    /// Steps in the order of their levels, in each of these in that of chains.
    void sort_by_level() {
        Buffer<pos_t> end = begin_levels();
        std::size_t const nodes = chains_.nodes().size(), levels = end.size();
        steps_ = Buffer<Step>(nodes);
        auto const next = [&](std::size_t level) {
            return std::atomic_ref<pos_t>(end[level]).fetch_add(1, std::memory_order_relaxed);
        };
        parallel_for(nodes, 1 << 12, [&](std::size_t node, std::size_t last) {
            for (std::size_t c = chains_.chain_of(node); node < last; ++c) {
                Chain const& chain = chains_[c];
                for (; node < std::min<std::size_t>(last, chain.end()); ++node)
                    steps_[next(chain.level + (node - chain.begin))] = {pos_t(node), pos_t(c),
                                                                        chains_.leaving(chain, node)};
            }
        });
        auto const before = [](Step const& a, Step const& b) { return a.node < b.node; };
        parallel_for(levels, 1 << 10, [&](std::size_t level, std::size_t last) {
            for (; level < last; ++level) {
                Step* const first = steps_.data() + (level > 0 ? end[level - 1] : 0);
                Step* const behind = steps_.data() + end[level];
                if (behind - first > 1 << 14) parallel_sort(first, behind, before);
                else if (behind - first > 1) std::sort(first, behind, before);
            }
        });
    }
    /// For each level, the steps of all levels before.
    [[nodiscard]] Buffer<pos_t> begin_levels() const {
        pos_t const levels = parallel_reduce(
            chains_.size(), 1 << 12, pos_t(0),
            [&](std::size_t c, std::size_t end, pos_t most) {
                for (; c < end; ++c) most = std::max(most, chains_[c].level + chains_[c].length);
                return most;
            },
            [](pos_t a, pos_t b) { return std::max(a, b); });
        // First by how many chains there are more than on the level above; modulo 2^32.
        Buffer<pos_t> begin(std::size_t(levels) + 1);
        cpu_.zero(begin.data(), begin.size());
        auto const more = [&](pos_t level, pos_t n) {
            std::atomic_ref<pos_t>(begin[level]).fetch_add(n, std::memory_order_relaxed);
        };
        parallel_for(chains_.size(), 1 << 12, [&](std::size_t c, std::size_t end) {
            for (; c < end; ++c)
                more(chains_[c].level, 1), more(chains_[c].level + chains_[c].length, pos_t(0) - 1);
        });
        /// On some levels: how many more chains there are after them, and how many steps there are for these.
        struct Some {
            pos_t levels = 0, chains = 0, steps = 0;
        };
        auto const add = [](Some const& a, Some const& b) {
            return Some{a.levels + b.levels, a.chains + b.chains,
                        a.steps + a.chains * b.levels + b.steps};
        };
        auto const sum = [&](std::size_t level, std::size_t last) {
            Some all;
            for (; level < last; ++level) all = add(all, {1, begin[level], begin[level]});
            return all;
        };
        (void)scan_pieces<Some>(begin.size(), sum, add,
                                [&](std::size_t level, std::size_t last, Some all) {
                                    for (; level < last; ++level) {
                                        Some const next = add(all, {1, begin[level], begin[level]});
                                        begin[level] = all.steps;
                                        all = next;
                                    }
                                });
        return begin;
    }

    /// Where the rows of all steps are, and the numbers of clusters, which are in the order of rows.
    void number_rows() {
        cluster_.assign(chains_.size(), 0);
        struct Some {
            pos_t rows = 0, splits = 0;
        };
        auto const sum = [this](std::size_t k, std::size_t end) {
            Some all;
            for (; k < end; ++k) all.rows += steps_[k].row, all.splits += splits(steps_[k]);
            return all;
        };
        auto const add = [](Some const& a, Some const& b) {
            return Some{a.rows + b.rows, a.splits + b.splits};
        };
        (void)scan_pieces<Some>(steps_.size(), sum, add,
                                [this](std::size_t k, std::size_t end, Some all) {
                                    for (; k < end; ++k) {
                                        Step& step = steps_[k];
                                        all.rows += std::exchange(step.row, all.rows);
                                        if (!splits(step)) continue;
                                        Chain const& chain = chains_[step.chain];
                                        cluster_[chain.left] = 2 * all.splits + 1,
                                        cluster_[chain.right] = 2 * all.splits + 2;
                                        ++all.splits;
                                    }
                                });
    }
    [[nodiscard]] bool splits(Step const& step) const {
        Chain const& chain = chains_[step.chain];
        return chain.splits() && step.node + 1 == chain.end();
    }

    /// Rows as they are written one after another.
    struct Writer {
        CondensedTree& out;
        std::size_t row;
        index_t cluster;
        double lambda;

        Sizes const& sizes;

        /// @param id  in the linkage
        void put(std::size_t child, index_t size, std::size_t id) {
            out.parent[row] = cluster;
            out.child[row] = index_t(child);
            out.lambda[row] = lambda;
            out.child_size[row] = size;
            if constexpr (has_weights) out.child_weight[row] = sizes.whole(id);
            ++row;
        }
        void put_point(pos_t point) { put(point, 1, point); }
    };

    void write_rows(std::size_t k, std::size_t end) {
        std::vector<pos_t> dropped;
        for (; k < end; ++k) {
            prefetch(k, end);
            Step const& step = steps_[k];
            Chain const& chain = chains_[step.chain];
            detail::ChainNode const& node = chains_.nodes()[step.node];
            pos_t const cluster = cluster_[step.chain];
            Writer to{out_, step.row, index_t(points_ + cluster), lambda_at(node.distance), sizes_};
            if (step.node + 1 < chain.end()) {
                drop(node.rest, dropped, to);
                continue;
            }
            Merge const& m = merges_[node.rest - points_];
            if (chain.splits()) {
                put_cluster(chain.left, m.left, to);
                put_cluster(chain.right, m.right, to);
            } else {
                for (double const part : {m.left, m.right}) drop(pos_t(part), dropped, to);
            }
        }
    }
    void put_cluster(pos_t chain, double id, Writer& to) const {
        pos_t const made = cluster_[chain];
        to.put(points_ + made, out_.clusters[made].size, std::size_t(id));
    }
    /// Brings what later steps read to the cache: most take less time than memory does.
    void prefetch(std::size_t k, std::size_t end) const {
        constexpr std::size_t ahead = 32;
        auto const rest = [this](std::size_t later) { return chains_.nodes()[steps_[later].node].rest; };
        if (k + 3 * ahead < end) __builtin_prefetch(&chains_.nodes()[steps_[k + 3 * ahead].node]);
        if (k + 2 * ahead < end) prefetch(rest(k + 2 * ahead));
        if (k + ahead >= end || rest(k + ahead) < points_) return;
        Merge const& m = merges_[rest(k + ahead) - points_];
        prefetch(pos_t(m.left)), prefetch(pos_t(m.right));
    }
    void prefetch(pos_t id) const {
        if (id >= points_) __builtin_prefetch(&merges_[id - points_]);
    }
    /// All points of a part leave the cluster, in the order of the levels below it.
    void drop(pos_t part, std::vector<pos_t>& dropped, Writer& to) const {
        if (part < points_) return to.put_point(part);
        dropped.assign(1, part);
        for (std::size_t i = 0; i < dropped.size(); ++i) {
            pos_t const id = dropped[i];
            if (id < points_) {
                to.put_point(id);
                continue;
            }
            Merge const& m = merges_[id - points_];
            for (double const half : {m.left, m.right}) {
                prefetch(pos_t(half));
                dropped.push_back(pos_t(half));
            }
        }
    }

    Cpu const& cpu_;
    Buffer<Merge> const& merges_;
    std::size_t points_;
    CondensedTree& out_;
    Sizes const sizes_;
    Chains chains_;
    Buffer<Step> steps_;
    std::vector<pos_t> cluster_;  // of each chain
};

}  // namespace

namespace detail {
namespace {
CondensedTree empty_tree(Linkage const& linkage, std::size_t min_cluster_size) {
    check_min_cluster_size(min_cluster_size);
    CondensedTree tree;
    tree.points = linkage.points;
    tree.min_cluster_size = min_cluster_size;
    return tree;
}

/// A point weighs as much as a cluster. Chains are of merges alone, so that isn't for them.
bool has_cluster_of_one(Linkage const& linkage, std::size_t min_cluster_size, Cpu const& cpu) {
    auto const& weights = linkage.weights;
    return cpu.run([&] {
        return count_where(weights.size(),
                           [&](std::size_t i) { return weights[i] >= double(min_cluster_size); }) > 0;
    });
}
}  // namespace

void set_clusters(CondensedTree& tree, ClusterSteps const& steps, Cpu const& cpu) {
    auto& clusters = tree.clusters;
    clusters.resize(steps.clusters.size());
    std::vector<std::size_t> left(clusters.size(),
                                  0);  // the first of the two that a cluster splits into
    for (std::size_t c = 0; c < clusters.size(); ++c) {
        ClusterStart const& start = steps.clusters[c];
        clusters[c] = {c > 0 ? index_t(start.parent) : -1, index_t(start.size), start.birth};
        if (c % 2 == 1) left[start.parent] = c;
    }
    auto const add_up = [&](std::size_t c) {
        std::size_t const end = c + 1 < clusters.size() ? steps.first[c + 1] : steps.lambda.size();
        for (std::size_t s = steps.first[c]; s < end; ++s) {
            if (s + 1 < end || left[c] == 0) leave(clusters[c], steps.lambda[s], steps.leaving[s]);
            else
                split(clusters[c], steps.lambda[s], double(clusters[left[c]].size),
                      double(clusters[left[c] + 1].size));
        }
    };
    cpu.run([&] {
        parallel_for(clusters.size(), 1 << 4, [&](std::size_t c, std::size_t end) {
            for (; c < end; ++c) add_up(c);
        });
    });
}

CondensedTree condense_by_chains(Linkage const& linkage, std::size_t min_cluster_size, Cpu const& cpu) {
    auto tree = empty_tree(linkage, min_cluster_size);
    if (linkage.merges.empty()) return tree;
    cpu.run([&] {
        if (linkage.weights.empty()) Condenser<PartCounts>(cpu, linkage, tree).run();
        else Condenser<PartWeights>(cpu, linkage, tree).run();
    });
    return tree;
}
}  // namespace detail

CondensedTree condense(Linkage const& linkage, std::size_t min_cluster_size) {
    return condense(linkage, min_cluster_size, Cpu());
}
template <std::same_as<Cpu> Threads>
CondensedTree condense(Linkage const& linkage, std::size_t min_cluster_size, Threads const& cpu) {
    using namespace detail;
    constexpr std::size_t few = 1 << 15;  // threads don't pay for so few points
    if (cpu.threads() > 1 && linkage.points > few && !has_cluster_of_one(linkage, min_cluster_size, cpu))
        return condense_by_chains(linkage, min_cluster_size, cpu);
    auto tree = empty_tree(linkage, min_cluster_size);
    if (linkage.merges.empty()) return tree;
    if (linkage.weights.empty()) LevelWalk<PartCounts>(linkage, tree).run();
    else LevelWalk<PartWeights>(linkage, tree).run();
    return tree;
}
template CondensedTree condense(Linkage const&, std::size_t, Cpu const&);

}}  // namespace zwalk::v0
