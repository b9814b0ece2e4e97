package import Files
import Glibc

/// The `errno` value for a file whose contents are not what they must be: Linux's own is EUCLEAN, "Structure
/// needs cleaning".
package let damagedFile = EUCLEAN

/// Why an index cannot be loaded, or why what is in a file cannot be read.
package enum DatabaseError: Error, Equatable {
  case file(FileError)
  /// Two rows have one key that no two may have.
  case duplicate
  /// The pages are not those of a sound index or table.
  case damaged
}
