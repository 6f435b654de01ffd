// Wrong traits. Each case, chosen by -DCASE_<name>, must stop the compiler with one plain sentence;
// without a case the file compiles. Run by tests/compile_fail/CMakeLists.txt.
#include "zwalk/walk/check.hpp"

using namespace zwalk;

struct Good : Types<3, float> {
    static constexpr Uses uses{};
    using Fold = int;
    Decision decide(Node const&, Node const&, Bounds) const { return Decision::descend; }
    Fold begin(Point const&, State) const { return 0; }
    void visit(Fold&, Point const&, Point const&, float) const {}
    void end(Fold const&, Point const&) const {}
};
static_assert(check_interaction<Good>());

struct GoodLanes : Types<3, float> {
    static constexpr Uses uses{.lanes = true};
    template <class V>
    using Fold = V;
    Decision decide(Node const&, Node const&, Bounds) const { return Decision::descend; }
    Fold<float> begin(Point const&, State) const { return 0; }
    template <class V>
    void visit(Fold<V>& a, Target const&, auto const& q, V d2) const {
        a += select(d2 > 0, q.x[0], 0);
    }
    void join(Fold<float>& a, auto const& lanes) const { a += sum_of(lanes); }
    void end(Fold<float> const&, Target const&) const {}
};
static_assert(check_interaction<GoodLanes>());
struct GoodPairs : Good {
    static constexpr Uses uses{.symmetric = true, .lanes = true};
    static constexpr Tuning tuning{.leaf_pairs = true};
    template <class V>
    void pair(Point const&, auto const&, V, auto&) const {}
    void pair_leaves(auto const& leaves, Range<float>, auto&) const {
        leaves.each([](auto const&) {});
    }
};
static_assert(check_interaction<GoodPairs>());
struct GoodState : Good {
    using State = int;
    static constexpr Uses uses{.state = true};
    static constexpr Tuning tuning{.lane_absorb = true};
    template <class V>
    struct Accepted {
        V count;
    };
    Fold begin(Point const&, State) const { return 0; }
    State top_state() const { return 0; }
    State inherit(State s, Node const&, Node const&) const { return s; }
    Accepted<double> accepted(Node const&, Node const&, Bounds) const { return {1}; }
    template <class V>
    void absorb(State& n, Node const&, AcceptedView<Accepted<V>> sources) const {
        for (auto const& s : sources) n += int(sum_of(s.count));
    }
};
template <class T>
struct Mixed {
    T mass;
    int kind;
};

#if defined(CASE_no_names)
struct Wrong {};
#elif defined(CASE_no_uses)
struct Wrong : Types<3, float> {};
#elif defined(CASE_uses_not_static)
struct Wrong : Good {
    Uses const uses{};
};
#elif defined(CASE_not_copyable)
struct Wrong : Good {
    Wrong(Wrong const&) {}
};
#elif defined(CASE_no_decide)
struct Wrong : Types<3, float> {
    static constexpr Uses uses{};
};
#elif defined(CASE_decide_not_const)
struct Wrong : Good {
    Decision decide(Node const&, Node const&, Bounds) { return Decision::descend; }
};
#elif defined(CASE_decide_returns_bool)
struct Wrong : Good {
    bool decide(Node const&, Node const&, Bounds) const { return true; }
};
#elif defined(CASE_reach_missing)
struct Wrong : Good {
    static constexpr Uses uses{.reach = true};
};
#elif defined(CASE_reach_misspelled)
struct Wrong : Good {
    static constexpr Uses uses{.reach = true};
    using Reach = Key<float>;
    Reach reach_begin(Node const&) const { return {}; }
    void reach_ad(Reach&, Node const&, Node const&, Bounds) const {}
    Key<float> reach_end(Reach const& r, Node const&) const { return r; }
};
#elif defined(CASE_reach_undeclared)
struct Wrong : Good {
    using Reach = Key<float>;
    Reach reach_begin(Node const&) const { return {}; }
    void reach_add(Reach&, Node const&, Node const&, Bounds) const {}
    Key<float> reach_end(Reach const& r, Node const&) const { return r; }
};
#elif defined(CASE_horizon_undeclared)
struct Wrong : Good {
    Key<float> horizon(Fold const&) const { return {}; }
};
#elif defined(CASE_ordered_without_horizon)
struct Wrong : Good {
    static constexpr Uses uses{.ordered = true};
};
#elif defined(CASE_summary_missing)
struct Wrong : Good {
    static constexpr Uses uses{.summary = true};
};
#elif defined(CASE_far_without_summary)
struct Wrong : Good {
    static constexpr Uses uses{.far = true};
    void far(Fold&, Point const&, Summary, auto const&) const {}
};
#elif defined(CASE_links_without_whole)
struct Wrong : Good {
    static constexpr Uses uses{.links = true};
};
#elif defined(CASE_symmetric_without_pair)
struct Wrong : Good {
    static constexpr Uses uses{.symmetric = true};
};
#elif defined(CASE_symmetric_with_reach)
struct Wrong : Types<3, float> {
    static constexpr Uses uses{.reach = true, .symmetric = true};
    using Reach = int;
    Reach reach_begin(Node const&) const { return 0; }
    void reach_add(Reach&, Node const&, Node const&, Bounds) const {}
    Key<float> reach_end(Reach const&, Node const&) const { return {}; }
    Decision decide(Node const&, Node const&, Bounds) const { return Decision::descend; }
    void pair(Point const&, Point const&, float, auto&) const {}
};
#elif defined(CASE_cutoff_undeclared)
struct Wrong : Good {
    float cutoff2() const { return 1; }
};
#elif defined(CASE_cutoff_missing)
struct Wrong : Good {
    static constexpr Uses uses{.cutoff = true};
};
#elif defined(CASE_cutoff_of_targets_symmetric)
struct Wrong : Types<3, float> {
    static constexpr Uses uses{.symmetric = true, .cutoff = true};
    Decision decide(Node const&, Node const&, Bounds) const { return Decision::descend; }
    void pair(Point const&, Point const&, float, auto&) const {}
    float cutoff2(Target const&) const { return 1; }
};
#elif defined(CASE_cutoff_twice)
struct Wrong : Good {
    static constexpr Uses uses{.cutoff = true};
    float cutoff2() const { return 1; }
    float cutoff2(Target const&) const { return 1; }
};
#elif defined(CASE_cutoff_ordered)
struct Wrong : Good {
    static constexpr Uses uses{.ordered = true, .cutoff = true};
    Key<float> horizon(Fold const&) const { return {}; }
    float cutoff2() const { return 1; }
};
#elif defined(CASE_total_never_added)
struct Wrong : Good {
    static constexpr Uses uses{.total = true};
    using Total = int;
    void combine(Total&, Total const&) const {}
};
#elif defined(CASE_visit_wrong)
struct Wrong : Types<3, float> {
    static constexpr Uses uses{};
    using Fold = int;
    Decision decide(Node const&, Node const&, Bounds) const { return Decision::descend; }
    Fold begin(Point const&, State) const { return 0; }
    void visit(Fold&, Point const&, float) const {}
    void end(Fold const&, Point const&) const {}
};
#elif defined(CASE_scratch_undeclared)
struct Wrong : Good {
    std::size_t scratch_bytes() const { return 8; }
};
#elif defined(CASE_blocks_undeclared)
struct Wrong : Good {
    template <Isa, class Block>
    void visit_block(Fold&, Point const&, Block const&) const {}
};
#elif defined(CASE_blocks_unordered)
struct Wrong : Good {
    static constexpr Uses uses{};
    static constexpr Tuning tuning{.blocks = true};
    template <Isa, class Block>
    void visit_block(Fold&, Point const&, Block const&) const {}
};
#elif defined(CASE_leaf_pairs_alone)
struct Wrong : Good {
    static constexpr Tuning tuning{.leaf_pairs = true};
};
#elif defined(CASE_leaf_pairs_metric)
struct Wrong : GoodPairs {
    static constexpr Uses uses{.metric = true, .symmetric = true, .lanes = true};
    Bounds metric(Node const&, Node const&, Bounds range) const { return range; }
};
#elif defined(CASE_leaf_pairs_missing)
struct Wrong : GoodPairs {
    void pair_leaves(int, Range<float>, auto&) const {}
};
#elif defined(CASE_leaf_pairs_undeclared)
struct Wrong : GoodPairs {
    static constexpr Tuning tuning{};
};
#elif defined(CASE_guess_undeclared)
struct Wrong : Good {
    void assume(Fold&, float) const {}
    bool is_short(Fold const&) const { return false; }
    float enough(Fold const&) const { return 0; }
};
#elif defined(CASE_guess_missing)
struct Wrong : Good {
    static constexpr Uses uses{.ordered = true};
    static constexpr Tuning tuning{.guess = true};
    Key<float> horizon(Fold const&) const { return {}; }
    void assume(Fold&, float) const {}
};
#elif defined(CASE_group_undeclared)
struct Wrong : Good {
    template <class G>
    struct GroupFold {};
    template <class G>
    void group_begin(G const&, GroupFold<G>&, Point const&, State const&) const {}
    template <class G>
    void group_visit(G const&, GroupFold<G>&, Point const&, pos_t, unsigned,
                     typename G::template var<float> const&) const {}
    template <class G>
    Key<float> group_horizon(GroupFold<G> const&) const {
        return {};
    }
    template <class G>
    void group_end(G const&, GroupFold<G>&, Point const&) const {}
};
#elif defined(CASE_batch_undeclared)
struct Wrong : Good {
    void visit_batch(Fold&, Point const&, Key<float> (&)[batch_size]) const {}
};
#elif defined(CASE_batch_missing)
struct Wrong : Good {
    static constexpr Uses uses{.ordered = true};
    static constexpr Tuning tuning{.batch = true};
    Key<float> horizon(Fold const&) const { return {}; }
};
#elif defined(CASE_batch_unordered)
struct Wrong : Good {
    static constexpr Uses uses{};
    static constexpr Tuning tuning{.batch = true};
    void visit_batch(Fold&, Point const&, Key<float> (&)[batch_size]) const {}
};
#elif defined(CASE_kept_missing)
struct Wrong : Good {
    static constexpr Uses uses{.ordered = true};
    static constexpr Tuning tuning{.batch = true, .kept = 8};
    Key<float> horizon(Fold const&) const { return {}; }
    template <class Kept>
    void visit_batch(Fold&, Point const&, Key<float> (&)[batch_size], Kept&) const {}
};
#elif defined(CASE_group_missing)
struct Wrong : Good {
    static constexpr Uses uses{.ordered = true};
    static constexpr Tuning tuning{.group = true};
    Key<float> horizon(Fold const&) const { return {}; }
};
#elif defined(CASE_group_unordered)
struct Wrong : Good {
    static constexpr Uses uses{};
    static constexpr Tuning tuning{.group = true};
    template <class G>
    struct GroupFold {};
    template <class G>
    void group_begin(G const&, GroupFold<G>&, Point const&, State const&) const {}
    template <class G>
    void group_visit(G const&, GroupFold<G>&, Point const&, pos_t, unsigned,
                     typename G::template var<float> const&) const {}
    template <class G>
    Key<float> group_horizon(GroupFold<G> const&) const {
        return {};
    }
    template <class G>
    void group_end(G const&, GroupFold<G>&, Point const&) const {}
};
#elif defined(CASE_idle_undeclared)
struct Wrong : Good {
    bool idle(Node const&) const { return false; }
};
#elif defined(CASE_idle_alone)
struct Wrong : Good {
    static constexpr Uses uses{.idle = true};
    bool idle(Node const&) const { return false; }
};
#elif defined(CASE_leaf_summary_undeclared)
struct Wrong : Good {
    Summary summarize_leaf(LeafOf<Good>) const { return {}; }
};
#elif defined(CASE_leaf_summary_missing)
struct Wrong : Good {
    static constexpr Uses uses{};
    static constexpr Tuning tuning{.leaf_summary = true};
};
#elif defined(CASE_leaf_summary_alone)
struct Wrong : Good {
    static constexpr Uses uses{};
    static constexpr Tuning tuning{.leaf_summary = true};
    Summary summarize_leaf(LeafOf<Good>) const { return {}; }
};
#elif defined(CASE_sift_undeclared)
struct Wrong : Good {
    template <Isa>
    std::uint32_t useful(Fold const&, ColumnsView<Payload>, pos_t) const {
        return 0;
    }
    bool alike(Fold const&, Fold const&) const { return true; }
    void narrow(Summary&, Fold const&) const {}
};
#elif defined(CASE_sift_missing)
struct Wrong : Good {
    static constexpr Uses uses{};
    static constexpr Tuning tuning{.sift = true};
    bool alike(Fold const&, Fold const&) const { return true; }
    void narrow(Summary&, Fold const&) const {}
};
#elif defined(CASE_sift_alone)
struct Wrong : Good {
    static constexpr Uses uses{};
    static constexpr Tuning tuning{.sift = true};
    template <Isa>
    std::uint32_t useful(Fold const&, ColumnsView<Payload>, pos_t) const {
        return 0;
    }
    bool alike(Fold const&, Fold const&) const { return true; }
    void narrow(Summary&, Fold const&) const {}
};
#elif defined(CASE_lanes_undeclared)
struct Wrong : GoodLanes {
    static constexpr Uses uses{};
};
#elif defined(CASE_lanes_plain_fold)
struct Wrong : Good {
    static constexpr Uses uses{.lanes = true};
};
#elif defined(CASE_lanes_visit_misspelled)
struct Wrong : Types<3, float> {
    static constexpr Uses uses{.lanes = true};
    template <class V>
    using Fold = V;
    Decision decide(Node const&, Node const&, Bounds) const { return Decision::descend; }
    Fold<float> begin(Point const&, State) const { return 0; }
    template <class V>
    void visits(Fold<V>&, Target const&, auto const&, V) const {}
    void join(Fold<float>&, auto const&) const {}
    void end(Fold<float> const&, Target const&) const {}
};
#elif defined(CASE_lanes_visit_scalar)
struct Wrong : GoodLanes {
    void visit(Fold<float>&, Target const&, Point const&, float) const {}
};
#elif defined(CASE_lanes_without_join)
struct Wrong : GoodLanes {
    void join(Fold<float>&) const {}
};
#elif defined(CASE_lanes_pair_scalar)
struct Wrong : Good {
    static constexpr Uses uses{.symmetric = true, .lanes = true};
    void pair(Point const&, Point const&, float, auto&) const {}
};
#elif defined(CASE_lanes_payload)
struct Wrong : GoodLanes {
    struct Payload {
        float mass;
    };
};
#elif defined(CASE_lanes_mixed_payload)
struct Wrong : GoodLanes {
    using Payload = Mixed<float>;
};
#elif defined(CASE_lanes_ordered)
struct Wrong : GoodLanes {
    static constexpr Uses uses{.ordered = true, .lanes = true};
    Key<float> horizon(Fold<float> const&) const { return {}; }
};
#elif defined(CASE_lane_absorb_undeclared)
struct Wrong : Good {
    int accepted(Node const&, Node const&, Bounds) const { return 1; }
};
#elif defined(CASE_lane_absorb_alone)
struct Wrong : Good {
    static constexpr Uses uses{};
    static constexpr Tuning tuning{.lane_absorb = true};
};
#elif defined(CASE_lane_absorb_plain)
struct Wrong : GoodState {
    struct Accepted {
        double count;
    };
};
#elif defined(CASE_lane_absorb_mixed)
struct Wrong : GoodState {
    template <class V>
    struct Accepted {
        V count;
        int more;
    };
};
#elif defined(CASE_lane_absorb_scalar)
struct Wrong : GoodState {
    void absorb(State&, Node const&, Node const&, Bounds) const {}
};
#elif defined(CASE_lane_absorb_float)
struct Wrong : GoodState {
    Accepted<float> accepted(Node const&, Node const&, Bounds) const { return {1}; }
};
#elif defined(CASE_few_pairs_alone)
struct Wrong : Good {
    static constexpr Uses uses{};
    static constexpr Tuning tuning{.few_pairs = 10};
};
#else
using Wrong = Good;
static_assert(check_interaction<GoodState>());
#endif

constexpr bool ok = check_interaction<Wrong>();
int main() { return ok ? 0 : 1; }
