// Library arrays as vectors, to copy and compare.
#pragma once
#include <vector>

#include "zwalk/core/buffer.hpp"

namespace test {

template <class V>
std::vector<V> listed(zwalk::Buffer<V> const& buffer) {
    return {buffer.begin(), buffer.end()};
}

}  // namespace test
