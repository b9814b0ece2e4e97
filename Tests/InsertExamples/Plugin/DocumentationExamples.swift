import Foundation
import PackagePlugin

/// Puts the examples of the documentation into the tests that run them, before they are compiled.
///
/// The tests are in the folder `Examples` of their target. Documented are the modules of the package's libraries.
@main struct DocumentationExamples: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let root = context.package.directoryURL
    let modules = context.package.products(ofType: LibraryProduct.self).flatMap(\.targets)
    let pages =
      try [root.appending(path: "README.md")]
      + modules.flatMap {
        try files(below: $0.directoryURL) { ["md", "swift"].contains($0.pathExtension) }
      }
    let tests = try files(below: target.directoryURL.appending(path: "Examples")) {
      $0.pathExtension == "swift"
    }
    let output = context.pluginWorkDirectoryURL
    return [
      .buildCommand(
        displayName: "Inserting the documentation's examples into \(target.name)",
        executable: try context.tool(named: "insert-examples").url,
        arguments: [output.path] + tests.map(\.path) + ["--"] + pages.map(\.path),
        inputFiles: tests + pages,
        outputFiles: tests.map { output.appending(path: $0.lastPathComponent) })
    ]
  }

  private func files(below folder: URL, where isIncluded: (URL) -> Bool) throws -> [URL] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
      .map { folder.appending(path: $0) }.filter(isIncluded)
  }
}
