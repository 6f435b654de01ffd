// What is left of a spanning tree over ranks once each rank has joined what it can: parts, and edges that may join them.
// All ranks have the same skeleton and do the same with it.
#pragma once
#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

#include "rank_edge.hpp"
#include "rule.hpp"
#include "zwalk/walk/union_find.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// A part as its rank describes it. Parts of all ranks are numbered in rank order.
template <class T>
struct RankPart {
    std::uint64_t points;
    EdgeName<T> low;  ///< no edge that leaves it is less, but for those that are known to the skeleton
};

/// Components of parts in Borůvka's rounds, named by their first part. A component is settled when the least edge that
/// leaves it is among those that are known.
template <class T>
class Skeleton {
  public:
    /// @param parts  of all ranks: at least one
    /// @param known  between parts; with these alone all parts would be one component
    Skeleton(std::span<RankPart<T> const> parts, std::span<OpenEdge<T> const> known)
        : component_(parts.size()),
          part_(parts.begin(), parts.end()),
          known_(known.begin(), known.end()),
          least_(parts.size()),
          roots_(parts.size()) {
        std::iota(component_.begin(), component_.end(), pos_t(0));
        std::iota(roots_.begin(), roots_.end(), pos_t(0));
        find_least();
    }

    /// How many components there are.
    [[nodiscard]] std::size_t size() const { return roots_.size(); }
    [[nodiscard]] std::size_t parts() const { return component_.size(); }
    [[nodiscard]] pos_t component_of(pos_t part) const { return component_[part]; }
    /// Edges of the tree that joined parts so far.
    [[nodiscard]] std::vector<RankEdge<T>> const& tree() const { return tree_; }

    /// Too few components are settled to go on without a search.
    [[nodiscard]] bool must_search() const {
        std::size_t settled = 0;
        for (pos_t const c : roots_) settled += is_settled(c);
        return settled < size() / patience + 1;
    }
    /// Chooses the components that search: all that aren't settled but the largest one, which others will join.
    void begin_search() {
        excluded_ = no_pos;
        for (pos_t const c : roots_)
            if (!is_settled(c) && (excluded_ == no_pos || part_[excluded_].points < part_[c].points))
                excluded_ = c;
    }
    [[nodiscard]] bool searches(pos_t component) const {
        return component != excluded_ && !is_settled(component);
    }
    /// How long (squared) the least known edge is that leaves a component.
    [[nodiscard]] T reach2(pos_t component) const { return known_[least_[component]].edge.name.w2; }
    /// Takes what the search has found: for each component that searched the least edge, if it is less than those that were
    /// known. Components that have searched are settled then.
    void end_search(std::span<OpenEdge<T> const> found) {
        std::vector<pos_t> searched;
        for (pos_t const c : roots_)
            if (searches(c)) searched.push_back(c);
        known_.insert(known_.end(), found.begin(), found.end());
        find_least();
        for (pos_t const c : searched) part_[c].low = least_edge(c);
    }

    /// Joins settled components by their least edges.
    void join() {
        std::vector<pos_t> chosen;
        for (pos_t const c : roots_)
            if (is_settled(c)) chosen.push_back(least_[c]);
        // Two components may have chosen the same edge, which several ranks may have reported.
        std::sort(chosen.begin(), chosen.end(),
                  [&](pos_t x, pos_t y) { return known_[x].edge < known_[y].edge; });
        Links const components{component_.data()};
        EdgeName<T> last;
        for (pos_t const e : chosen) {
            auto const& [edge, from, to] = known_[e];
            if (edge.name == last) continue;
            last = edge.name;
            tree_.push_back(edge);
            components.link(from, to);
        }
        for (std::size_t p = 0; p < parts(); ++p) components.settle(pos_t(p));
        std::erase_if(roots_, [&](pos_t c) {
            pos_t const to = component_[c];
            if (to == c) return false;
            part_[to].points += part_[c].points;
            part_[to].low = std::min(part_[to].low, part_[c].low);
            return true;
        });
        find_least();
    }

  private:
    [[nodiscard]] EdgeName<T> const& least_edge(pos_t c) const { return known_[least_[c]].edge.name; }
    [[nodiscard]] bool is_settled(pos_t c) const {
        return least_[c] != no_pos && !(part_[c].low < least_edge(c));
    }
    /// Drops edges inside components, and finds the least one of each of these.
    void find_least() {
        std::erase_if(known_, [&](OpenEdge<T>& e) {
            e.from = component_[e.from];
            e.to = component_[e.to];
            return e.from == e.to;
        });
        for (pos_t const c : roots_) least_[c] = no_pos;
        for (std::size_t e = 0; e < known_.size(); ++e)
            for (pos_t const c : {known_[e].from, known_[e].to})
                if (least_[c] == no_pos || known_[e].edge < known_[least_[c]].edge) least_[c] = pos_t(e);
    }

    std::vector<pos_t> component_;  ///< of each part
    std::vector<RankPart<T>> part_;
    std::vector<OpenEdge<T>> known_;
    std::vector<pos_t> least_;  ///< of a component: number of the least known edge that leaves it
    std::vector<pos_t> roots_;  ///< components
    pos_t excluded_ = no_pos;
    std::vector<RankEdge<T>> tree_;
};

}}}  // namespace zwalk::v0::detail
