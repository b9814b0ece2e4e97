package import Files
import Glibc

/// The `errno` value for a file with invalid contents: EUCLEAN, Linux's "Structure needs cleaning".
package let damagedFile = EUCLEAN

/// The reason why an index cannot be loaded, or a file cannot be read.
package enum DatabaseError: Error, Equatable {
  case file(FileError)
  /// Two rows have the same unique key.
  case duplicate
  /// The pages are not a valid index or table.
  case damaged
}
