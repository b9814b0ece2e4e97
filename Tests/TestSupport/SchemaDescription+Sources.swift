package import Schema

extension SchemaDescription {
  /// The schema with another description of where the records of each table are.
  package func withSources(
    _ change: (inout SourceDescription) -> Void
  ) -> SchemaDescription {
    var schema = self
    for index in schema.sources.indices { change(&schema.sources[index]) }
    return schema
  }
}
