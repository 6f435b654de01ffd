// Where the sources that targets want go: into lists whose sizes are known, or to an object that looks at each list.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "zwalk/core/bits.hpp"
#include "zwalk/core/config.hpp"
#include "zwalk/core/key.hpp"
#include "zwalk/core/key_slot.hpp"
#include "zwalk/lists/detail/sort_list.hpp"

namespace zwalk { inline namespace v0 {

/// The order inside a list.
enum class ListOrder {
    row,      ///< ascending rows
    nearest,  ///< nearest first, ties by row; with distances
};

/// A source in a list that is ordered by distance.
template <class T>
struct ListedSource {
    T d2;         ///< squared distance
    index_t row;  ///< of the sources
    ZWALK_INLINE friend bool operator<(ListedSource const& a, ListedSource const& b) {
        return a.d2 < b.d2 || (a.d2 == b.d2 && a.row < b.row);
    }
};

/// The list of one target, nearest first; ties by row. Valid during the call only.
template <class T>
class NearestFirst {
  public:
    /// @param unit  of the lengths that d2 are squares of (core/length_unit.hpp)
    NearestFirst(ListedSource<T> const* sources, std::size_t size, T unit = 1)
        : sources_(sources), size_(size), unit_(unit) {}

    [[nodiscard]] std::size_t size() const { return size_; }
    /// Squared distance to source i of the list. Infinite or 0 if that leaves the range of T, as it may for coordinates beyond
    /// 1e18 or below 1e-9 (float; double: 1e150, 1e-90); distance(i) doesn't.
    [[nodiscard]] T distance2(std::size_t i) const { return sources_[i].d2 * unit_ * unit_; }
    /// The same in the unit of the walk, by which lists are in order.
    [[nodiscard]] T scaled_distance2(std::size_t i) const { return sources_[i].d2; }
    /// Distance to it, as radius_search() has it.
    [[nodiscard]] T distance(std::size_t i) const { return std::sqrt(sources_[i].d2) * unit_; }
    /// Its row in the sources (in the z-ordered ones with Order::z).
    [[nodiscard]] index_t index(std::size_t i) const { return sources_[i].row; }

  private:
    ListedSource<T> const* sources_;
    std::size_t size_;
    T unit_;
};

/// A user's object that looks at lists, without its type: walks are compiled once for all.
template <class T>
struct ListVisitor {
    void const* object = nullptr;
    void (*call)(void const* object, index_t row, NearestFirst<T> const& list) = nullptr;
    T unit = 1;            ///< of lengths, where it is called
    bool in_order = true;  ///< the nearest first; else lists come as they were found

    explicit operator bool() const { return call != nullptr; }
};
/// @param f  void(index_t row, NearestFirst<T> const&) const; must outlive the visitor
template <class T, class F>
ListVisitor<T> make_list_visitor(F const& f) {
    return {&f, [](void const* object, index_t row, NearestFirst<T> const& list) {
                (*static_cast<F const*>(object))(row, list);
            }};
}

namespace detail {

/// What lists and sources are called: rows of the input, or positions in z-order where these are null.
struct ListNames {
    pos_t const* row_of = nullptr;     ///< of a target index
    pos_t const* source_of = nullptr;  ///< of a source position

    ZWALK_INLINE pos_t list(pos_t target) const { return row_of ? row_of[target] : target; }
    ZWALK_INLINE pos_t source(pos_t position) const {
        return source_of ? source_of[position] : position;
    }
};

/// What lists and sources are called on CPU threads, where sources may have names of their own.
struct CpuListNames : ListNames {
    index_t const* name_of = nullptr;  ///< of a source position; null: as in ListNames

    [[nodiscard]] ZWALK_INLINE index_t source(pos_t position) const {
        return name_of ? name_of[position] : index_t(ListNames::source(position));
    }
};

/// Lists in memory that others have: list i is rows[offset[i]] up to rows[offset[i + 1]].
template <class T>
struct ListRows {
    size_type const* offset = nullptr;
    index_t* rows = nullptr;
    T* distances = nullptr;  ///< null: none are written
};

/// A Writer (traits.hpp) for CPU threads: collects a list, sorts it while it is in the cache, and puts it where it belongs,
/// or shows it to a visitor. So memory beside the result is that of the lists of a leaf, per thread.
template <class T, bool nearest>
struct CollectedLists {
    static constexpr bool takes_nodes = !nearest;
    using Element = std::conditional_t<takes_nodes, index_t, ListedSource<T>>;
    using Fold = std::vector<Element>;

    CpuListNames names;
    ListRows<T> to{};
    ListVisitor<T> visitor{};

    [[nodiscard]] Fold begin(pos_t target) const {
        constexpr std::size_t usual = 32;  // growing to that takes as long as searching for it
        Fold list;
        if (to.offset) {
            pos_t const i = names.list(target);
            list.reserve(to.offset[i + 1] - to.offset[i]);
        } else {
            list.reserve(usual);
        }
        return list;
    }
    void add(Fold& list, Key<T> key) const {
        if constexpr (takes_nodes) list.push_back(names.source(key.pos));
        else list.push_back({key.d2, names.source(key.pos)});
    }
    void add(Fold& list, pos_t first, pos_t n) const requires takes_nodes {
        for (pos_t i = 0; i < n; ++i) list.push_back(names.source(first + i));
    }
    void end(Fold& list, pos_t target) const {
        if constexpr (!nearest) std::sort(list.begin(), list.end());
        else if (visitor.in_order) sort_by_distance(std::span(list));
        pos_t const i = names.list(target);
        if constexpr (takes_nodes) {
            std::copy(list.begin(), list.end(), to.rows + to.offset[i]);
        } else if (visitor) {
            visitor.call(visitor.object, i, {list.data(), list.size(), visitor.unit});
        } else {
            for (std::size_t k = 0; k < list.size(); ++k) {
                to.rows[to.offset[i] + k] = list[k].row;
                if (to.distances) to.distances[to.offset[i] + k] = std::sqrt(list[k].d2);
            }
        }
    }
};

/// What a device sorts lists by: 8 or 16 bytes, in order as their bits are.
template <class T, bool nearest>
struct ListSlot {  // rows alone
    using type = index_t;
    static ZWALK_INLINE type pack(Key<T> key) { return key.pos; }
};
template <>
struct ListSlot<float, true> {  // d2 >= 0: its bits are in order
    using type = index_t;
    static ZWALK_INLINE type pack(Key<float> key) {
        return index_t(bit_cast_to<std::uint32_t>(key.d2)) << 32 | index_t(key.pos);
    }
    static ZWALK_INLINE Key<float> unpack(type slot) {
        return {bit_cast_to<float>(std::uint32_t(slot >> 32)), pos_t(slot)};
    }
};
template <>
struct ListSlot<double, true> {
    struct type {
        index_t row;
        double d2;  // the upper half
    };
    static ZWALK_INLINE type pack(Key<double> key) { return {key.pos, key.d2}; }
    static ZWALK_INLINE Key<double> unpack(type slot) { return {slot.d2, pos_t(slot.row)}; }
};

/// Slots in order (a Rule of exec/device_list_sort.hpp): in registers they are keys.
template <class Slot>
struct SlotsInOrder;
template <>
struct SlotsInOrder<index_t> {  // not negative
    using Element = index_t;
    using Slot = PackedKey;
    static constexpr pos_t together = 4;
    static constexpr bool has_padding = false;

    static ZWALK_INLINE Slot pack(index_t e) { return {pos_t(e), std::uint32_t(e >> 32)}; }
    static ZWALK_INLINE index_t unpack(Slot slot) { return slot.number(); }
    static ZWALK_INLINE Slot last() { return {0xffffffffU, 0x7fffffffU}; }
};
template <>
struct SlotsInOrder<ListSlot<double, true>::type> {
    using Element = ListSlot<double, true>::type;
    using Slot = Key<double>;
    static constexpr pos_t together = 4;
    static constexpr bool has_padding = false;

    static ZWALK_INLINE Slot pack(Element const& e) { return ListSlot<double, true>::unpack(e); }
    static ZWALK_INLINE Element unpack(Slot slot) { return ListSlot<double, true>::pack(slot); }
    static ZWALK_INLINE Slot last() { return {}; }
};

/// A Writer for devices: into slots, which are sorted when all are there.
template <class T, bool nearest>
struct SlottedLists {
    static constexpr bool takes_nodes = !nearest;
    using Slot = ListSlot<T, nearest>;
    using Fold = typename Slot::type*;  // where the next one goes

    ListNames names;
    size_type const* offset;
    typename Slot::type* slots;

    ZWALK_INLINE Fold begin(pos_t target) const { return slots + offset[names.list(target)]; }
    ZWALK_INLINE void add(Fold& next, Key<T> key) const {
        *next++ = Slot::pack({key.d2, names.source(key.pos)});
    }
    ZWALK_INLINE void add(Fold& next, pos_t first, pos_t n) const requires takes_nodes {
        for (pos_t i = 0; i < n; ++i) add(next, Key<T>{T(0), first + i});
    }
    ZWALK_INLINE void end(Fold const&, pos_t) const {}
};
/// From sorted slots to rows and distances, for Place::for_each.
template <class T>
struct UnpackSlots {
    using Slot = ListSlot<T, true>;
    typename Slot::type const* slots;
    index_t* rows;  ///< may be where the slots are, if these are as large
    T* distances;   ///< null: none are written
    ZWALK_HD void operator()(std::size_t i) const {
        Key<T> const key = Slot::unpack(slots[i]);
        rows[i] = key.pos;
        if (distances) distances[i] = std::sqrt(key.d2);
    }
};

}  // namespace detail
}}  // namespace zwalk::v0
