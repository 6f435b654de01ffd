// The K nearest points of the same group, or of other groups, where a label in the payload says which group a point is of.
#pragma once
#include <cstdint>

#include "zwalk/walk/interaction.hpp"

namespace authors {
using namespace zwalk;

struct Member {
    std::int32_t group;
    pos_t row;
};
/// Groups of a node's points.
struct Groups {
    std::int32_t least, most;

    [[nodiscard]] ZWALK_HD bool is_one() const { return least == most; }
    ZWALK_HD friend bool are_apart(Groups a, Groups b) { return a.most < b.least || b.most < a.least; }
};
/// Rows of the K nearest, no_pos where there are fewer, and their squared distances.
template <class T, int K>
struct Neighbours {
    Vec<K, pos_t> row;
    Vec<K, T> d2;
};

enum class Whose { own, others };

template <int D, class T, int K, Whose whose>
struct GroupNeighbours : Types<D, T, Member, Groups> {
    using Base = Types<D, T, Member, Groups>;
    using typename Base::Node, typename Base::Point, typename Base::Target, typename Base::State;
    static constexpr Uses uses{.reach = true, .ordered = true, .summary = true};
    Neighbours<T, K>* neighbours = nullptr;

    ZWALK_HD Groups summarize(Point const& p) const { return {p.payload.group, p.payload.group}; }
    ZWALK_HD Groups merge(Groups a, Groups b) const {
        return {min_of(a.least, b.least), max_of(a.most, b.most)};
    }
    ZWALK_HD static bool none_wanted(Groups t, Groups s) {
        return whose == Whose::own ? are_apart(t, s) : t.is_one() && s.is_one() && t.least == s.least;
    }
    ZWALK_HD static bool all_wanted(Groups t, Groups s) {
        return whose == Whose::own ? t.is_one() && s.is_one() && t.least == s.least : are_apart(t, s);
    }

    using Reach = Key<T>;
    ZWALK_HD Reach reach_begin(Node const&) const { return {}; }
    ZWALK_HD void reach_add(Reach& r, Node const& t, Node const& s, Range<T> d) const {
        pos_t const itself = whose == Whose::own;  // may be one of the sources
        bool const serves_all = all_wanted(t.summary, s.summary) && s.count >= K + itself;
        if (serves_all && Key<T>{d.hi2, s.last()} < r) r = {d.hi2, s.last()};
    }
    ZWALK_HD Key<T> reach_end(Reach const& r, Node const&) const { return r; }
    ZWALK_HD Decision decide(Node const& t, Node const& s, Range<T> d) const {
        if (none_wanted(t.summary, s.summary)) return Decision::discard;
        return Key<T>{d.lo2, s.first} <= t.reach ? Decision::descend : Decision::discard;
    }

    /// The K nearest so far, nearest first.
    struct Fold {
        Key<T> key[K];
        pos_t row[K];
    };
    ZWALK_HD Fold begin(Target const&, State) const {
        Fold f;
        for (int i = 0; i < K; ++i) f.key[i] = {}, f.row[i] = no_pos;
        return f;
    }
    ZWALK_HD void visit(Fold& f, Target const& p, Point const& q, T d2) const {
        bool const wanted = (q.payload.group == p.payload.group) == (whose == Whose::own);
        if (!wanted || q.payload.row == p.payload.row) return;
        Key<T> const key{d2, q.position};
        int i = K;
        for (; i > 0 && key < f.key[i - 1]; --i)
            if (i < K) f.key[i] = f.key[i - 1], f.row[i] = f.row[i - 1];
        if (i < K) f.key[i] = key, f.row[i] = q.payload.row;
    }
    ZWALK_HD Key<T> horizon(Fold const& f) const { return f.key[K - 1]; }
    ZWALK_HD void end(Fold const& f, Target const& p) const {
        Neighbours<T, K> all;
        for (int i = 0; i < K; ++i) all.row[i] = f.row[i], all.d2[i] = f.key[i].d2;
        neighbours[p.index] = all;
    }
};

}  // namespace authors
