// The catalogue of groups whose points are in z-order on MPI ranks.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "beside_points.hpp"
#include "moments.hpp"
#include "zwalk/fof/fof_mpi.hpp"
#include "zwalk/ranks/shared_groups.hpp"
#include "zwalk/ranks/sort.hpp"
#include "zwalk/tree/extent.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// What a rank has of the groups of all ranks.
template <class T>
struct RankGroups {
    SortedPoints<T> const& points;
    std::vector<T> const& period;  ///< of all ranks' points, as checked_period() has it
    Extent<T> const& extent;       ///< of all ranks' points
    std::span<pos_t const>
        root;  ///< of each own point: the own position of the first own point of its group
    SharedGroups const& shared;  ///< the groups of `root` that span ranks
};

/// Makes rows of this rank's groups elsewhere than on threads, as if there were no other ranks. Not collective.
template <class T>
class RowsElsewhere {
  public:
    RowsElsewhere() = default;
    RowsElsewhere(RowsElsewhere const&) = delete;
    RowsElsewhere& operator=(RowsElsewhere const&) = delete;
    virtual ~RowsElsewhere() = default;
    /// Whether there is memory to make rows of these points, which are in z-order. All ranks ask before one of them takes some: they
    /// may share a device.
    [[nodiscard]] virtual bool has_memory(Particles<T> const& own) const = 0;
    /// Rows of groups of at least so many own points, in group order, which comes with them. `root` is that of RankGroups. None:
    /// threads have to.
    [[nodiscard]] virtual std::optional<FofCatalogue> make(Particles<T> const& own,
                                                           std::span<pos_t const> root,
                                                           std::size_t min_members) const = 0;
};

/// Throws what fof_with_catalogue() would for masses and velocities, on all ranks, else returns which of them there are.
/// Collective.
template <class T>
Beside check_catalogue_options(Comm& comm, Cpu const& cpu, Points<T> local,
                               CatalogueOptions<T> const& options);

/// This rank's rows of the catalogue; options have been checked. Those of groups that don't span ranks are made elsewhere, if they
/// can be: each rank decides that alone, as they are the same. Collective.
template <class T>
CatalogueOnRanks make_catalogue(Comm& comm, Cpu const& cpu, RankGroups<T> const& groups,
                                CatalogueOptions<T> const& options, Beside given,
                                RowsElsewhere<T> const& elsewhere);

extern template Beside check_catalogue_options(Comm&, Cpu const&, Points<float>,
                                               CatalogueOptions<float> const&);
extern template Beside check_catalogue_options(Comm&, Cpu const&, Points<double>,
                                               CatalogueOptions<double> const&);
extern template CatalogueOnRanks make_catalogue(Comm&, Cpu const&, RankGroups<float> const&,
                                                CatalogueOptions<float> const&, Beside,
                                                RowsElsewhere<float> const&);
extern template CatalogueOnRanks make_catalogue(Comm&, Cpu const&, RankGroups<double> const&,
                                                CatalogueOptions<double> const&, Beside,
                                                RowsElsewhere<double> const&);

}}}  // namespace zwalk::v0::detail
