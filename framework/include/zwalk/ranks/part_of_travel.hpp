// Some of the rows that came to this rank's points, so that their results can go home before others are made.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "zwalk/ranks/travel.hpp"

namespace zwalk { inline namespace v0 {

/// Rows of the input between two numbers of each rank.
struct PartOfTravel {
    Buffer<pos_t> at;  ///< own positions of the points that these rows are, ascending
    Travel travel;     ///< of these alone: rows count from the first one, positions are numbers in `at`
};

/// Rows [begin[r], end[r]) of each rank r's input, in numbers among the rows of all ranks. Nothing is sent: each rank finds out what
/// concerns it. May throw: see Comm::agree.
/// @param input_index  of this rank's points, the row of the input of all ranks
/// @param first        the number of this rank's first row
PartOfTravel part_of_travel(Travel const& travel, std::span<index_t const> input_index,
                            std::span<std::uint64_t const> begin, std::span<std::uint64_t const> end,
                            int rank, std::uint64_t first);

}}  // namespace zwalk::v0
