#include "forest.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>
#include <vector>

#include "chunked_set.hpp"
#include "rule.hpp"
#include "zwalk/exec/simd.hpp"
#include "zwalk/tree/joint.hpp"
#include "zwalk/walk/links.hpp"

namespace zwalk::inline v0::detail {
namespace {

constexpr std::size_t grain = ChunkedSet::chunk;  // points per task
/// Elements behind the end of `component` that a block of lanes may read.
constexpr pos_t padding = simd_width<float>;

/// What a point does in a round.
enum class Doing : std::uint8_t {
    offering,  ///< it has a candidate
    sleeping,  ///< its list is used up: all that is known is that its edges are behind `proven`
    retired    ///< another point has all its edges, and they are less
};

template <class T>
void lower(T& value, T to) {
    std::atomic_ref<T> const least(value);
    T known = least.load(std::memory_order_relaxed);
    while (to < known && !least.compare_exchange_weak(known, to, std::memory_order_relaxed)) {
    }
}

/// Offers made by points that follow each other, and so mostly are of one component: only the least edge of
/// each run is handed on.
template <class T>
class RunOfOffers {
  public:
    explicit RunOfOffers(Fragments<T> const& to) : to_(to) {}
    RunOfOffers(RunOfOffers const&) = delete;
    ~RunOfOffers() { close(); }
    /// Whether the edge would be the least one that the component was offered, as far as this run knows.
    bool improves(pos_t component, Edge<T> const& edge) {
        if (component != component_) {
            close();
            component_ = component;
            id_ = no_pos;
            least_ = to_.least_of(component);
        }
        return edge < least_;
    }
    /// Offers an edge that improves.
    void offer(pos_t id, Edge<T> const& edge) {
        id_ = id;
        least_ = edge;
    }

  private:
    void close() const {
        if (id_ != no_pos) to_.offer(component_, id_);
    }

    Fragments<T> const& to_;
    pos_t component_ = no_pos, id_ = no_pos;
    Edge<T> least_;
};

/// What is asked of one component after the other, mostly of the same one as before.
template <class Of>
class RunOf {
    using V = decltype(std::declval<Of>()(pos_t()));

  public:
    explicit RunOf(Of of) : of_(std::move(of)) {}
    V const& operator()(pos_t component) {
        if (component != component_) {
            component_ = component;
            value_ = of_(component);
        }
        return value_;
    }

  private:
    Of of_;
    pos_t component_ = no_pos;
    V value_{};
};

template <class T>
class Forest {
  public:
    explicit Forest(Neighbourhood<T>&& from)
        : from_(std::move(from)),
          n_(from_.points),
          component_(links_init(n_ + padding)),
          margin2_(n_),
          candidate_(n_),
          hint_(n_),
          proven_(n_),
          least_(n_),
          open_(n_),
          bound_(n_),
          inside_(n_),
          doing_(n_),
          settled_(n_),
          wanted_(n_),
          edges_(n_ - 1),
          offering_(n_),
          roots_(n_) {
        view_ = {component_.data(), margin2_.data(), from_.core2.empty() ? nullptr : from_.core2.data(),
                 candidate_.data(), hint_.data(),    proven_.data(),
                 least_.data(),     wanted_.data()};
    }

    Buffer<Edge<T>> grow(LeastEdgeSearch<T> const& search, Stats& stats) {
        double const start = now_seconds();
        double searching = 0;
        std::uint64_t rounds = 0, searches = 0;
        WalkCounts counts;
        offering_.filter([&](pos_t i) { return begin(i); });
        while (count_ + 1 < n_) {
            if (++rounds > 1) offer_candidates();
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
        return std::move(edges_);
    }

  private:
    template <class F>
    void each_root(F const& f) {
        roots_.filter([&](pos_t c) {
            f(c);
            return true;
        });
    }

    [[nodiscard]] Key<T>* row(pos_t i) { return from_.list.data() + std::size_t(i) * from_.listed; }

    /// The list of point i becomes one of its edges; the first round's offer, for a component of one point, is
    /// made. False: it has no candidate.
    bool begin(pos_t i) {
        Key<T>* const first = row(i);
        Key<T>* const last = first + from_.listed;
        // Others that aren't listed are behind the last one that is, or there are none.
        proven_[i] = from_.listed + 1 == n_ ? Key<T>{} : last[-1];
        margin2_[i] = Fragments<T>::margin * last[-1].d2;
        inside_[i] = 0;
        if (view_.core2)
            for (Key<T>* at = first; at < last; ++at) at->d2 = view_.weight(i, at->pos, at->d2);
        Key<T> const least = first_listed(i, i);
        bool const offers = least <= proven_[i];
        candidate_[i] = offers ? least : Key<T>{};
        hint_[i] = {};
        least_[i] = offers ? i : no_pos;
        bound_[i] = offers ? infinity<T> : proven_[i].d2;
        doing_[i] = offers ? Doing::offering : Doing::sleeping;
        return offers;
    }

    /// Finds the next candidate of point i, of component c, in its list.
    Doing look_up(pos_t i, pos_t c) {
        // The last candidate was the least edge, and has become one inside.
        if (proven_[i] < candidate_[i]) proven_[i] = candidate_[i];
        candidate_[i] = {};
        // An equal point before this one, in the same component, has all its edges, and they are less.
        if (i > 0 && from_.step2[i - 1] < 0 && component_[i - 1] == c) return Doing::retired;
        Key<T> const listed = first_listed(i, c);
        if (listed.pos != no_pos && listed <= proven_[i]) {
            candidate_[i] = listed;
            return Doing::offering;
        }
        lower(bound_[c], proven_[i].d2);
        return Doing::sleeping;
    }
    /// The least edge in the list of point i that leaves its component.
    Key<T> first_listed(pos_t i, pos_t c) {
        Key<T>* const listed = row(i);
        pos_t& inside = inside_[i];
        if (!view_.core2) {
            while (inside < from_.listed && component_[listed[inside].pos] == c) ++inside;
            return inside < from_.listed ? listed[inside] : Key<T>{};
        }
        // By mutual reachability the list isn't in order: those inside are taken out of it.
        Key<T> least;
        pos_t left = 0;
        for (pos_t e = 0, end = from_.listed - inside; e < end; ++e) {
            Key<T> const key = listed[e];
            if (component_[key.pos] == c) continue;
            listed[left++] = key;
            if (key < least) least = key;
        }
        inside = from_.listed - left;
        return least;
    }

    /// Every point offers its candidate to its component. A candidate may have come to lie inside, and then
    /// the next one, which is found late, is no less: who can't offer less than his component knows need not
    /// look.
    void offer_candidates() {
        each_root([&](pos_t c) { least_[c] = no_pos; });
        parallel_for(offering_.chunks(), 1, [&](std::size_t chunk, std::size_t end) {
            for (; chunk < end; ++chunk) {
                RunOfOffers<T> run(view_);
                offering_.filter_chunk(chunk, [&](pos_t i) {
                    pos_t const c = component_[i];
                    Edge<T> edge = edge_of(i, candidate_[i]);
                    if (!run.improves(c, edge)) return true;
                    if (component_[candidate_[i].pos] == c) {
                        doing_[i] = look_up(i, c);
                        if (doing_[i] != Doing::offering) return false;
                        edge = edge_of(i, candidate_[i]);
                        if (!run.improves(c, edge)) return true;
                    }
                    run.offer(i, edge);
                    return true;
                });
            }
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
        offer_hints();
        pos_t const excluded = mark_wanted();
        WalkCounts const counts = search(view_, excluded);
        // Who has found something offers it from now on; bounds of the others are better.
        each_root([&](pos_t c) {
            if (!settled_[c]) bound_[c] = infinity<T>;
        });
        parallel_for(offering_.chunks(), 1, [&](std::size_t chunk, std::size_t end) {
            RunOf settled([&](pos_t c) { return settled_[c]; });
            for (; chunk < end; ++chunk)
                for (auto i = pos_t(chunk * grain), last = pos_t(std::min(n_ - i, pos_t(grain)) + i);
                     i < last; ++i) {
                    pos_t const c = component_[i];
                    if (settled(c) || doing_[i] != Doing::sleeping) continue;
                    if (candidate_[i].pos == no_pos) {
                        lower(bound_[c], proven_[i].d2);
                    } else {
                        doing_[i] = Doing::offering;
                        offering_.add(chunk, i);
                    }
                }
        });
        each_root([&](pos_t c) { settled_[c] = settled_[c] || c != excluded; });
        return counts;
    }

    /// Offers some edges to components that will search, so that none goes without a bound: what is left
    /// of lists, and neighbours in z-order that are of different components.
    void offer_hints() {
        parallel_for(n_, grain, [&](std::size_t begin, std::size_t end) {
            RunOfOffers<T> own(view_), others(view_);
            auto const offer = [](RunOfOffers<T>& run, pos_t c, pos_t id, Edge<T> const& edge) {
                if (run.improves(c, edge)) run.offer(id, edge);
            };
            RunOf settled([&](pos_t c) { return settled_[c]; });
            for (pos_t i = pos_t(begin); i < end; ++i) {
                pos_t const c = component_[i];
                if (settled(c) || doing_[i] == Doing::retired) continue;
                bool const hints = doing_[i] != Doing::offering;  // else its own component knows
                // The least one that there was stays the least as long as it leaves the component.
                if (hints && (hint_[i].pos == no_pos || component_[hint_[i].pos] == c))
                    hint_[i] = find_hint(i, c);
                pos_t const other = hints ? hint_[i].pos : candidate_[i].pos;
                if (other == no_pos) continue;
                pos_t const id = hints ? i | Fragments<T>::is_hint : i, there = component_[other];
                if (there == c) continue;  // a candidate that has come to lie inside
                Edge<T> const edge = view_.edge_by(id);
                if (hints) offer(own, c, id, edge);
                if (!settled_[there]) offer(others, there, id, edge);
            }
        });
    }
    Key<T> find_hint(pos_t i, pos_t c) {
        Key<T> hint = first_listed(i, c);
        auto const consider = [&](pos_t j, T d2) {
            if (component_[j] != c)
                hint = std::min(hint, Key<T>{view_.weight(i, j, max_of(T(0), d2)), j});
        };
        if (i > 0) consider(i - 1, from_.step2[i - 1]);
        if (i + 1 < n_) consider(i + 1, from_.step2[i]);
        return hint;
    }

    /// Finds the points that may have a less edge than their component was offered. Returns the component
    /// with most of them; of several, the first.
    pos_t mark_wanted() {
        each_root([&](pos_t c) { open_[c] = 0; });
        parallel_for(n_, grain, [&](std::size_t begin, std::size_t end) {
            pos_t of = component_[begin], count = 0;
            auto const add = [&] {
                if (count > 0)
                    std::atomic_ref<pos_t>(open_[of]).fetch_add(count, std::memory_order_relaxed);
            };
            RunOf least([&](pos_t c) {  // shorter than everything: nothing matters to the component
                return settled_[c] ? Edge<T>{T(-1), 0, 0} : view_.least_of(c);
            });
            for (pos_t i = pos_t(begin); i < end; ++i) {
                pos_t const c = component_[i];
                wanted_[i] =
                    doing_[i] == Doing::sleeping && proven_[i] < Fragments<T>::horizon(i, least(c));
                if (c != of) {
                    add();
                    of = c;
                    count = 0;
                }
                count += wanted_[i];
            }
            add();
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

    /// Joins components by the least edges of those that are settled.
    void join() {
        size_type const begin = count_;
        std::atomic<size_type> count = begin;
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
            size_type const at = count.fetch_add(found.size(), std::memory_order_relaxed);
            std::copy(found.begin(), found.end(), edges_.begin() + at);
        });
        count_ = count;
        Links const links{component_.data()};
        parallel_for(count_ - begin, grain, [&](std::size_t e, std::size_t end) {
            for (; e < end; ++e) links.link(edges_[begin + e].a, edges_[begin + e].b);
        });
        links_settle(component_);
        roots_.filter([&](pos_t c) {
            if (component_[c] == c) return true;
            lower(bound_[component_[c]], bound_[c]);
            return false;
        });
    }

    Neighbourhood<T> from_;
    pos_t n_;
    Buffer<pos_t> component_;
    Buffer<T> margin2_;
    Buffer<Key<T>> candidate_, hint_, proven_;
    // Of components:
    Buffer<pos_t> least_, open_;
    Buffer<T> bound_;  ///< the least `proven` of its sleeping points
    // Of points again:
    Buffer<pos_t> inside_;  ///< how many of the list are known to be inside the component
    Buffer<Doing> doing_;
    Buffer<std::uint8_t> settled_, wanted_;  ///< of components; of points
    Buffer<Edge<T>> edges_;
    ChunkedSet offering_, roots_;
    size_type count_ = 0, searched_ = 0;
    Fragments<T> view_;
};

}  // namespace

template <class T>
Buffer<Edge<T>> grow_tree(Neighbourhood<T>&& from, LeastEdgeSearch<T> const& search, Stats& stats) {
    return Forest<T>(std::move(from)).grow(search, stats);
}

template Buffer<Edge<float>> grow_tree(Neighbourhood<float>&&, LeastEdgeSearch<float> const&, Stats&);
template Buffer<Edge<double>> grow_tree(Neighbourhood<double>&&, LeastEdgeSearch<double> const&, Stats&);

}  // namespace zwalk::inline v0::detail
