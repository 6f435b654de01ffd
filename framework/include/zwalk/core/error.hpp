// Errors that a caller can act upon. Messages say what is wrong, where, and what to do.
#pragma once
#include <stdexcept>
#include <string>

namespace zwalk { inline namespace v0 {

/// The work failed (out of memory, disk full, ...). The command line exits with 1.
class Error : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// The input or the options can't be used as they are. The command line exits with 2.
class InputError : public Error {
  public:
    using Error::Error;
};

}}  // namespace zwalk::v0
