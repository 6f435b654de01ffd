// oneTBB's parallel sort, which can be interrupted. A header of its own: that library's templates are dear to compile.
#pragma once
#include <algorithm>

#include "zwalk/core/config.hpp"
#include "zwalk/core/interrupt.hpp"
#include "zwalk/core/work_span.hpp"
#if !defined(ZWALK_TSAN)
#include <tbb/parallel_sort.h>
#endif

namespace zwalk { inline namespace v0 {

/// Sorts [begin, end) by `less`. Not stable. Call inside Cpu::run. Throws as loops do (core/parallel.hpp).
template <class Iterator, class Less>
void parallel_sort(Iterator begin, Iterator end, Less const& less) {
#if defined(ZWALK_TSAN)  // whose loops aren't oneTBB's (core/detail/tsan_parallel.hpp)
    Interrupt::check();
    std::sort(begin, end, less);
#else
    if (auto* const foreseen = WorkSpan::current())
        return foreseen->sorting(std::size_t(end - begin), [&] { std::sort(begin, end, less); });
    if (auto const* const interrupt = Interrupt::current())
        tbb::parallel_sort(begin, end, [&less, interrupt](auto const& a, auto const& b) {
            Interrupt::check(interrupt);
            return less(a, b);
        });
    else tbb::parallel_sort(begin, end, less);
#endif
}

}}  // namespace zwalk::v0
