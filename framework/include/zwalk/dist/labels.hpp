// Groups that walks with uses.links have found on every rank, as groups of all points.
#pragma once
#include <cstdint>
#include <vector>

#include "zwalk/core/buffer.hpp"
#include "zwalk/core/index.hpp"
#include "zwalk/dist/comm.hpp"
#include "zwalk/dist/ranks.hpp"
#include "zwalk/exec/cpu.hpp"

namespace zwalk::inline v0 {

/// Which points of a walk on a rank are its own, and whose the others are: as Imported has it.
struct SourcesOfRanks {
    pos_t first;  ///< position of the first own point
    std::vector<std::uint64_t> const&
        from;                       ///< points of rank r are at positions [from[r], from[r + 1])
    Buffer<pos_t> const& position;  ///< of each, in the tree of the rank that has it
};

/// Groups of the points of all ranks.
struct RankGroups {
    Buffer<index_t> labels;    ///< of each own point, by position: the smallest input row of its group
    std::uint64_t groups = 0;  ///< of all ranks, those of one point included; the same on all
};

/// Joins the groups that walks over imported sources have found on each rank. Of the links between ranks all get those that
/// are distinct, 32 bytes each; time O(n + L log L) for L of them. Collective.
/// @param root  of each point of the walk: the smallest position of its group, see links_settle(). Afterwards that of the
///              smallest own point, of groups that have own points.
/// @param input_index  of each own point: its row among the input rows of all ranks
RankGroups label_groups(Comm& comm, Cpu const& cpu, Buffer<pos_t>& root, SourcesOfRanks const& sources,
                        Buffer<index_t> const& input_index, Ranks const& ranks);

}  // namespace zwalk::inline v0
