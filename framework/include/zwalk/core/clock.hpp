// Time, for statistics.
#pragma once

namespace zwalk { inline namespace v0 {

/// Seconds since an arbitrary moment.
double now_seconds();

}}  // namespace zwalk::v0
