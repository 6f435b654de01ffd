// What the author of lists writes: a list trait. It declares which sources a target wants; counting them, memory, the lists
// themselves and their order are the core's (lists/lists.hpp).
//
//   struct Ball : zwalk::Types<3, float> {
//       static constexpr zwalk::ListUses uses{.cutoff = true};
//       float radius2;
//       ZWALK_HD zwalk::Decision decide(Node const&, Node const&, Bounds d) const {
//           if (d.lo2 > radius2) return zwalk::Decision::discard;
//           return d.hi2 <= radius2 ? zwalk::Decision::accept : zwalk::Decision::descend;
//       }
//       ZWALK_HD bool wanted(Target const&, Point const&, float d2) const { return d2 <= radius2; }
//       ZWALK_HD float cutoff2() const { return radius2; }
//   };
//
// decide() answers for all pairs of points of two nodes: `discard`, none of these sources is wanted for any target; `accept`,
// all are for each; `descend`, it depends. Its answer on a pair of nodes must be that of wanted() on each pair of their
// points: then lists don't depend on how nodes are cut. What a trait may read of a source is in walk/interaction.hpp.
#pragma once
#include <concepts>
#include <type_traits>

#include "zwalk/walk/hooks.hpp"
#include "zwalk/walk/interaction.hpp"

namespace zwalk { inline namespace v0 {

/// Services that a list trait uses. Each line names the members that come with it.
struct ListUses {
    /// `real cutoff2()`: no source further away (squared) than this is wanted. Then CPUs look for those that may be with
    /// all lanes at once, and wanted() is called for few others. Or `real cutoff2(Target)`, where targets differ in it.
    bool cutoff = false;
    /// `bool limits2(Target, ColumnsView<Payload> sources, pos_t first, pos_t n, real* to)`, beside cutoff2(Target): the cutoff
    /// for each of the n sources from `first` on, where it depends on these, too; false: it doesn't. CPUs look for those that
    /// may be wanted by it.
    bool limits = false;
    /// `Summary summarize(point)`, `Summary merge(Summary, Summary)`: as Uses::summary.
    bool summary = false;
};

namespace detail {

template <class L>
concept HasListNames = requires {
    typename L::real;
    typename L::Payload;
    typename L::Summary;
    typename L::Node;
    typename L::Point;
    typename L::Target;
    { L::dim } -> std::convertible_to<int>;
    { L::uses } -> std::convertible_to<ListUses>;
    requires std::is_empty_v<typename L::State>;
};
/// Whether points of a list trait carry something.
template <class L>
inline constexpr bool lists_with_payload = false;
template <HasListNames L>
inline constexpr bool lists_with_payload<L> = !std::is_empty_v<typename L::Payload>;
template <class L>
concept HasLimits = requires(L const l, typename L::Target p, ColumnsView<typename L::Payload> sources,
                             typename L::real* to) {
    { l.limits2(p, sources, pos_t(), pos_t(), to) } -> std::same_as<bool>;
};
template <class L>
concept HasWanted = requires(L const l, typename L::Target p, typename L::Point q, typename L::real d2) {
    { l.wanted(p, q, d2) } -> std::same_as<bool>;
};

}  // namespace detail

/// True if L is a complete list trait; otherwise compilation stops with a sentence that names what is missing.
template <class L>
consteval bool check_list_trait() {
    using namespace detail;
#define ZWALK_CHECK(condition, sentence)                \
    else if constexpr (!(condition)) {                  \
        static_assert((condition), "zwalk: " sentence); \
        return false;                                   \
    }
    if constexpr (!HasListNames<L>) {
        static_assert(HasListNames<L>,
                      "zwalk: a list trait needs `static constexpr ListUses uses` and the names of "
                      "Types<D, T, Payload, Summary>; derive it from that. It has no State.");
        return false;
    }
    ZWALK_CHECK(std::is_trivially_copyable_v<L>,
                "a list trait must be trivially copyable: hold plain numbers and pointers only.")
    ZWALK_CHECK(HasDecide<L>,
                "a list trait needs `Decision decide(Node target, Node source, Bounds range) const`.")
    ZWALK_CHECK(HasWanted<L>, "a list trait needs `bool wanted(Target, Point source, real d2) const`.")
    ZWALK_CHECK(!L::uses.cutoff || HasCutoff<L> || HasCutoffs<L>,
                "ListUses::cutoff needs `real cutoff2() const`, or `real cutoff2(Target) const`.")
    ZWALK_CHECK(L::uses.cutoff || !(HasCutoff<L> || HasCutoffs<L>),
                "the list trait has cutoff2() but doesn't say uses.cutoff = true.")
    ZWALK_CHECK(L::uses.limits == HasLimits<L> && (!L::uses.limits || HasCutoffs<L>),
                "ListUses::limits and `bool limits2(Target, ColumnsView<Payload>, pos_t first, pos_t n, "
                "real* to) const` go together, and with `real cutoff2(Target) const`.")
    ZWALK_CHECK(!L::uses.summary || HasSummary<L>,
                "ListUses::summary needs `Summary summarize(Point) const` and "
                "`Summary merge(Summary, Summary) const`.")
    ZWALK_CHECK(L::uses.summary || !HasSummary<L>,
                "the list trait has summarize/merge but doesn't say uses.summary = true.")
    else {
        return true;
    }
#undef ZWALK_CHECK
}

}}  // namespace zwalk::v0
