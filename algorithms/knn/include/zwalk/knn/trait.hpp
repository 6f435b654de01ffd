// k-nearest neighbours as an interaction trait (paper section III).
#pragma once
#include <cmath>

#include "zwalk/knn/candidates.hpp"
#include "zwalk/knn/counted_radii.hpp"
#include "zwalk/walk/interaction.hpp"

namespace zwalk::inline v0 {

/// Finds the k smallest keys (d2, source position) of every target.
///
/// The lexicographic key makes the answer unique, and keeps duplicated points cheap: among nodes
/// at equal distance only those with the first positions survive.
template <int D, class T>
struct Knn : Types<D, T> {
    using typename Types<D, T>::Node;
    using typename Types<D, T>::Point;
    using typename Types<D, T>::State;
    static constexpr Uses uses{.reach = true, .ordered = true, .scratch = true};

    pos_t k = 1;                ///< <= number of sources (missing ones are the caller's)
    bool exclude_self = false;  ///< targets and sources are the same hierarchy
    std::size_t columns = 1;    ///< row length of the outputs, >= k
    index_t* indices = nullptr;
    T* distances = nullptr;
    pos_t const* row_of = nullptr;     ///< output row of a target position; null: the position
    pos_t const* source_of = nullptr;  ///< output index of a source position; null: the position

    using Reach = CountedRadii<T, 16>;
    ZWALK_HD Reach reach_begin(Node const&) const { return Reach(k + pos_t(exclude_self)); }
    ZWALK_HD void reach_add(Reach& r, Node const&, Node const& s, Range<T> d) const {
        r.add({d.hi2, s.last()}, s.count);
    }
    ZWALK_HD Key<T> reach_end(Reach const& r, Node const&) const { return r.bound(); }

    ZWALK_HD Decision decide(Node const& t, Node const& s, Range<T> d) const {
        return Key<T>{d.lo2, s.first} <= t.reach ? Decision::descend : Decision::discard;
    }

    using Fold = Candidates<T>;
    ZWALK_HD std::size_t scratch_bytes() const { return Fold::bytes(k); }
    ZWALK_HD Fold begin(Point const&, State const&, void* scratch) const {
        return Fold(scratch, k);
    }
    ZWALK_HD void visit(Fold& f, Point const& p, Point const& q, T d2) const {
        if (exclude_self && p.index == q.index) return;
        f.add({d2, q.index});
    }
    ZWALK_HD Key<T> horizon(Fold const& f) const { return f.worst(); }
    ZWALK_HD void end(Fold& f, Point const& p) const {
        f.finish();
        std::size_t const row = (row_of ? row_of[p.index] : p.index) * columns;
        for (std::size_t j = 0; j < columns; ++j) {
            bool const found = j < f.size();
            Key<T> const best = found ? f[pos_t(j)] : Key<T>{};
            distances[row + j] = std::sqrt(best.d2);
            indices[row + j] =
                found ? index_t(source_of ? source_of[best.pos] : best.pos) : index_t(-1);
        }
    }
};

}  // namespace zwalk::inline v0
