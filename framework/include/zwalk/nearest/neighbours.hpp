// What a user's object sees of one target's neighbours.
#pragma once
#include <cmath>

#include "zwalk/core/config.hpp"
#include "zwalk/core/index.hpp"
#include "zwalk/core/key.hpp"

namespace zwalk { inline namespace v0 {

/// The neighbours of one target, nearest first; ties by z-order. Valid during the call only.
/// @tparam I  how they are kept: z-order positions on CPUs, rows of the sources on a GPU (NeighbourRow)
template <class T, class I = pos_t>
class Neighbours {
  public:
    /// @param source_of  row of a source position; null: `source` are rows
    /// @param unit       of the lengths that d2 are squares of (core/length_unit.hpp)
    ZWALK_HD Neighbours(T const* d2, I const* source, pos_t size, pos_t const* source_of = nullptr,
                        T unit = 1)
        : d2_(d2), source_(source), source_of_(source_of), size_(size), unit_(unit) {}

    /// How many there are: k, or all sources (but the target, if excluded) where these are fewer.
    [[nodiscard]] ZWALK_HD int size() const { return int(size_); }
    /// Squared distance to neighbour i. Infinite or 0 if that leaves the range of T, as it may for coordinates beyond 1e18 or
    /// below 1e-9 (float; double: 1e150, 1e-90); distance(i) doesn't.
    [[nodiscard]] ZWALK_HD T distance2(int i) const { return d2_[i] * unit_ * unit_; }
    /// Distance to neighbour i, as knn() has it.
    [[nodiscard]] ZWALK_HD T distance(int i) const { return std::sqrt(d2_[i]) * unit_; }
    /// Row of neighbour i in the sources (in the z-ordered ones with Order::z).
    [[nodiscard]] ZWALK_HD index_t index(int i) const {
        return source_of_ ? source_of_[source_[i]] : source_[i];
    }
    /// Squared distance to the last one: that of the k-th neighbour. Infinite if there are none.
    [[nodiscard]] ZWALK_HD T radius2() const { return size_ ? distance2(int(size_) - 1) : infinity<T>; }
    /// Squared distance to neighbour i in units of unit(), which keep it in range; and that unit, a power of two: 1 for
    /// coordinates that aren't far from it.
    [[nodiscard]] ZWALK_HD T scaled_distance2(int i) const { return d2_[i]; }
    [[nodiscard]] ZWALK_HD T scaled_radius2() const { return size_ ? d2_[size_ - 1] : infinity<T>; }
    [[nodiscard]] ZWALK_HD T unit() const { return unit_; }

  private:
    T const* d2_;
    I const* source_;
    pos_t const* source_of_;
    pos_t size_;
    T unit_;
};
template <class T>
using NeighbourRow = Neighbours<T, index_t>;

/// A user's object and how it is called, without its type: kernels are compiled once for all.
template <class T>
struct NeighbourVisitor {
    void const* object = nullptr;
    void (*call)(void const* object, index_t row, Neighbours<T> const& neighbours) = nullptr;
    T unit = 1;  ///< of lengths, where it is called

    explicit operator bool() const { return call != nullptr; }
};

/// @param f  void(index_t row, Neighbours<T> const&) const; must outlive the visitor
template <class T, class F>
NeighbourVisitor<T> make_visitor(F const& f) {
    return {&f, [](void const* object, index_t row, Neighbours<T> const& neighbours) {
                (*static_cast<F const*>(object))(row, neighbours);
            }};
}

}}  // namespace zwalk::v0
