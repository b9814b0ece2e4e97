package enum DescriptionCode: String, CaseIterable, Sendable {
  case descriptionUnreadable = "description-unreadable"
  case descriptionNotJSON = "description-not-json"
  case propertyMissing = "property-missing"
  case propertyInvalid = "property-invalid"
  case propertyMisspelt = "property-misspelt"
  case featureUnsupported = "feature-unsupported"
  case pathUnsafe = "path-unsafe"
  case nameInvalid = "name-invalid"
  case constraintInvalid = "constraint-invalid"
  case referenceInvalid = "reference-invalid"
  case referenceCycle = "reference-cycle"
}
