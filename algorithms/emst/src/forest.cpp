#include "forest.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <numeric>
#include <utility>
#include <vector>

#include "chunk_rounds.hpp"
#include "chunked_set.hpp"
#include "rule.hpp"
#include "stretches.hpp"
#include "zwalk/exec/simd.hpp"
#include "zwalk/tree/joint.hpp"
#include "zwalk/walk/links.hpp"
#include "zwalk/walk/workspace_pool.hpp"

namespace zwalk { inline namespace v0 { namespace detail {
namespace {

constexpr std::size_t grain = 1 << 13;  // edges per task
/// Elements behind the end of `component` that a block of lanes may read.
constexpr pos_t padding = simd_width<float>;

template <class T>
void lower(T& value, T to) {
    std::atomic_ref<T> const least(value);
    T known = least.load(std::memory_order_relaxed);
    while (to < known && !least.compare_exchange_weak(known, to, std::memory_order_relaxed)) {
    }
}

}  // namespace

template <class T>
class Forest {
  public:
    Forest(Cpu const& cpu, pos_t points, pos_t listed, bool mutual, Buffer<T>&& step2, int chunk_log2)
        : points_(cpu, points, listed, mutual, std::move(step2), chunk_log2),
          n_(points),
          component_(cpu.buffer<pos_t>(std::size_t(n_) + padding)),
          wanted_(cpu.buffer<std::uint8_t>(n_)),
          edges_(cpu.buffer<Edge<T>>(n_ - 1)),
          stretches_(points_.lists.chunks()) {}

    Key<T>* neighbours(pos_t i) { return points_.lists.room(i); }
    void filled(pos_t i, T core2) {
        if (points_.mutual()) points_.core2[i] = core2;
        // Mutual reachability needs the core distances of points of other chunks, too.
        if (points_.lists.filled(i) && !points_.mutual()) grow_chunk(points_.lists.chunk_of(i));
    }
    Buffer<T> take_core2() { return std::move(points_.core2); }

    Buffer<Edge<T>> grow(LeastEdgeSearch<T> const& search, Stats& stats) {
        double const start = now_seconds();
        double searching = 0;
        std::uint64_t rounds = 0, searches = 0;
        WalkCounts counts;
        end_chunks();
        for (; count_ + 1 < n_; ++rounds) {
            offer_candidates();
            if (settle() < (n_ - count_) / patience + 1) {
                double const begin = now_seconds();
                ++searches;
                counts.add(search_edges(search));
                searching += now_seconds() - begin;
            }
            join();
        }
        stats.seconds.insert(stats.seconds.end(),
                             {{"rounds", now_seconds() - start - searching}, {"search", searching}});
        stats.counts.insert(stats.counts.end(), {{"rounds", rounds},
                                                 {"searches", searches},
                                                 {"points_searched", searched_},
                                                 {"search_node_entries", counts.node_entries},
                                                 {"search_leaf_entries", counts.leaf_entries}});
        add_planes(stats.counts, counts, "search_");
        return std::move(edges_);
    }

  private:
    /// f(component), for all.
    template <class F>
    void each_root(F const& f) {
        roots_.filter([&](pos_t c) {
            f(c);
            return true;
        });
    }
    /// f(stretch), for all; those of one chunk by one thread, in order.
    template <class F>
    void each_stretch(F const& f) {
        parallel_for(stretches_.size(), 1, [&](std::size_t chunk, std::size_t end) {
            for (; chunk < end; ++chunk)
                for (Stretch<T>& stretch : stretches_[chunk]) f(stretch);
        });
    }
    [[nodiscard]] auto inside(pos_t c) const {
        return [this, c](pos_t j) { return component_[j] == c; };
    }

    void grow_chunk(std::size_t chunk) {
        pos_t const first = points_.lists.chunk_begin(chunk), last = points_.lists.chunk_end(chunk);
        typename Rooms::Lease const room(rooms_);
        add_edges(ChunkRounds<T>(points_, component_.data(), first, last, *room).run());
        if (!points_.mutual())  // hardly anything in mutual lists is done with
            points_.lists.pack(chunk, [&](pos_t i, pos_t j) {
                return j < first || j >= last || component_[j] != component_[i];
            });
        stretches_[chunk] = stretches_of<T>(component_.data(), first, last);
        std::fill_n(wanted_.data() + first, last - first, std::uint8_t(0));
    }
    void end_chunks() {
        if (points_.mutual())
            parallel_for(stretches_.size(), 1, [&](std::size_t chunk, std::size_t end) {
                for (; chunk < end; ++chunk) grow_chunk(chunk);
            });
        points_.lists.trim();
        name_components();
        each_stretch([&](Stretch<T>& stretch) { look(stretch); });
    }
    /// Numbers components by their smallest positions, without gaps: what is known of them shall fit into
    /// caches.
    void name_components() {
        // Up to here the first stretch of a component has its name from its own first point.
        auto const is_first = [](Stretch<T> const& stretch) {
            return stretch.component == stretch.first;
        };
        std::vector<pos_t> begin(stretches_.size());
        pos_t n = 0;
        for (std::size_t chunk = 0; chunk < stretches_.size(); ++chunk) {
            begin[chunk] = n;
            n += pos_t(std::count_if(stretches_[chunk].begin(), stretches_[chunk].end(), is_first));
        }
        parallel_for(stretches_.size(), 1, [&](std::size_t chunk, std::size_t end) {
            for (; chunk < end; ++chunk) {
                pos_t next = begin[chunk];
                for (Stretch<T>& stretch : stretches_[chunk])
                    rename(stretch, is_first(stretch) ? next++ : component_[stretch.component]);
            }
        });
        least_ = Buffer<pos_t>(n);
        open_ = Buffer<pos_t>(n);
        joined_ = Buffer<pos_t>(n);
        std::iota(joined_.begin(), joined_.end(), pos_t(0));
        bound_ = Buffer<T>(n);
        settled_ = Buffer<std::uint8_t>(n);
        roots_ = ChunkedSet(n);
        view_.least = least_.data();
        std::fill(bound_.begin(), bound_.end(), infinity<T>);
    }
    void rename(Stretch<T>& stretch, pos_t component) {
        stretch.component = component;
        std::fill_n(component_.data() + stretch.first, stretch.last - stretch.first, component);
    }
    void look(Stretch<T>& stretch) {
        stretch.look(points_, inside(stretch.component));
        lower(bound_[stretch.component], stretch.bound);
    }
    void add_edges(std::vector<Edge<T>> const& found) {
        std::atomic_ref<size_type> const count(count_);
        std::copy(found.begin(), found.end(),
                  edges_.data() + count.fetch_add(found.size(), std::memory_order_relaxed));
    }

    /// Every stretch offers its least candidate to its component. That may have come to lie inside, and then the
    /// next one is no less: a stretch that can't offer less than its component has need not look.
    void offer_candidates() {
        each_root([&](pos_t c) { least_[c] = no_pos; });
        each_stretch([&](Stretch<T>& stretch) {
            pos_t const c = stretch.component;
            if (stretch.least == no_pos || !(points_.candidate_edge(stretch.least) < view_.least_of(c)))
                return;
            if (component_[points_.candidate[stretch.least].pos] == c) look(stretch);
            if (stretch.least != no_pos) view_.offer(c, stretch.least);
        });
    }

    /// Finds out which components know their least edge; returns how many.
    size_type settle() {
        std::atomic<size_type> count = 0;
        parallel_for(roots_.chunks(), 1, [&](std::size_t chunk, std::size_t end) {
            size_type here = 0;
            for (; chunk < end; ++chunk)
                roots_.filter_chunk(chunk, [&](pos_t c) {
                    settled_[c] = least_[c] != no_pos && view_.least_of(c).w2 < bound_[c];
                    here += settled_[c];
                    return true;
                });
            count.fetch_add(here, std::memory_order_relaxed);
        });
        return count;
    }

    /// Settles all components but one by searching.
    WalkCounts search_edges(LeastEdgeSearch<T> const& search) {
        each_stretch([&](Stretch<T>& stretch) { offer_hints(stretch); });
        pos_t const excluded = mark_wanted();
        WalkCounts const counts =
            search(view_, {{{component_.data()}, {wanted_.data()}, {points_.rules.core2}}}, excluded);
        // Points that have found something offer it from now on; bounds of the others are better.
        each_root([&](pos_t c) {
            if (!settled_[c]) bound_[c] = infinity<T>;
        });
        each_stretch([&](Stretch<T>& stretch) {
            pos_t const c = stretch.component;
            if (settled_[c]) return;
            if (stretch.wanted > 0 && c != excluded) {
                for (pos_t i = stretch.first; i < stretch.last; ++i)
                    if (wanted_[i] && points_.candidate[i].pos != no_pos)
                        points_.doing[i] = Doing::offering;
                look(stretch);
            } else {
                lower(bound_[c], stretch.bound);
            }
        });
        each_root([&](pos_t c) { settled_[c] = settled_[c] || c != excluded; });
        return counts;
    }

    /// Offers some edges to components that will search, so that none goes without a bound: candidates of
    /// others; where stretches end, what is left of lists and neighbours in z-order.
    void offer_hints(Stretch<T>& stretch) {
        pos_t const c = stretch.component;
        if (stretch.least != no_pos)
            offer_to_other(c, stretch.least, points_.candidate[stretch.least].pos);
        if (settled_[c]) return;
        for (pos_t const i : {stretch.first, stretch.last - 1}) {
            if (points_.doing[i] == Doing::offering) continue;  // its own component has it
            points_.find_hint(i, inside(c));
            if (points_.hint[i].pos == no_pos) continue;
            view_.offer(c, i | Fragments<T>::is_hint);
            offer_to_other(c, i | Fragments<T>::is_hint, points_.hint[i].pos);
        }
    }
    /// Offers an edge of component c to the one at its other end.
    void offer_to_other(pos_t c, pos_t id, pos_t end) {
        pos_t const other = component_[end];
        if (other != c && !settled_[other]) view_.offer(other, id);
    }

    /// Finds the points that may have a less edge than their component was offered. Returns the component
    /// with most of them; of several, the first.
    pos_t mark_wanted() {
        each_root([&](pos_t c) { open_[c] = 0; });
        each_stretch([&](Stretch<T>& stretch) {
            pos_t const c = stretch.component;
            Edge<T> const least = settled_[c] ? Edge<T>{T(-1), 0, 0} : view_.least_of(c);
            if (stretch.bound > least.w2 && stretch.wanted == 0) return;
            stretch.wanted = mark_wanted(stretch.first, stretch.last, least);
            if (stretch.wanted > 0)
                std::atomic_ref<pos_t>(open_[c]).fetch_add(stretch.wanted, std::memory_order_relaxed);
        });
        std::pair<pos_t, pos_t> most{0, no_pos};  // how many, ~component
        std::mutex mutex;
        parallel_for(roots_.chunks(), 1, [&](std::size_t chunk, std::size_t end) {
            std::pair<pos_t, pos_t> here{0, 0};
            size_type sum = 0;
            for (; chunk < end; ++chunk)
                roots_.filter_chunk(chunk, [&](pos_t c) {
                    if (!settled_[c]) here = std::max(here, {open_[c], ~c});
                    if (!settled_[c]) sum += open_[c];
                    return true;
                });
            std::scoped_lock const lock(mutex);
            most = std::max(most, here);
            searched_ += sum;
        });
        searched_ -= most.first;
        return most.first > 0 ? ~most.second : no_pos;
    }

    /// Marks those of points [first, last) that may have a less edge than `least`, which their component was offered; returns
    /// how many. Ties of lengths are rare, so that a loop without branches does nearly all.
    pos_t mark_wanted(pos_t first, pos_t last, Edge<T> const& least) {
        std::uint8_t* const wanted = wanted_.data();
        Doing const* const doing = points_.doing.data();
        Key<T> const* const proven = points_.proven.data();
        unsigned ties = 0;
        pos_t count = 0;
        for (pos_t i = first; i < last; ++i) {
            unsigned const sleeping = doing[i] == Doing::sleeping;
            wanted[i] = std::uint8_t(sleeping & (proven[i].d2 < least.w2));
            ties |= sleeping & (proven[i].d2 == least.w2);
            count += wanted[i];
        }
        if (ties)
            for (pos_t i = first; i < last; ++i)
                if (!wanted[i] && doing[i] == Doing::sleeping && view_.open(i, least))
                    wanted[i] = 1, ++count;
        return count;
    }

    /// Joins components by the least edges of those that are settled.
    void join() {
        size_type const begin = count_;
        parallel_for(roots_.chunks(), 1, [&](std::size_t chunk, std::size_t end) {
            std::vector<Edge<T>> found;
            for (; chunk < end; ++chunk)
                roots_.filter_chunk(chunk, [&](pos_t c) {
                    if (!settled_[c]) return true;
                    Edge<T> const edge = view_.least_of(c);
                    pos_t const other = component_[component_[edge.a] == c ? edge.b : edge.a];
                    bool const others =  // the other one adds it
                        other < c && settled_[other] && view_.least_of(other) == edge;
                    if (!others) found.push_back(edge);
                    return true;
                });
            add_edges(found);
        });
        Links const links{joined_.data()};
        parallel_for(count_ - begin, grain, [&](std::size_t e, std::size_t end) {
            for (; e < end; ++e)
                links.link(component_[edges_[begin + e].a], component_[edges_[begin + e].b]);
        });
        each_root([&](pos_t c) { links.settle(c); });
        join_stretches();
        roots_.filter([&](pos_t c) {
            if (joined_[c] == c) return true;
            lower(bound_[joined_[c]], bound_[c]);
            return false;
        });
    }
    /// Runs of a chunk that are of one component now become one.
    void join_stretches() {
        parallel_for(stretches_.size(), 1, [&](std::size_t chunk, std::size_t end) {
            for (; chunk < end; ++chunk) {
                auto& stretches = stretches_[chunk];
                std::size_t left = 0;
                for (Stretch<T>& stretch : stretches) {
                    pos_t const c = joined_[stretch.component];
                    if (c != stretch.component) rename(stretch, c);
                    if (left > 0 && stretches[left - 1].component == c)
                        stretches[left - 1].join(points_, stretch);
                    else stretches[left++] = stretch;
                }
                stretches.resize(left);
            }
        });
    }

    using Rooms = WorkspacePool<typename ChunkRounds<T>::Room>;

    PointEdges<T> points_;
    Fragments<T>& view_ = points_.rules.view;
    pos_t n_;
    Rooms rooms_;
    Buffer<pos_t> component_;
    Buffer<std::uint8_t> wanted_;
    // Arrays of components, by their names:
    Buffer<pos_t> least_, open_;
    Buffer<pos_t> joined_;  ///< union-find
    Buffer<T> bound_;       ///< the least `proven` of its sleeping points
    Buffer<std::uint8_t> settled_;
    Buffer<Edge<T>> edges_;
    std::vector<std::vector<Stretch<T>>> stretches_;  ///< by chunks of points
    ChunkedSet roots_;
    size_type count_ = 0, searched_ = 0;
};

template <class T>
TreeGrower<T>::TreeGrower(Cpu const& cpu, pos_t points, pos_t listed, bool mutual, Buffer<T>&& step2,
                          int chunk_log2)
    : forest_(std::make_unique<Forest<T>>(cpu, points, listed, mutual, std::move(step2), chunk_log2)) {}
template <class T>
TreeGrower<T>::~TreeGrower() = default;

template <class T>
Key<T>* TreeGrower<T>::neighbours(pos_t i) {
    return forest_->neighbours(i);
}
template <class T>
void TreeGrower<T>::filled(pos_t i, T core2) {
    forest_->filled(i, core2);
}
template <class T>
Buffer<Edge<T>> TreeGrower<T>::grow(LeastEdgeSearch<T> const& search, Stats& stats) {
    return forest_->grow(search, stats);
}
template <class T>
Buffer<T> TreeGrower<T>::take_core2() {
    return forest_->take_core2();
}

template class TreeGrower<float>;
template class TreeGrower<double>;

}}}  // namespace zwalk::v0::detail
