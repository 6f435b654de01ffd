// The PTX of fat binaries that are put together here.
#include "ptx/fat_binary.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <string>

#include "ptx/fault.hpp"

namespace {

template <class... Values>
std::string bytes(Values... values) {
    std::string all;
    (all.append(reinterpret_cast<char const*>(&values), sizeof(values)), ...);
    return all;
}
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr u16 text = 1, machine_code = 2;

std::string entry(u16 kind, u32 architecture, std::string content, u32 compressed_bytes = 0) {
    content.resize((content.size() + 8) / 8 * 8, '\0');
    return bytes(kind, u16(0x101), u32(64), u64(content.size()), compressed_bytes, u32(0), u32(0),
                 architecture) +
           std::string(32, '\0') + content;
}

/// What ptx_of() says of a fat binary with these entries: the text, or what is wrong.
std::string text_of(std::string const& entries) {
    std::string const binary = bytes(u32(0xba55ed50), u16(1), u16(16), u64(entries.size())) + entries;
    std::string const wrapper = bytes(u32(0x466243b1), u32(1), binary.data(), u64(0));
    try {
        return ptx::ptx_of(wrapper.data());
    } catch (ptx::Fault const& fault) {
        return fault.what();
    }
}

}  // namespace

TEST_CASE("ptx: the newest text of a fat binary") {
    CHECK(text_of(entry(text, 90, "of 90")) == "of 90");
    CHECK(text_of(entry(machine_code, 90, "ELF") + entry(text, 80, "of 80")) == "of 80");
    CHECK(text_of(entry(text, 80, "of 80") + entry(text, 90, "of 90, longer")) == "of 90, longer");
    CHECK(text_of(entry(text, 90, "of 90") + entry(text, 80, "of 80")) == "of 90");
}

TEST_CASE("ptx: fat binaries without text say what to do") {
    CHECK(text_of(entry(machine_code, 90, "ELF")).find("CMAKE_CUDA_ARCHITECTURES") != std::string::npos);
    CHECK(text_of("").find("has no PTX") != std::string::npos);
    CHECK(text_of(entry(text, 90, "(/", 2)).find("give nvcc -no-compress") != std::string::npos);
    std::string const other = bytes(u32(1), u32(1), u64(0), u64(0));
    CHECK_THROWS_AS((void)ptx::ptx_of(other.data()), ptx::Fault);
}

TEST_CASE("ptx: the target of a module") {
    CHECK(ptx::target_of(".version 9.0\n.target sm_90\n.address_size 64") == 90);
    CHECK(ptx::target_of(".version 9.0\n.target sm_100a, debug") == 100);
    CHECK(ptx::target_of(".version 9.0") == 0);
}
