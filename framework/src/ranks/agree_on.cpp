#include "zwalk/ranks/agree_on.hpp"

#include <algorithm>

#include "zwalk/core/error.hpp"
#include "zwalk/core/text.hpp"

namespace zwalk { inline namespace v0 {
namespace {

/// The values of rank 0, a line each.
std::string lines_of_first(Comm& comm, std::span<Option const> options) noexcept {
    std::string lines;
    for (Option const& option : options) lines += option.text + '\n';
    lines.resize(comm.broadcast(std::uint64_t(lines.size())));
    comm.broadcast(std::span<char>(lines));
    return lines;
}

/// A digest of 128 bits, so that different values never have the same: two sums over the characters (FNV-1a).
struct Digest {
    std::uint64_t a = 0xcbf29ce484222325U, b = 0x84222325cbf29ce4U;

    void add(Option const& option) {
        for (char const c : option.text) add(c);
        add('\n');
    }
    void add(char c) {
        a = (a ^ std::uint64_t(static_cast<unsigned char>(c))) * 0x100000001b3U;
        b = (b ^ std::uint64_t(static_cast<unsigned char>(c))) * 0x9e3779b97f4a7c15U;
        b ^= b >> 32;
    }
};

/// Whether all ranks have these values.
bool all_have(Comm& comm, std::span<Option const> options) {
    Digest own;
    for (Option const& option : options) own.add(option);
    constexpr Digest differ{0, 0};
    auto const all = comm.reduce_all(
        own, [&](Digest const& a, Digest const& b) { return a.a == b.a && a.b == b.b ? a : differ; });
    return all.a != differ.a || all.b != differ.b;
}

}  // namespace

// The shortest words that are read back as this number: of different numbers they differ.
Option::Option(std::string_view option, double value) noexcept
    : name(option), text(detail::text("{}", value)) {}

Option::Option(std::string_view option, std::span<double const> values) noexcept : name(option) {
    for (double const x : values) text += detail::text("{}{}", text.empty() ? "" : ", ", x);
    text = '[' + text + ']';
}

void agree_on(Comm& comm, std::span<Option const> options) {
    if (all_have(comm, options)) return;
    auto const lines = lines_of_first(comm, options);
    comm.agree([&] {
        std::string_view rest = lines;
        for (Option const& own : options) {
            std::string_view const first = rest.substr(0, rest.find('\n'));
            if (first != own.text)
                throw InputError(detail::text("ranks disagree on {} ({} on rank 0, {} on rank {})",
                                              own.name, first, own.text, comm.rank()));
            rest.remove_prefix(std::min(rest.size(), first.size() + 1));
        }
    });
}

}}  // namespace zwalk::v0
