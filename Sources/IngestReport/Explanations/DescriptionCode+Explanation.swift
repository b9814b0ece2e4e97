package import DataPackage

extension DescriptionCode: ExplainedCode {
  static var level: CodeExplanation.Level { .description }

  /// What the code means, for `ingest explain` and the documentation.
  package var explanation: CodeExplanation {
    switch self {
    case .descriptionUnreadable:
      explanation(
        meaning: "The description, or a file that it names for a schema or a dialect, cannot be "
          + "read.",
        example: "--schema datapackage.json where there is no such file, or one of 20 MiB",
        cause: "A name that is written wrong, or a file that was not downloaded with the others.",
        remedy: "Give the path of the file, which has no more than 16 MiB. Files of schemas lie in "
          + "the folder of the description or below it.")
    case .descriptionNotJSON:
      explanation(
        meaning: "The text is not JSON.",
        example: "a comma after the last property, or a comment",
        cause: "A mistake in editing.",
        remedy: "Look at the line and the column of the message, and just before them.")
    case .propertyMissing:
      explanation(
        meaning: "A property that must be there is not.",
        example: "a resource without a name",
        cause: "A description that was begun and not completed.",
        remedy: "Add the property that the message names.")
    case .propertyInvalid:
      explanation(
        meaning: "A property has a value that it cannot have.",
        example: "\"type\": \"int\", or \"header\": \"yes\"",
        cause: "The words of another format, or a text where a number or true is meant.",
        remedy: "Write one of the values that the message names. DataPackages of the handbook has "
          + "a table of all properties.")
    case .propertyMisspelt:
      explanation(
        meaning: "A property is not known, and its name is nearly that of one that is.",
        example: "primarykey for primaryKey",
        cause: "A letter that is wrong. Other properties that are not known are passed over, as "
          + "the standard has it; this one would be missed.",
        remedy: "Write the name that the message proposes, or another one that is not so near.")
    case .featureUnsupported:
      explanation(
        meaning: "The description asks for something that the standard has and that is not done.",
        example: "\"encoding\": \"latin1\", or a jsonSchema",
        cause: "Data for other programs, or a file that is not CSV.",
        remedy: "Do as the message says, or pass such things over with --ignore-unsupported, "
          + "which tells each of them as a notice.")
    case .pathUnsafe:
      explanation(
        meaning: "A path leads, or may lead, out of the folder of the description.",
        example: "../secret.csv, /etc/passwd, https://example.org/a.csv, or a link to such a file",
        cause: "Data that are to be downloaded first, or a description that is made to do harm.",
        remedy: "Put the file into the folder of the description or below it, and name it from "
          + "there.")
    case .nameInvalid:
      explanation(
        meaning: "A name is there twice, or cannot be that of a table or a column.",
        example: "the fields ID and id, or a resource called sqlite_stat1",
        cause: "SQLite takes capital and small letters of ASCII for the same, and keeps some "
          + "names for itself.",
        remedy: "Give one of them another name.")
    case .constraintInvalid:
      explanation(
        meaning: "A constraint cannot be met, or is not one for the type of the field.",
        example: "a minimum of 10 and a maximum of 1, or a pattern for an integer",
        cause: "A type that was changed later, or a bound that is no value of the type.",
        remedy: "Correct the constraint, or the type.")
    case .referenceInvalid:
      explanation(
        meaning: "A key names a field or a resource that is not there, or fields that do not fit.",
        example: "a foreign key of one field to two, or of a text to a number",
        cause: "A name that is written wrong, or a resource that was left out.",
        remedy: "Name fields and resources of this description, as many and of the same types on "
          + "both sides.")
    case .referenceCycle:
      explanation(
        meaning: "Tables refer to each other in a circle, so that none can be loaded first.",
        example: "authors -> books -> authors",
        cause: "Two tables that hold the same relation. A table may refer to itself.",
        remedy: "Leave one of the foreign keys out.")
    }
  }
}
