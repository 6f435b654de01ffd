// How much zwalk knn --within has found.
#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "knn.hpp"
#include "zwalk/exec/cpu.hpp"

namespace zwalk::apps {

struct FoundWithin {
    std::uint64_t neighbours = 0;
    std::uint64_t short_rows = 0;  ///< with fewer than k

    friend FoundWithin operator+(FoundWithin const& a, FoundWithin const& b) {
        return {a.neighbours + b.neighbours, a.short_rows + b.short_rows};
    }
};
/// @param indices  lists of k neighbours, -1 where there are fewer
FoundWithin count_found(Cpu const& cpu, std::span<index_t const> indices, std::size_t k);
/// The short rows of --reduce radius, whose radii are infinite; neighbours aren't counted.
template <class T>
FoundWithin count_found(Cpu const& cpu, std::span<T const> radii);

/// Prints it for people. `within` is the distance.
void print_found(KnnCommand const& command, std::string const& within, FoundWithin const& found);

}  // namespace zwalk::apps
