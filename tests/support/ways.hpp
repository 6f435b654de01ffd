// How queries are answered, asked for by tests.
#pragma once
#include <cstdlib>

namespace test {

/// Asks for descents, or for walks, whatever the sizes.
class Way {
  public:
    explicit Way(bool descents) { setenv("ZWALK_DESCENTS", descents ? "1" : "0", 1); }
    ~Way() { unsetenv("ZWALK_DESCENTS"); }
    Way(Way const&) = delete;
    Way& operator=(Way const&) = delete;
};

}  // namespace test
