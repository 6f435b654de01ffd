// core/parallel.hpp for the thread sanitizer, on threads of the standard library: TBB's own library isn't
// compiled for the sanitizer, which then sees races in everything that tasks hand on.
#pragma once
#include <algorithm>
#include <cstddef>
#include <exception>
#include <thread>
#include <vector>

#include "zwalk/core/interrupt.hpp"
#include "zwalk/core/progress.hpp"

namespace zwalk { inline namespace v0 {
namespace detail {

/// f_of_caller(piece) for pieces 0, ..., n - 1 at once. Nested calls run on the calling thread from the third level on.
template <class F>
void on_threads(std::size_t n, F const& f_of_caller) {
    static thread_local int level = 0;
    Progress::Loop const loop(n);
    auto const f = [&, behalf = Interrupt::Behalf()](std::size_t i) {
        Progress::Piece piece(loop, 1);
        behalf([&] { f_of_caller(i); });
        piece.done();
    };
    if (n <= 1 || level >= 2) {
        for (std::size_t i = 0; i < n; ++i) f(i);
        return;
    }
    std::vector<std::exception_ptr> failed(n);
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < n; ++i)
        threads.emplace_back([&, i, next = level + 1] {
            level = next;
            try {
                f(i);
            } catch (...) {
                failed[i] = std::current_exception();
            }
        });
    for (auto& thread : threads) thread.join();
    for (auto const& failure : failed)
        if (failure) std::rethrow_exception(failure);
}

/// Pieces of [0, n) for as many threads as find most races.
inline std::size_t pieces_of(std::size_t n, std::size_t grain) {
    return std::min<std::size_t>(3, (n + grain - 1) / grain);
}

}  // namespace detail

template <class F>
void parallel_for(std::size_t n, std::size_t grain, F const& f) {
    std::size_t const pieces = detail::pieces_of(n, grain);
    detail::on_threads(pieces, [&](std::size_t i) { f(i * n / pieces, (i + 1) * n / pieces); });
}

template <class V, class Part, class Join>
V parallel_reduce(std::size_t n, std::size_t grain, V const& zero, Part const& part, Join const& join) {
    std::size_t const pieces = detail::pieces_of(n, grain);
    std::vector<V> result(pieces, zero);
    detail::on_threads(pieces, [&](std::size_t i) {
        result[i] = part(i * n / pieces, (i + 1) * n / pieces, result[i]);
    });
    V all = zero;
    for (auto const& r : result) all = join(all, r);
    return all;
}

}}  // namespace zwalk::v0
