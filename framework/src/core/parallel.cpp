#include "zwalk/core/parallel.hpp"

#if !defined(ZWALK_TSAN)
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "zwalk/core/progress.hpp"
#include "zwalk/core/work_span.hpp"
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace zwalk { inline namespace v0 { namespace detail {
namespace {

/// What a thread wrote past the caches (nearest/rows.hpp) comes before whatever tells others that it is done: that alone doesn't order such
/// writes on x86, if it is no locked instruction.
void end_streams() {
#if defined(__SSE2__)
    _mm_sfence();
#endif
}

}  // namespace

void loop_in_pieces(std::size_t n, std::size_t grain,
                    void (*call)(void const* f, std::size_t begin, std::size_t end), void const* f) {
    if (auto* const foreseen = WorkSpan::current()) return foreseen->loop(n, grain, call, f);
    Progress::Loop const loop(n);
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, n, grain),
                      [&, behalf = Interrupt::Behalf()](tbb::blocked_range<std::size_t> const& r) {
                          behalf([&] {
                              in_steps(r.begin(), r.end(), grain,
                                       [&](std::size_t begin, std::size_t end) {
                                           Progress::Piece piece(loop, end - begin);
                                           call(f, begin, end);
                                           end_streams();
                                           piece.done();
                                       });
                          });
                      });
}

std::size_t pieces_of(std::size_t n, std::size_t grain) {
    constexpr std::size_t pieces_of_a_thread = 8;
    auto const threads = std::size_t(tbb::this_task_arena::max_concurrency());
    return std::min(n / grain + (n % grain > 0), pieces_of_a_thread * threads);
}

}}}  // namespace zwalk::v0::detail
#endif
