// Pairs by two numbers on a device: hundreds of cells for each thread are more than it has memory for, so all threads add to some
// copies of them.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "zwalk/exec/place.hpp"
#include "zwalk/exec/shared_sums.hpp"
#include "zwalk/pairs/trait.hpp"
#include "zwalk/walk/node_part.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Pairs, and the sums of the products of their weights, in some copies of all cells: element copy * size + cell.
struct SharedCells {
    size_type* pairs = nullptr;
    SharedSum* products = nullptr;  ///< null: no weights
    pos_t size = 0, copies = 1;

    /// Where a target's pairs are counted: warps that are at work at a time mostly have different copies, so that few of them wait
    /// for each other. (What is in which of them makes no difference to their sum.)
    [[nodiscard]] ZWALK_HD std::size_t at(pos_t target, int cell) const {
        return std::size_t(target / 32 % copies) * size + std::size_t(cell);
    }
};

/// PairsByTwo with shared cells: it has no total, and nodes carry nothing.
template <int D, class T, bool weighted>
struct PairsByTwoShared : Types<D, T, std::conditional_t<weighted, FixedWeight, Empty>>,
                          TwoNumbers<D, T> {
    using typename PairsByTwoShared::Types::Point;
    static constexpr Uses uses{.symmetric = true, .cutoff = true, .displacement = true};

    SharedCells counted;

    ZWALK_HD void pair(Point const& p, Point const& q, T d2, Vec<D, T> const& dx, auto&) const {
        int const cell = this->cell(d2, dx);
        if (cell < 0) return;
        std::size_t const at = counted.at(p.position, cell);
        shared_add(counted.pairs + at, 1);
        if constexpr (weighted)
            shared_add(counted.products + at, FixedSum(p.payload.units) * q.payload.units);
    }
};

/// Pairs in cells, and the sums of the products of their weights, on the host.
struct CellTotal {
    std::vector<size_type> pairs{};
    std::vector<FixedSum> products{};
};
/// PairsByTwo with as many cells as there are: what drivers ask devices for, which walk PairsByTwoShared (walks.hpp).
template <int D, class T, bool weighted>
struct PairsInCells : Types<D, T, std::conditional_t<weighted, FixedWeight, Empty>>, TwoNumbers<D, T> {
    static constexpr Uses uses{.symmetric = true, .cutoff = true, .displacement = true};
    using Total = CellTotal;
};

/// Adds all copies up in the first one.
struct AddCopies {
    SharedCells counted;
    ZWALK_HD void operator()(std::size_t cell) const {
        for (std::size_t i = cell + counted.size; i < std::size_t(counted.copies) * counted.size;
             i += counted.size) {
            counted.pairs[cell] += counted.pairs[i];
            if (counted.products) shared_add(counted.products + cell, counted.products[i].value());
        }
    }
};

/// How many copies there are: no more than some megabytes of them.
constexpr pos_t copies_of_cells(std::size_t cells, bool weighted) {
    std::size_t const words = cells * (weighted ? 3 : 1);
    return pos_t(std::clamp<std::size_t>((std::size_t(1) << 20) / words, 1, 1024));
}
constexpr std::size_t bytes_of_cells(std::size_t cells, bool weighted) {
    return copies_of_cells(cells, weighted) * cells *
           (sizeof(size_type) + (weighted ? sizeof(SharedSum) : 0));
}

/// The cells of one walk on a device P.
template <class P>
class CellsOn {
  public:
    CellsOn(P& place, std::size_t cells, bool weighted)
        : place_(place),
          cells_(cells),
          copies_(copies_of_cells(cells, weighted)),
          pairs_(place.template buffer<size_type>(copies_ * cells)),
          products_(place.template buffer<SharedSum>(weighted ? copies_ * cells : 0)) {
        place.zero(pairs_.data(), pairs_.size());
        place.zero(products_.data(), products_.size());
    }
    /// What a walk adds to.
    [[nodiscard]] SharedCells view() {
        return {pairs_.data(), products_.size() ? products_.data() : nullptr, pos_t(cells_), copies_};
    }
    /// f(pairs, sum of products) of one cell after the other, after the walk.
    template <class F>
    void each(F const& f) {
        place_.for_each(cells_, AddCopies{view()});
        std::vector<size_type> pairs(cells_);
        std::vector<SharedSum> products(cells_);
        place_.download(pairs.data(), pairs_.data(), cells_);
        if (products_.size()) place_.download(products.data(), products_.data(), cells_);
        for (std::size_t i = 0; i < cells_; ++i) f(pairs[i], products[i].value());
    }

  private:
    P& place_;
    std::size_t cells_;
    pos_t copies_;
    DeviceBuffer<size_type> pairs_;
    DeviceBuffer<SharedSum> products_;
};

}}}  // namespace zwalk::v0::detail

namespace zwalk { inline namespace v0 {
/// Nodes see neither weights nor cells.
template <int D, class T>
struct NodePart<detail::PairsByTwoShared<D, T, true>> {
    using type = detail::PairsByTwoShared<D, T, false>;
    static type of(detail::PairsByTwoShared<D, T, true> const& trait) {
        type nodes{};
        static_cast<TwoNumbers<D, T>&>(nodes) = trait;
        return nodes;
    }
};
}}  // namespace zwalk::v0
