import CLinux
import Glibc

/// Where Linux keeps a file's access control list: acl(5).
private let accessList = "system.posix_acl_access"

/// Gives one file the access control list of another, or takes its own away if the other has none; false after an
/// error, which is in `errno`.
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
  // The new file may have got one from its folder.
  return unsafe fremovexattr(new, accessList) == 0 || [ENODATA, EOPNOTSUPP].contains(errno)
}
