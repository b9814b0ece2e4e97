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
    let code = unsafe bytes.withUnsafeBytes {
      unsafe fsetxattr(new, accessList, $0.baseAddress, count, 0)
    }
    return code == 0
  }
  // The new file may have inherited a list from its folder.
  return unsafe fremovexattr(new, accessList) == 0 || [ENODATA, EOPNOTSUPP].contains(errno)
}

/// Prevents other processes from locking a byte of a file for writing while the file stays open here.
///
/// The lock belongs to the open file, not to the process (`F_OFD_SETLK` of fcntl(2)). False after
/// an error, which is in `errno`.
package func lockByte(_ offset: Int, of descriptor: Int32) -> Bool {
  var lock = byteLock(F_RDLCK, at: offset)
  return unsafe fcntl(descriptor, clinux_lock_opened_file, &lock) == 0
}

/// The process that has locked a byte of a file; nil if there is none, or if the system does not report it.
package func ownerOfByte(_ offset: Int, of descriptor: Int32) -> Int32? {
  var lock = byteLock(F_WRLCK, at: offset)
  guard unsafe fcntl(descriptor, clinux_get_lock_of_opened_file, &lock) == 0, lock.l_pid > 0 else {
    return nil
  }
  return lock.l_pid
}

private func byteLock(_ kind: Int32, at offset: Int) -> flock {
  flock(l_type: Int16(kind), l_whence: Int16(SEEK_SET), l_start: off_t(offset), l_len: 1, l_pid: 0)
}
