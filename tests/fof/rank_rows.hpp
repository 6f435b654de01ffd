// Rows that a device makes of the groups of a rank, and those that threads make of all points.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "fof/same_catalogue.hpp"
#include "fof/src/catalogue_calls.hpp"
#include "support/everywhere.hpp"
#include "support/points.hpp"
#include "zwalk/fof/fof.hpp"

namespace test {
using namespace zwalk;

/// Points that a rank has got in z-order, with their groups. Their rows in the input begin at one that takes more than 32 bits.
template <int D, class T>
class RankPart {
  public:
    /// @param beside  with masses and velocities
    RankPart(Rows<D, T> const& input, double length, std::vector<double> const& box, bool beside,
             std::uint64_t seed)
        : input_(input),
          masses_(beside ? input.size() : 0),
          velocities_(beside ? make_points<D, T>("heavy", input.size(), seed) : Rows<D, T>()),
          groups_(fof(view<D>(input_), {.linking_length = length, .box = box})),
          options_{.box = box, .masses = masses_, .velocities = view<D>(velocities_)},
          own_input_(of_rank(input_)),
          own_velocities_(of_rank(velocities_)) {
        Random r(seed);
        for (T& m : masses_) m = T(.1 + r.uniform());
        own_masses_ = of_rank(masses_);
        for (pos_t const row : groups_.z_order) input_index_.push_back(first_row + row);
        own_ = {.points = view<D>(own_input_),
                .velocities = view<D>(own_velocities_),
                .masses = own_masses_,
                .input_index = input_index_,
                .axes = detail::axes_of(box, view<D>(own_input_))};
    }
    RankPart(RankPart const&) = delete;
    RankPart& operator=(RankPart const&) = delete;

    template <class P>
    [[nodiscard]] std::optional<FofCatalogue> there(P& device, std::size_t min_members) const {
        if (!detail::has_memory_for_rows(device, own_)) return std::nullopt;
        return detail::rows_of_rank(device, own_, std::span<pos_t const>(groups_.root), min_members);
    }
    /// What there must be of a device's memory for rows to be begun.
    template <class P>
    [[nodiscard]] std::uint64_t least_memory() const {
        double const n = double(input_.size()),
                     given = double(detail::BesideThere<T, P>::bytes(
                         own_.points, {.masses = own_.masses, .velocities = own_.velocities}));
        return std::uint64_t(
            std::ceil(given + n * (sizeof(pos_t) + sizeof(index_t)) + detail::catalogue_bytes(n)));
    }
    [[nodiscard]] bool same(FofCatalogue made, std::size_t min_members) const {
        auto o = options_;
        o.min_members = min_members;
        auto expected = fof_catalogue(view<D>(input_), groups_, o);
        expected.sort_by(&FofCatalogue::first, false);
        for (auto* rows : {&expected.label, &expected.most_distant})
            for (index_t& row : *rows) row += first_row;
        for (pos_t& member : made.order) member = groups_.z_order[member];
        return same_bits(made, expected);
    }
    template <class P>
    [[nodiscard]] bool same_there(P& device, std::size_t min_members) const {
        auto made = there(device, min_members);
        return made && same(std::move(*made), min_members);
    }

  private:
    static constexpr index_t first_row = index_t(5) << 31;

    template <class V>
    [[nodiscard]] std::vector<V> of_rank(std::vector<V> const& by_row) const {
        std::vector<V> by_position;
        for (std::size_t i = 0; i < by_row.size(); ++i)
            by_position.push_back(by_row[groups_.z_order[i]]);
        return by_position;
    }

    Rows<D, T> input_;
    std::vector<T> masses_;
    Rows<D, T> velocities_;
    FofResult<> groups_;
    CatalogueOptions<T> options_;
    Rows<D, T> own_input_, own_velocities_;
    std::vector<T> own_masses_;
    std::vector<index_t> input_index_;
    detail::Particles<T> own_;
};

}  // namespace test
