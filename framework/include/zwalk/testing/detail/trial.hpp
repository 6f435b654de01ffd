// A place where walks are taken in ways that show mistakes: what verify() runs a program on.
#pragma once
#include <type_traits>
#include <vector>

#include "zwalk/lists/list_trait.hpp"
#include "zwalk/testing/detail/altered.hpp"
#include "zwalk/testing/detail/rules.hpp"
#include "zwalk/testing/report.hpp"
#include "zwalk/tree/joint.hpp"
#include "zwalk/walk/checked.hpp"
#include "zwalk/walk/observer.hpp"
#include "zwalk/walk/reference.hpp"
#include "zwalk/walk/tuning.hpp"

namespace zwalk { inline namespace v0 { namespace testing {

/// What a trait that was walked says of itself.
struct WalkedTrait {
    Uses uses;
    Tuning tuning;
};
/// How walks go on a Trial, and what it records of the traits.
struct TrialPlan {
    enum class Way {
        reference,  ///< the reference walk, checked, with these liberties
        two_trees,  ///< as always, but that sources have a tree of their own, with other leaves
        rules       ///< single hooks at random, before a reference walk
    };
    Way way = Way::reference;
    Liberties may{};
    /// Points and nodes have positions that are larger by this. So they are no numbers of targets, as on MPI ranks, where the
    /// points of others are in front. (Not those of traits that meet one tree.)
    pos_t shift = 0;
    RuleOptions rules{};
    OnBrokenRule broken{};
    std::vector<WalkedTrait> walked{};
    DecisionCounts decisions{};   ///< of all walks that take the word of decide()
    bool takes_accepted = false;  ///< some trait has a hook of its own for accepted pairs

    /// Whether any of them uses this service.
    [[nodiscard]] bool any(bool Uses::*service) const {
        for (WalkedTrait const& trait : walked)
            if (trait.uses.*service) return true;
        return false;
    }
};

/// CPU threads that walk by a plan.
class Trial : public Cpu {
  public:
    using Home = Cpu;
    Trial(Cpu const& cpu, TrialPlan& plan) : Cpu(cpu), plan_(&plan) {}
    [[nodiscard]] TrialPlan& plan() const { return *plan_; }
    /// The point of a tree that a position in an output means.
    [[nodiscard]] pos_t point_at(pos_t position) const { return position - plan_->shift; }

  private:
    TrialPlan* plan_;
};

/// Counts what becomes of pairs of nodes.
struct DecisionCounter : NoObserver {
    DecisionCounts& counts;

    template <class I>
    void decided(Decided<I> const& pair) {
        ++(pair.decision == Decision::discard  ? counts.discarded
           : pair.decision == Decision::accept ? counts.accepted
                                               : counts.descended);
    }
};
/// Whether it is made from a list trait, which has no hooks for accepted pairs.
template <class I>
concept MadeOfLists = zwalk::detail::HasListNames<decltype(I::list)>;

/// A tree of these points with other leaves. (Points in z-order keep their positions.)
template <class T>
Tree<T, Cpu> cut_otherwise(Cpu const& cpu, Tree<T, Cpu> const& tree) {
    std::size_t const d = std::size_t(tree.columns);
    std::vector<T> rows(tree.size() * d);
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = tree.x[i % d * tree.stride + i / d];
    Points<T> const points(rows.data(), tree.size(), tree.columns);
    return build_tree(cpu, points, tree.columns, {.leaf_size = 5, .coarsening = 3, .top_nodes = 1});
}

template <class I, class Space>
WalkCounts walk(Trial& trial, I const& trait, Space const& space,
                Tree<typename I::real, Cpu> const& targets, Tree<typename I::real, Cpu> const& sources,
                WalkInputs<I> const& inputs = {}) {
    TrialPlan& plan = trial.plan();
    Cpu const& cpu = trial;
    if constexpr (!check_interaction<I>()) return {};
    else
        return cpu.run([&] {
            plan.walked.push_back({I::uses, tuning_of<I>});
            if constexpr (!MadeOfLists<I>)
                plan.takes_accepted |=
                    I::uses.state || I::uses.far || zwalk::detail::accepts_into_sink<I>;
            if (plan.way == TrialPlan::Way::two_trees) {
                if constexpr (!I::uses.symmetric && !I::uses.links)
                    return walk(cpu, trait, space, targets, cut_otherwise(cpu, sources), inputs);
                return walk(cpu, trait, space, targets, sources, inputs);
            }
            if (plan.way == TrialPlan::Way::rules)
                Rules<I, Space>(trait, space, targets, sources, inputs, plan.rules, plan.broken).check();
            bool const one_tree = &targets == &sources;
            zwalk::detail::check_walk_inputs(space, targets, sources, one_tree, inputs);
            pos_t const shift = I::uses.symmetric || I::uses.links ? 0 : plan.shift;
            zwalk::detail::with_checks(
                trait, space, targets, sources, inputs,
                [&](auto const& checked, auto const& own) {
                    using Less = Altered<std::remove_cvref_t<decltype(checked)>>;
                    DecisionCounts brute_force;  // whose decisions aren't the trait's
                    bool const asks = plan.may.discard || plan.may.accept;
                    DecisionCounter counter{{}, asks ? plan.decisions : brute_force};
                    reference_walk(Less{{checked}, plan.may}, space, targets, sources,
                                   zwalk::detail::inputs_for<Less>(own), counter, shift);
                },
                shift);
            return WalkCounts{};
        });
}

}}}  // namespace zwalk::v0::testing
