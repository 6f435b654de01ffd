// Groups of points on MPI ranks, and their catalogue, wherever ranks walk.
#pragma once
#include <optional>
#include <span>

#include "catalogue_calls.hpp"
#include "checked_catalogue.hpp"
#include "driver.hpp"
#include "rank_catalogue.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/fof/fof_mpi.hpp"
#include "zwalk/run/rank_calls.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Lengths of a catalogue in the unit of the input.
template <class T>
void from_unit(FofCatalogue& c, LengthUnit<T> const& unit) {
    for (auto* lengths : {&c.centre_of_mass, &c.inertia_radius, &c.radius})
        for (double& length : *lengths) length *= double(unit.unit());
}

/// A rank's rows where it walks: none on threads.
template <class T, class P>
class RowsWhereWalked final : public RowsElsewhere<T> {
  public:
    explicit RowsWhereWalked(P* place) : place_(place) {}
    [[nodiscard]] bool has_memory([[maybe_unused]] Particles<T> const& own) const override {
        if constexpr (is_device<P>) return has_memory_for_rows(*place_, own);
        else return false;
    }
    [[nodiscard]] std::optional<FofCatalogue> make(
        [[maybe_unused]] Particles<T> const& own, [[maybe_unused]] std::span<pos_t const> root,
        [[maybe_unused]] std::size_t min_members) const override {
        if constexpr (is_device<P>) return rows_of_rank(*place_, own, root, min_members);
        else return std::nullopt;
    }

  private:
    P* place_;
};

/// @param local      points that aren't an index's
/// @param elsewhere  makes rows of groups of one rank
template <class T, class Where>
FofWithCatalogue groups_on_ranks(Comm& comm, Cpu const& cpu, Where const& where,
                                 RankInput<T> const& local, FofOptions const& o,
                                 CatalogueOptions<T> const& catalogue,
                                 RowsElsewhere<T> const& elsewhere) {
    int const columns = begin_on_ranks<FofAlgorithm>(comm, where, local, nullptr, o,
                                                     [&] { check_same_box(o, catalogue.box); });
    Beside const beside = check_catalogue_options(comm, cpu, local.local, catalogue);
    RankCallPoints<T, Where> points(std::type_identity<FofAlgorithm>{}, comm, cpu, where, local, columns,
                                    o);
    return FofAlgorithm::run<FofWithCatalogue>(
        points, o, [&](JoinedGroups const& found, FofWithCatalogue& r) {
            RankPoints<T>& all = points.points();
            Extent<T> extent(0);
            comm.attempt([&] { extent = in_unit(all.extent(), all.unit()); });
            RankGroups<T> const groups{all.own().points, all.period(), extent, found.root, found.shared};
            r.catalogue = make_catalogue(comm, cpu, groups, catalogue, beside, elsewhere);
            from_unit(r.catalogue.rows, all.unit());
            points.end_phase("catalogue");
        });
}
template <class T, class Where>
FofWithCatalogue groups_on_ranks(Comm& comm, Cpu const& cpu, Where const& where,
                                 RankInput<T> const& local, FofOptions const& o,
                                 CatalogueOptions<T> const& catalogue) {
    return groups_on_ranks(comm, cpu, where, local, o, catalogue,
                           RowsWhereWalked<T, typename Where::Type>(where.place));
}

}}}  // namespace zwalk::v0::detail
