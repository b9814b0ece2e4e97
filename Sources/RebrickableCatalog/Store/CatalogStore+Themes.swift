import SQLiteSwiftly

extension CatalogStore {
  /// The themes from the root down to a theme.
  ///
  /// ```swift
  /// let path = try catalog.themePath(of: 199).map(\.name).joined(separator: " / ")
  /// ```
  ///
  /// - Returns: The themes, the last of which is the theme itself; empty for an unknown theme. In a circle of themes,
  ///   each is returned once.
  /// - Throws: `CatalogError.reading`.
  public func themePath(of theme: Int) throws(CatalogError) -> [RebrickableCatalog.Theme] {
    var path: [RebrickableCatalog.Theme] = []
    var next: Int? = theme
    while let id = next, !path.contains(where: { $0.id == id }) {
      let found: RebrickableCatalog.Theme? = try row("SELECT * FROM themes WHERE id = \(id)")
      guard let found else { break }
      path.append(found)
      next = found.parentID
    }
    return path.reversed()
  }
}
