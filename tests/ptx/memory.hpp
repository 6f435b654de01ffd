// The host's memory that kernels may access.
#pragma once
#include <cstddef>
#include <map>
#include <vector>

#include "ptx/program.hpp"

namespace ptx {

struct Allocation {
    u64 begin = 0, bytes = 0;
    std::vector<bool> written{};  ///< byte by byte
};

class Memory {
  public:
    /// From now on kernels may access so many bytes; `written`: they have values.
    void add(void const* begin, std::size_t bytes, bool written);
    /// False: no allocation begins there.
    bool remove(void const* begin);
    /// Marks bytes as written; `from` says which of them, if that is such memory, too.
    void copied(void const* to, void const* from, std::size_t bytes);
    void written(void const* begin, std::size_t bytes) { copied(begin, nullptr, bytes); }

    /// The allocation of an address; null: none.
    Allocation* find(u64 address);
    /// The one below an address, for messages.
    [[nodiscard]] Allocation const* below(u64 address) const;
    [[nodiscard]] std::size_t bytes() const { return bytes_; }

  private:
    std::map<u64, Allocation> all_;
    Allocation* last_ = nullptr;
    std::size_t bytes_ = 0;
};

}  // namespace ptx
