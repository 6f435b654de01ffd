#include "zwalk/core/text.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

std::string write_text(fmt::string_view form, fmt::format_args args) { return fmt::vformat(form, args); }

}}}  // namespace zwalk::v0::detail
