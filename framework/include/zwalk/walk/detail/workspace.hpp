// The memory that one thread of a walk writes to.
#pragma once
#include <algorithm>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

#include "zwalk/walk/cpu_node_step.hpp"
#include "zwalk/walk/detail/cpu_leaf_step.hpp"
#include "zwalk/walk/lists.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Lists of the children of one target node, and what else they carry. The list of child i is
/// list[offset[i]] ... list[offset[i] + count[i] - 1].
template <class I>
struct Frame {
    std::vector<Entry<typename I::real>> list, far;
    std::vector<size_type> offset, far_offset;
    std::vector<pos_t> count;
    std::vector<Key<typename I::real>> reach;
    std::vector<typename I::State> state, inherited;
};

/// Everything that one thread writes to while it walks.
template <class I>
struct Workspace {
    Frame<I> frame[max_planes];
    std::vector<std::uint64_t> scratch;
    typename TotalOf<I>::type total{};
    WalkCounts counts;
    LeafRoom<typename I::real> room;
    AcceptedRoom<I> accepted;
    std::conditional_t<I::uses.symmetric, Empty, LeafTargets<I>> targets;

    /// Memory for the folds of n target points.
    unsigned char* folds(std::size_t n, std::size_t stride) {
        if (scratch.size() < n * stride / 8) scratch.resize(n * stride / 8);
        return reinterpret_cast<unsigned char*>(scratch.data());
    }
};

/// One target leaf with its list and what it inherited.
template <class I>
struct LeafTask {
    pos_t leaf;
    ListView<typename I::real> list;
    typename I::State state;
    FarChain<I> const& far;
};

}}}  // namespace zwalk::v0::detail
