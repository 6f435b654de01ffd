// Something that several threads do at once.
#pragma once
#include <thread>
#include <vector>

#include "zwalk/core/index.hpp"

namespace test {

/// f(t) for t < threads, each on a thread of its own.
template <class F>
void on_threads(zwalk::pos_t threads, F const& f) {
    std::vector<std::thread> all;
    for (zwalk::pos_t t = 0; t < threads; ++t) all.emplace_back([&f, t] { f(t); });
    for (std::thread& thread : all) thread.join();
}

}  // namespace test
