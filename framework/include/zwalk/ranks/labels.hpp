// Groups that walks with uses.links have found on every rank, as groups of all points.
#pragma once
#include <cstdint>
#include <vector>

#include "zwalk/core/buffer.hpp"
#include "zwalk/core/index.hpp"
#include "zwalk/exec/cpu.hpp"
#include "zwalk/ranks/comm.hpp"
#include "zwalk/ranks/detail/ranks.hpp"
#include "zwalk/ranks/shared_groups.hpp"
#include "zwalk/walk/groups.hpp"

namespace zwalk { inline namespace v0 {

/// Which points of a walk on a rank are its own, and which rank has the others: as Imported has it.
struct SourcesOfRanks {
    pos_t first;  ///< position of the first own point
    std::vector<std::uint64_t> const&
        from;                       ///< points of rank r are at positions [from[r], from[r + 1])
    Buffer<pos_t> const& position;  ///< of each, in the tree of the rank that has it
};

/// The groups of all points, as far as they concern a rank.
struct JoinedGroups {
    Buffer<pos_t> root;   ///< of each own point: the own position of the first own point of its group
    SharedGroups shared;  ///< the groups of `root` that span ranks
};

/// Joins the groups that walks over imported sources have found on each rank. All ranks get the links between ranks that
/// are distinct, 32 bytes each; time O(n + L log L) for L of them. Collective.
/// @param root  of each point of the walk: the smallest position of its group, see links_settle()
JoinedGroups join_groups(Comm& comm, Cpu const& cpu, Buffer<pos_t> root, SourcesOfRanks const& sources,
                         Ranks const& ranks);

/// Labels of own points, by position, and how many groups all ranks have. O(n). Collective.
/// @param input_index  of each own point: its row among the input rows of all ranks
GroupLabels<Cpu> label_groups(Comm& comm, Cpu const& cpu, JoinedGroups const& groups,
                              Buffer<index_t> const& input_index, Ranks const& ranks);

}}  // namespace zwalk::v0
