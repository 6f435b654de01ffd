// What a walk on a device begins with: groups of top nodes, each of which has all groups of sources in its list (paper eqs. 12-13).
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

#include "zwalk/walk/detail/device_kernels.hpp"
#include "zwalk/walk/detail/steps_down.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// The lists of groups of top nodes, in the memory of a device. One upload, since each takes as long as a launch.
template <class T, class Device>
class TopLists {
  public:
    /// @param from_own  the list of a group begins with the group of that number (uses.symmetric)
    /// @param offsets   of small planes, which take the same way
    TopLists(Device& device, TargetNodes const& targets, pos_t targets_each, TargetNodes const& sources,
             pos_t sources_each, bool from_own, std::vector<size_type> const& offsets) {
        auto const target_tops = super_nodes(targets, targets_each),
                   source_tops = super_nodes(sources, sources_each);
        groups_ = pos_t(target_tops.size() - 1);
        auto const all = pos_t(source_tops.size() - 1);
        std::vector<Entry<T>> entries;
        for (pos_t s = 0; s < all; ++s) entries.push_back({s, T(0)});
        std::vector<size_type> offset;
        std::vector<pos_t> count;
        for (pos_t g = 0; g < groups_; ++g) {
            offset.push_back(from_own ? g : 0);
            count.push_back(all - pos_t(offset.back()));
        }
        // Those with elements of 8 or 16 bytes first.
        std::vector<std::byte> bytes;
        auto const add = [&](auto const& array) {
            std::size_t const at = bytes.size(), n = array.size() * sizeof(array[0]);
            bytes.resize(at + n);
            if (n) std::memcpy(bytes.data() + at, array.data(), n);
            return at;
        };
        std::size_t const offset_at = add(offset), small_at = add(offsets), entries_at = add(entries),
                          count_at = add(count), targets_at = add(target_tops),
                          sources_at = add(source_tops);
        memory_ = device.template buffer<std::byte>(bytes.size());
        device.upload(memory_.data(), bytes.data(), bytes.size());
        task_ = {targets.begin,
                 targets.end,
                 0,
                 there<pos_t>(targets_at),
                 {there<Entry<T>>(entries_at), there<size_type>(offset_at), there<pos_t>(count_at), 0}};
        source_child_ = there<pos_t>(sources_at);
        small_offset_ = there<size_type>(small_at);
    }

    [[nodiscard]] pos_t groups() const { return groups_; }
    /// All targets, as children of the groups.
    [[nodiscard]] DeviceTask<T> const& task() const { return task_; }
    [[nodiscard]] pos_t const* source_child() const { return source_child_; }
    [[nodiscard]] size_type const* small_offset() const { return small_offset_; }

  private:
    template <class V>
    [[nodiscard]] V const* there(std::size_t at) const {
        return reinterpret_cast<V const*>(memory_.data() + at);
    }

    DeviceBuffer<std::byte> memory_;
    pos_t groups_ = 0;
    DeviceTask<T> task_{};
    pos_t const* source_child_ = nullptr;
    size_type const* small_offset_ = nullptr;
};

}}}  // namespace zwalk::v0::detail
