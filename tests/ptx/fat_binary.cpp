#include "ptx/fat_binary.hpp"

#include <cstdint>
#include <cstring>
#include <string_view>

#include "ptx/fault.hpp"

namespace ptx {
namespace {

// As nvcc 11 to 13 lay them out: a head with the size of all entries, and entries with a head each. What isn't named here isn't
// needed. Sizes are in bytes.

struct Wrapper {
    std::uint32_t magic, version;
    unsigned char const* binary;
    void const* more;
};
constexpr std::uint32_t wrapper_magic = 0x466243b1, binary_magic = 0xba55ed50;

struct BinaryHead {
    std::uint32_t magic;
    std::uint16_t version, head_bytes;
    std::uint64_t bytes;  ///< of all entries
};
struct EntryHead {
    std::uint16_t kind, version;
    std::uint32_t head_bytes;
    std::uint64_t bytes;             ///< behind the head
    std::uint32_t compressed_bytes;  ///< 0: it isn't compressed
    std::uint32_t unused[2];
    std::uint32_t architecture;
};
constexpr std::uint16_t kind_ptx = 1;

template <class T>
T read(unsigned char const* from) {
    T value;
    std::memcpy(&value, from, sizeof(T));
    return value;
}

}  // namespace

std::string ptx_of(void const* wrapper) {
    auto const outer = read<Wrapper>(static_cast<unsigned char const*>(wrapper));
    if (outer.magic != wrapper_magic) throw Fault("a fat binary of a kind that isn't known");
    auto const head = read<BinaryHead>(outer.binary);
    if (head.magic != binary_magic) throw Fault("a fat binary of a kind that isn't known");
    unsigned char const* const end = outer.binary + head.head_bytes + head.bytes;
    std::uint32_t newest = 0;
    std::string_view text;
    bool compressed = false;
    for (unsigned char const* at = outer.binary + head.head_bytes; at < end;) {
        auto const entry = read<EntryHead>(at);
        unsigned char const* const begin = at + entry.head_bytes;
        at = begin + entry.bytes;
        if (entry.kind != kind_ptx || entry.architecture < newest) continue;
        newest = entry.architecture;
        compressed = entry.compressed_bytes != 0;
        text = {reinterpret_cast<char const*>(begin), entry.bytes};
    }
    if (newest == 0)
        throw Fault(
            "a fat binary has no PTX: compile with an architecture that keeps it, such as "
            "CMAKE_CUDA_ARCHITECTURES=90");
    if (compressed) throw Fault("the PTX of a fat binary is compressed: give nvcc -no-compress");
    return std::string(text.substr(0, text.find('\0')));  // zeros fill up its size
}

int target_of(std::string const& text) {
    constexpr std::string_view before = ".target sm_";
    std::size_t const found = text.find(before);
    int number = 0;
    if (found == std::string::npos) return number;
    for (std::size_t k = found + before.size(); k < text.size() && text[k] >= '0' && text[k] <= '9'; ++k)
        number = 10 * number + (text[k] - '0');
    return number;
}

}  // namespace ptx
