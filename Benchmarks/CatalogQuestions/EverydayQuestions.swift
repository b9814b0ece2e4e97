package import RebrickableCatalog

extension RebrickableCatalog {
  /// The questions by which the indexes are chosen: those of the cookbook, and what else people look up, add
  /// up, and join as it comes to mind.
  package static let questions =
    cookbook + CatalogQuestion.all(in: PackageResources.EverydayQuestions_sql)
}
