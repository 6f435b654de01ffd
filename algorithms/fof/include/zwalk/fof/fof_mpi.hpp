// Friends-of-friends with a catalogue, of points that are spread over MPI ranks: the public interface, of the library zwalk::mpi.
#pragma once
#include <cstdint>
#include <vector>

#include "zwalk/core/buffer.hpp"
#include "zwalk/exec/cuda.hpp"
#include "zwalk/fof/catalogue.hpp"
#include "zwalk/fof/fof.hpp"
#include "zwalk/ranks/comm.hpp"
#include "zwalk/ranks/mpi.hpp"
#include "zwalk/run/rank_index.hpp"

namespace zwalk { inline namespace v0 {

/// A rank's rows of the catalogue of all groups.
struct CatalogueOnRanks {
    /// Rows [first_row, first_row + rows.size()) of all. Labels and indices are rows of the input of all ranks; `first` counts
    /// the members of all groups before. There is no `order`, as a rank needn't have the members of its rows: see `members`.
    FofCatalogue rows;
    std::uint64_t first_row = 0, size = 0;  ///< of all: `size` rows, the same on all ranks
    /// With CatalogueOptions::members: elements [first_member, ...) of the `order` of all, as rows of the input of all ranks.
    /// Ranks have about equally many, one behind the other.
    Buffer<index_t> members;
    std::uint64_t first_member = 0;
};

/// Groups, and the catalogue of those of enough points.
struct FofWithCatalogue : FofResult<Mpi> {
    CatalogueOnRanks catalogue;
};

/// fof(), and fof_catalogue() of its groups: the same rows in the same order as in one process, bit for bit. Each rank has
/// about as many of them.
///
/// How: what is known of a rank's members of a group is joined where the group's first point in z-order is, in five small
/// exchanges (ranks/shared_groups.hpp). So no rank has more of a group than the points in its range of the z-order, be it that
/// one group holds all. Sums are exact (core/fixed_sum.hpp): it doesn't matter which rank adds what.
/// Memory of a rank beside that of fof(): masses and velocities of its points, 8 bytes per point, those of its points again
/// that are in groups which span ranks, and its rows. Lists of members travel once, and take up to 80 bytes per point.
/// @param catalogue  masses and velocities are those of this rank's rows; ranks without rows need none. The box is that of
///                   `options`, and may be left out
/// @throws InputError  on all ranks, as fof() and fof_catalogue(); the catalogue has another box than the groups
template <class T>
FofWithCatalogue fof_with_catalogue(Points<T> local, FofOptions const& options,
                                    CatalogueOptions<T> const& catalogue, Mpi const& mpi,
                                    Cpu const& cpu = Cpu());
/// fof_with_catalogue() on a GPU for each rank, which finds the groups and makes the rows of those that lie on its rank: the same
/// bits. Threads make rows of groups that span ranks, and of a rank whose GPU hasn't the memory all of them.
///
/// Memory of a GPU: the larger of what fof() takes there, and of the rows: coordinates, masses and velocities of the rank's range of the
/// z-order, 12 bytes per point for its group and row, 24 to sort them, 228 + 96 D per group, and a twentieth of the latter two.
template <class T>
FofWithCatalogue fof_with_catalogue(Points<T> local, FofOptions const& options,
                                    CatalogueOptions<T> const& catalogue, Mpi const& mpi,
                                    Cuda const& cuda, Cpu const& cpu = Cpu());

extern template FofWithCatalogue fof_with_catalogue(Points<float>, FofOptions const&,
                                                    CatalogueOptions<float> const&, Mpi const&,
                                                    Cpu const&);
extern template FofWithCatalogue fof_with_catalogue(Points<double>, FofOptions const&,
                                                    CatalogueOptions<double> const&, Mpi const&,
                                                    Cpu const&);

}}  // namespace zwalk::v0
