// Atoms as chemists keep them (XYZ): a line with their number, one of any text, then `Symbol x y z` each.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "text_format.hpp"

namespace zwalk::io {

/// Whether a text begins with such a frame is settled by its first three lines.
/// @param text    from the first line with content on, which is alone a whole number
/// @param format  its line_end and begin are known already
/// @param begin   the byte of the file at which `text` begins
/// @param whole   there is no more of the text
/// @return the format; none: it is something else, or (`more`) the text must be longer to decide
/// @throws InputError  the number of atoms is beyond all
std::optional<TextFormat> xyz_format(std::string_view text, TextFormat format, std::uint64_t begin,
                                     bool whole, bool& more, std::string const& name);

/// What becomes of the line behind the last atom of the first frame: a note on further frames.
/// @throws InputError  there are more atoms than the frame's number
std::string note_behind_frame(std::string_view line, TextFormat const& format, std::string const& name);

}  // namespace zwalk::io
