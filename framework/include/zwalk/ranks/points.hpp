// Points of all ranks together: refusals, and the box that holds them.
#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "zwalk/core/error.hpp"
#include "zwalk/core/points.hpp"
#include "zwalk/exec/cpu.hpp"
#include "zwalk/ranks/agree_on.hpp"
#include "zwalk/ranks/comm.hpp"
#include "zwalk/tree/extent.hpp"

namespace zwalk { inline namespace v0 {
namespace detail {
/// " (rank 3, whose first row is 300)"
std::string rank_and_row(int rank, std::uint64_t first_row);
}  // namespace detail

/// check_rows() as an attempt().
template <class Check>
void attempt_to_check_rows(Comm& comm, std::uint64_t own, Check const& check) {
    auto const first_row = comm.offsets(own)[std::size_t(comm.rank())];
    comm.attempt([&] {
        try {
            check(first_row);
        } catch (InputError const& e) {
            throw InputError(e.what() + detail::rank_and_row(comm.rank(), first_row));
        }
    });
}

/// comm.agree([&] { check(first_row); }), where this rank's rows, of which it has `own`, are numbered from first_row on
/// through all ranks: an InputError names the rank that it comes from. Collective.
template <class Check>
void check_rows(Comm& comm, std::uint64_t own, Check const& check) {
    attempt_to_check_rows(comm, own, check);
    comm.agree([] {});
}

/// check_points() (core/validate.hpp) for points of which every rank has a part, maybe none; `local` has shape
/// (rows of this rank, dim). All ranks throw the same InputError, for the first bad row of all: rows are numbered
/// through all ranks, and the rank is named. Also unless dim and T are the same on all ranks. Collective.
template <class T>
void check_points(Comm& comm, Cpu const& cpu, Points<T> local, char const* name = "points");

/// Extent of the points of all ranks, which have been checked. Collective; 2 dim coordinates of each rank travel.
template <class T>
Extent<T> find_extent(Comm& comm, Cpu const& cpu, Points<T> local);

/// check_points() and find_extent() in fewer steps, which agrees on these options, too (agree_on()).
template <class T>
Extent<T> check_and_find_extent(Comm& comm, Cpu const& cpu, Points<T> local,
                                std::span<Option const> options = {});

}}  // namespace zwalk::v0
