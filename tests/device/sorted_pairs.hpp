// Pairs in the order of keys on a device: against a stable sort of the host.
#pragma once
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

#include "zwalk/core/index.hpp"

namespace test {

/// Keys of every number of bits up to the largest of that many, most of them more than once: so the order is stable.
template <class Device>
void check_sorted_pairs(Device& device) {
    using namespace zwalk;
    for (int bits : {1, 7, 8, 9, 16, 20, 31, 32, 33, 54, 63, 64})
        for (std::size_t n : {0, 1, 2, 300}) {
            CAPTURE(bits);
            CAPTURE(n);
            std::mt19937_64 random(std::uint64_t(bits) * 1000 + n);
            std::uint64_t const largest = ~std::uint64_t(0) >> (64 - bits);
            std::vector<std::pair<std::uint64_t, pos_t>> pairs(n);
            for (std::size_t i = 0; i < n; ++i) {
                std::uint64_t const key = random() & largest;
                pairs[i] = {i % 5 == 0 ? largest : i % 2 && i > 1 ? pairs[i - 2].first : key, pos_t(i)};
            }
            std::vector<std::uint64_t> keys(n);
            std::vector<pos_t> values(n);
            for (std::size_t i = 0; i < n; ++i) std::tie(keys[i], values[i]) = pairs[i];
            auto keys_there = device.template buffer<std::uint64_t>(n);
            auto values_there = device.template buffer<pos_t>(n);
            device.upload(keys_there.data(), keys.data(), n);
            device.upload(values_there.data(), values.data(), n);
            if (n > 0) device.sort_pairs(keys_there.data(), values_there.data(), n, bits);
            device.download(keys.data(), keys_there.data(), n);
            device.download(values.data(), values_there.data(), n);
            std::stable_sort(pairs.begin(), pairs.end(),
                             [](auto const& a, auto const& b) { return a.first < b.first; });
            bool right = true;
            for (std::size_t i = 0; i < n; ++i)
                right &= keys[i] == pairs[i].first && values[i] == pairs[i].second;
            CHECK(right);
        }
}

}  // namespace test
