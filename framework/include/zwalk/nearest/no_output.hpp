// Neighbours without an output that takes them.
#pragma once

namespace zwalk { inline namespace v0 {

/// For a Nearest (nearest/trait.hpp) of which only nodes are used: by a device, or to find points that it needs of other ranks.
struct NoOutput {
    void operator()(auto const&, auto const&) const {}
};

}}  // namespace zwalk::v0
