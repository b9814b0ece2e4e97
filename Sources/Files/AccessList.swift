import CLinux
import Glibc

/// The attribute in which Linux stores a file's access control list: acl(5).
private let accessList = "system.posix_acl_access"

/// Copies the access control list of one file to another, or removes it there if the first has
/// none; false after an error, which is in `errno`.
package func copyAccessList(from old: Int32, to new: Int32) -> Bool {
  var bytes = [UInt8](repeating: 0, count: 64 << 10)
  let count = unsafe bytes.withUnsafeMutableBytes { bytes in
    unsafe fgetxattr(old, accessList, bytes.baseAddress, bytes.count)
  }
  if count > 0 {
    return unsafe bytes.withUnsafeBytes {
      unsafe fsetxattr(new, accessList, $0.baseAddress, count, 0)
    }
      == 0
  }
  // The new file may have inherited a list from its folder.
  return unsafe fremovexattr(new, accessList) == 0 || [ENODATA, EOPNOTSUPP].contains(errno)
}
