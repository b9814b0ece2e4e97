import Foundation

/// The contents of a folder: the bytes of each file by its path; the path of a folder ends in a slash.
struct FolderContents: Equatable {
  private(set) var files: [String: Data] = [:]

  init() {}

  /// Reads a folder; a missing one is empty.
  init(of path: String) throws {
    guard FileManager.default.fileExists(atPath: path) else { return }
    try add(path, as: "")
  }

  private mutating func add(_ path: String, as prefix: String) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: path) {
      let full = path + "/" + name
      var isFolder: ObjCBool = false
      // A link that leads nowhere is neither.
      _ = unsafe FileManager.default.fileExists(atPath: full, isDirectory: &isFolder)
      if isFolder.boolValue {
        files[prefix + name + "/"] = Data()
        try add(full, as: prefix + name + "/")
      } else {
        files[prefix + name] = (try? Data(contentsOf: URL(fileURLWithPath: full))) ?? Data()
      }
    }
  }

  subscript(_ path: String) -> Data? { files[path] }

  /// The names in the folder itself, those of folders with a slash.
  var names: Set<String> {
    Set(files.keys.filter { path in !path.dropLast(path.hasSuffix("/") ? 1 : 0).contains("/") })
  }

  /// What is in one of its folders; empty if there is none.
  func folder(_ name: String) -> FolderContents {
    var contents = FolderContents()
    for (path, bytes) in files where path.hasPrefix(name + "/") && path != name + "/" {
      contents.files[String(path.dropFirst(name.count + 1))] = bytes
    }
    return contents
  }

  /// All but one file.
  func without(_ path: String) -> FolderContents {
    var contents = self
    contents.files[path] = nil
    return contents
  }

  /// The same with other bytes of a file.
  func replacing(_ path: String, by bytes: Data) -> FolderContents {
    var contents = self
    contents.files[path] = bytes
    return contents
  }

  var isEmpty: Bool { files.isEmpty }
}
