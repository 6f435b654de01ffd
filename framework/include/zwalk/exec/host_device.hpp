// A Device (exec/device.hpp) in the memory of the host: for tests, and to try a trait's device code
// where there is no GPU. One thread; the order of groups is reversed from launch to launch.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <numeric>
#include <vector>

#include "zwalk/exec/detail/group_checked.hpp"
#include "zwalk/exec/device.hpp"
#include "zwalk/exec/group.hpp"

namespace zwalk { inline namespace v0 {

/// Blocks of exactly the size asked for, so that the address sanitizer finds what goes beyond. Filled with the byte in
/// ZWALK_FILL_MEMORY of the environment (0 to 255), if there is one: results that depend on it have read unwritten memory.
class HostMemory final : public DeviceMemory {
  public:
    void* allocate(std::size_t bytes, void*) override {
        void* const memory = ::operator new(bytes);
        if (char const* const fill = std::getenv("ZWALK_FILL_MEMORY"))
            std::memset(memory, std::atoi(fill), bytes);
        return memory;
    }
    void deallocate(void* memory, std::size_t, void*) noexcept override { ::operator delete(memory); }
};

/// The memory that sorts have beside their input is there, unused, so that the peak of memory is that of a GPU.
///
/// @tparam checked  kernels run on CheckedGroup (see `run`), else on CpuGroup
template <bool checked = false>
class HostDevice {
  public:
    /// Conflicts between lanes of one group, in the library's kernels: two targets that write to one element aren't seen.
    CheckedRun run{};
    pos_t max_slots = 3;  ///< slots of persistent kernels
    std::uint64_t memory_size = std::uint64_t(1) << 32;
    std::uint64_t budget = 0;  ///< bytes of memory, as memory_budget() returns

    explicit HostDevice(std::shared_ptr<DeviceMemory> memory = std::make_shared<HostMemory>())
        : memory_(std::make_shared<CountedMemory>(std::move(memory))) {}

    template <class T>
    DeviceBuffer<T> buffer(std::size_t n) {
        return DeviceBuffer<T>(memory_, nullptr, n);
    }
    template <class T>
    void upload(T* to, T const* from, std::size_t n) {
        if (n) std::memcpy(to, from, n * sizeof(T));
    }
    template <class T>
    void download(T* to, T const* from, std::size_t n) {
        ++stats_.waits;
        if (n) std::memcpy(to, from, n * sizeof(T));
    }
    template <class T>
    void copy(T* to, T const* from, std::size_t n) {
        if (n) std::memcpy(to, from, n * sizeof(T));
    }
    template <class T>
    void zero(T* to, std::size_t n) {
        if (n) std::memset(static_cast<void*>(to), 0, n * sizeof(T));
    }

    template <class F>
    void for_each(std::size_t n, F const& f) {
        if (n == 0) return;
        bool const backwards = ++stats_.launches % 2;
        for (std::size_t i = 0; i < n; ++i) f(backwards ? n - 1 - i : i);
    }
    template <class Kernel>
    void launch(pos_t groups, Kernel const& kernel, pos_t most_slots = no_pos) {
        if (groups == 0) return;
        bool const backwards = ++stats_.launches % 2;
        pos_t const slots = Kernel::persistent ? std::min(this->slots<Kernel>(), most_slots) : groups;
        for (pos_t n = 0; n < groups; ++n) {
            pos_t const i = backwards ? groups - 1 - n : n;
            if constexpr (checked) kernel(CheckedGroup<Kernel::width>{&run}, i, i % slots);
            else kernel(CpuGroup<Kernel::width>{}, i, i % slots);
        }
    }
    template <class Kernel>
    [[nodiscard]] pos_t slots() const {
        return max_slots;
    }

    template <class A, class B>
    void exclusive_scan(A const* in, B* out, std::size_t n) {
        std::exclusive_scan(in, in + n, out, B(0));
    }
    pos_t count(std::uint8_t const* flags, std::size_t n) {
        ++stats_.waits;
        pos_t found = 0;
        count(flags, n, &found);
        return found;
    }
    void count(std::uint8_t const* flags, std::size_t n, pos_t* found) {
        *found = pos_t(std::count(flags, flags + n, 1));
    }
    void positions(std::uint8_t const* flags, std::size_t n, pos_t* out, pos_t* found = nullptr) {
        pos_t* end = out;
        for (std::size_t i = 0; i < n; ++i)
            if (flags[i]) *end++ = pos_t(i);
        if (found) *found = pos_t(end - out);
    }
    void sort_pairs(std::uint64_t* keys, pos_t* values, std::size_t n, int bits = 64) {
        std::uint64_t const compared = ~std::uint64_t(0) >> (64 - bits);
        auto const other_keys = buffer<std::uint64_t>(n);
        auto const other_values = buffer<pos_t>(n);
        std::vector<std::pair<std::uint64_t, pos_t>> pairs(n);
        for (std::size_t i = 0; i < n; ++i) pairs[i] = {keys[i], values[i]};
        std::stable_sort(pairs.begin(), pairs.end(), [&](auto const& a, auto const& b) {
            return (a.first & compared) < (b.first & compared);
        });
        for (std::size_t i = 0; i < n; ++i) keys[i] = pairs[i].first, values[i] = pairs[i].second;
    }
    template <class V>
    void sort_segments(V* x, std::size_t n, size_type const* begin, size_type const* end,
                       pos_t segments) {
        auto const other = buffer<V>(n);
        auto const bits = [](V const& v) {
            BitsOf<V> b;
            std::memcpy(&b, &v, sizeof b);
            return b;
        };
        for (pos_t s = 0; s < segments; ++s)
            std::sort(x + begin[s], x + end[s],
                      [&](V const& a, V const& b) { return bits(a) < bits(b); });
    }

    [[nodiscard]] std::uint64_t bytes_in_use() const { return memory_->in_use(); }
    /// Memory that could still be had.
    [[nodiscard]] std::uint64_t available() const {
        return memory_size - std::min(memory_size, bytes_in_use());
    }
    [[nodiscard]] std::uint64_t memory_budget() const { return budget; }
    void synchronize() { ++stats_.waits; }
    [[nodiscard]] DeviceStats stats() const {
        DeviceStats s = stats_;
        s.peak_bytes = memory_->peak();
        return s;
    }

  private:
    std::shared_ptr<CountedMemory> memory_;
    DeviceStats stats_;
};

template <bool checked, class V, class Less>
void merge_sort(HostDevice<checked>& device, V* values, std::size_t n, Less const& less) {
    auto const other = device.template buffer<V>(n);
    std::stable_sort(values, values + n, less);
}

}}  // namespace zwalk::v0
