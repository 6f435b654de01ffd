// Neighbours without anybody who takes them.
#pragma once

namespace zwalk::inline v0 {

/// For a Nearest (nearest/trait.hpp) of which nodes only are asked: by a device, or to find out what it needs of other ranks.
struct NoOutput {
    void operator()(auto const&, auto const&) const {}
};

}  // namespace zwalk::inline v0
