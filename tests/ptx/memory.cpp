#include "ptx/memory.hpp"

#include <algorithm>
#include <iterator>

namespace ptx {

void Memory::add(void const* begin, std::size_t bytes, bool written) {
    u64 const address = reinterpret_cast<u64>(begin);
    all_[address] = {address, bytes, std::vector<bool>(bytes, written)};
    bytes_ += bytes;
}

bool Memory::remove(void const* begin) {
    auto const found = all_.find(reinterpret_cast<u64>(begin));
    if (found == all_.end()) return false;
    bytes_ -= found->second.bytes;
    last_ = nullptr;
    all_.erase(found);
    return true;
}

void Memory::copied(void const* to, void const* from, std::size_t bytes) {
    u64 const begin = reinterpret_cast<u64>(to), source = reinterpret_cast<u64>(from);
    Allocation const* const there = find(source);
    Allocation* const here = find(begin);
    if (!here) return;
    bytes = std::min<std::size_t>(bytes, here->begin + here->bytes - begin);
    std::vector<bool> written(bytes, true);
    for (std::size_t k = 0; there && k < bytes && source - there->begin + k < there->bytes; ++k)
        written[k] = there->written[source - there->begin + k];
    std::copy(written.begin(), written.end(), here->written.begin() + long(begin - here->begin));
}

Allocation* Memory::find(u64 address) {
    if (last_ && address - last_->begin < last_->bytes) return last_;
    auto const above = all_.upper_bound(address);
    if (above == all_.begin()) return nullptr;
    Allocation& found = std::prev(above)->second;
    if (address - found.begin >= found.bytes) return nullptr;
    return last_ = &found;
}

Allocation const* Memory::below(u64 address) const {
    auto const above = all_.upper_bound(address);
    return above == all_.begin() ? nullptr : &std::prev(above)->second;
}

}  // namespace ptx
