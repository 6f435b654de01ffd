// Memory that goes from one call to the next.
#pragma once
#include <cstddef>

namespace zwalk { inline namespace v0 {

/// Lets large arrays that calls and their results no longer use be kept for later calls, up to so many bytes together: to set up fresh
/// pages takes about as long as to fill them. For programs that call again and again, of whatever algorithm and
/// size. One limit for the process. 0, as in the beginning: memory goes back to the system at once, and so does now what was kept (at the
/// end of a call of several steps that is under way).
///
/// What is kept counts as free where memory is predicted, and goes back where some is wanted elsewhere in the library. A child process keeps
/// nothing of its parent's. Any thread may call this at any time. Without effect where the system isn't
/// Linux, and with sanitizers.
void keep_memory(std::size_t bytes);

/// Bytes that are kept now, and that nobody uses.
[[nodiscard]] std::size_t kept_memory();

}}  // namespace zwalk::v0
