// What is known of the edges of each point of a growing spanning tree.
#pragma once
#include <utility>

#include "neighbour_lists.hpp"
#include "zwalk/emst/detail/point_rules.hpp"
#include "zwalk/exec/cpu.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// The lists of the points, without neighbours that have come to lie inside; and what PointRules finds in them,
/// where `inside(j)` is explained. Different threads may look after different points at once.
template <class T>
struct PointEdges {
    NeighbourLists<T> lists;
    Buffer<T> core2;  ///< squared core distances; empty: none
    /// Squared distance from each point to the next one; -1 if they are equal. points - 1 elements.
    Buffer<T> step2;
    Buffer<Key<T>> candidate, hint, proven;  ///< see Fragments
    Buffer<T> margin2;                       ///< see Fragments
    Buffer<Doing> doing;
    PointRules<T> rules;  ///< of these arrays

    /// @param mutual  whether there are core distances; they are to be written before `begin`
    PointEdges(Cpu const& cpu, pos_t points, pos_t listed, bool mutual, Buffer<T>&& steps,
               int chunk_log2)
        : lists(cpu, points, listed, chunk_log2),
          core2(cpu.buffer<T>(mutual ? points : 0)),
          step2(std::move(steps)),
          candidate(cpu.buffer<Key<T>>(points)),
          hint(cpu.buffer<Key<T>>(points)),
          proven(cpu.buffer<Key<T>>(points)),
          margin2(cpu.buffer<T>(points)),
          doing(cpu.buffer<Doing>(points)),
          rules{{.margin2 = margin2.data(),
                 .candidate = candidate.data(),
                 .hint = hint.data(),
                 .proven = proven.data()},
                mutual ? core2.data() : nullptr,
                step2.data(),
                doing.data(),
                points,
                listed} {}
    PointEdges(PointEdges const&) = delete;

    [[nodiscard]] bool mutual() const { return !core2.empty(); }
    [[nodiscard]] Edge<T> candidate_edge(pos_t i) const { return rules.candidate_edge(i); }

    void begin(pos_t i) {
        lists.begin(i);
        with_list(i, [&](ListedEdges<T>& list) { rules.begin(i, list); });
    }
    template <class Inside>
    void look_up(pos_t i, Inside const& inside) {
        with_list(i, [&](ListedEdges<T>& list) { rules.look_up(i, list, inside); });
    }
    template <class Inside>
    void find_hint(pos_t i, Inside const& inside) {
        with_list(i, [&](ListedEdges<T>& list) { rules.find_hint(i, list, inside); });
    }

  private:
    template <class F>
    void with_list(pos_t i, F const& f) {
        ListedEdges<T> list{lists.list(i), lists.size(i)};
        f(list);
        lists.keep(i, list.keys, list.size);
    }
};

}}}  // namespace zwalk::v0::detail
