// Streams over memory of Python's bytes, which is written once, and read where it is.
#pragma once
#include <cstddef>
#include <istream>
#include <ostream>
#include <streambuf>

#include "zwalk/tree/sealed_stream.hpp"

namespace zwalk::python {

/// How many bytes are written; they go nowhere.
class ByteCount : public std::streambuf {
  public:
    [[nodiscard]] std::size_t count() const { return count_; }

  protected:
    std::streamsize xsputn(char const*, std::streamsize n) override {
        count_ += std::size_t(n);
        return n;
    }
    int_type overflow(int_type c) override {
        ++count_;
        return traits_type::not_eof(c);
    }

  private:
    std::size_t count_ = 0;
};

/// Writes into memory; beyond its end is a failure.
class BytesOut : public std::streambuf {
  public:
    BytesOut(char* to, std::size_t bytes) { setp(to, to + bytes); }
};

/// Reads memory, whose size can be told.
class BytesIn : public std::streambuf {
  public:
    BytesIn(char const* from, std::size_t bytes) {
        auto* const begin =
            const_cast<char*>(from);  // as all stream buffers have it: nothing is written
        setg(begin, begin, begin + bytes);
    }

  protected:
    pos_type seekoff(off_type by, std::ios_base::seekdir from, std::ios_base::openmode) override {
        char* const base = from == std::ios_base::beg   ? eback()
                           : from == std::ios_base::cur ? gptr()
                                                        : egptr();
        if (by < eback() - base || by > egptr() - base) return pos_type(off_type(-1));
        setg(eback(), base + by, egptr());
        return pos_type(gptr() - eback());
    }
    pos_type seekpos(pos_type at, std::ios_base::openmode which) override {
        return seekoff(off_type(at), std::ios_base::beg, which);
    }
};

/// Writes an index or a model, without checksums.
template <class Kept>
void write_to(std::streambuf& to, Kept const& kept) {
    std::ostream out(&to);
    unsealed(out);
    kept.write(out);
}

}  // namespace zwalk::python
