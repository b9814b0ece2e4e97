/// Reasons to refuse a whole file; nothing is then published.
package enum FileCode: String, CaseIterable, Sendable {
  case fileMissing = "file-missing"
  case fileUnreadable = "file-unreadable"
  case fileAmbiguous = "file-ambiguous"
  case notGzip = "not-gzip"
  case gzipTruncated = "gzip-truncated"
  case gzipCorrupt = "gzip-corrupt"
  case gzipTrailingData = "gzip-trailing-data"
  case notZip = "not-zip"
  case zipTruncated = "zip-truncated"
  case zipCorrupt = "zip-corrupt"
  case zipUnsupported = "zip-unsupported"
  case encodingUnsupported = "encoding-unsupported"
  case encodingMismatch = "encoding-mismatch"
  case checksumMismatch = "checksum-mismatch"
  case headerMissing = "header-missing"
  case columnMissing = "column-missing"
  case columnDuplicate = "column-duplicate"
  case tooManyColumns = "too-many-columns"
  case headerMismatch = "header-mismatch"
  case unterminatedQuote = "unterminated-quote"
  case recordEndless = "record-endless"
  case repairInvalid = "repair-invalid"
}

/// Reasons to publish nothing although every file could be read.
package enum RunCode: String, CaseIterable, Sendable {
  case rejectsOverLimit = "rejects-over-limit"
  case schemaDrift = "schema-drift"
  case catalogShrunk = "catalog-shrunk"
  case catalogChanged = "catalog-changed"
  case sourcesOlder = "sources-older"
  case quarantineStale = "quarantine-stale"
  case keyMemoryExceeded = "key-memory-exceeded"
  case sqlFailed = "sql-failed"
  case acceptanceInvalid = "acceptance-invalid"
  case derivationEndless = "derivation-endless"
  case accountsUnbalanced = "accounts-unbalanced"
}

/// Warnings about a run that continues.
package enum WarningCode: String, CaseIterable, Sendable {
  case columnUnknown = "column-unknown"
  case columnAbsent = "column-absent"
  case fileUnknown = "file-unknown"
  case blankLine = "blank-line"
  case repeatedHeader = "repeated-header"
  case mixedLineEnds = "mixed-line-ends"
  case noFinalNewline = "no-final-newline"
  case recordsInField = "records-in-field"
  case columnOrder = "column-order"
  case booleanSpellings = "boolean-spellings"
  case valueUnknown = "value-unknown"
  case typeWidened = "type-widened"
  case keyDropped = "key-dropped"
  case referenceDropped = "reference-dropped"
  case numberRounded = "number-rounded"
  case mixedGenerations = "mixed-generations"
  case sourcesOutdated = "sources-outdated"
  case sourcesInFuture = "sources-in-future"
  case tableAbsent = "table-absent"
  case tableEmpty = "table-empty"
  case tableShrunk = "table-shrunk"
  case changesUnusual = "changes-unusual"
  case keysRenumbered = "keys-renumbered"
  case tableGrown = "table-grown"
  case columnConstant = "column-constant"
  case textEncodedTwice = "text-encoded-twice"
  case nullsRisen = "nulls-risen"
  case typeChanged = "type-changed"
  case columnEmpty = "column-empty"
  case recordsLeftOut = "records-left-out"
  case objectsLost = "objects-lost"
  case catalogUnreadable = "catalog-unreadable"
  case accessChanged = "access-changed"
  case searchAbsent = "search-absent"
  case acceptanceUnused = "acceptance-unused"
  case repairNeedless = "repair-needless"
  case repairInapplicable = "repair-inapplicable"
  case rejectsEdited = "rejects-edited"
  case featureIgnored = "feature-ignored"

  /// Whether the source files no longer match the schema, which `--strict-schema` refuses.
  package var isSchemaDrift: Bool {
    [
      .columnUnknown, .columnAbsent, .fileUnknown, .columnOrder, .booleanSpellings, .valueUnknown,
      .typeWidened, .keyDropped, .referenceDropped,
    ].contains(self)
  }

  /// Whether it changes the verdict; the others need no action.
  package var affectsVerdict: Bool { ![.blankLine, .mixedLineEnds].contains(self) }

  /// Whether it depends on the source files alone, and not on the database made from them.
  package var isOfSources: Bool {
    isSchemaDrift
      || [
        .numberRounded, .blankLine, .repeatedHeader, .mixedLineEnds, .noFinalNewline,
        .recordsInField,
        .mixedGenerations, .sourcesOutdated, .sourcesInFuture, .tableAbsent,
        .repairNeedless, .repairInapplicable, .featureIgnored,
      ].contains(self)
  }

  /// Whether the database keeps it, for an unchanged run to repeat; each run checks the others itself.
  package var isStored: Bool {
    ![.rejectsEdited, .sourcesOutdated, .sourcesInFuture].contains(self)
  }

  /// Whether every run finds it before it is skipped, so that an unchanged one need not repeat it.
  var isFoundAtOnce: Bool {
    [
      .fileUnknown, .featureIgnored, .acceptanceUnused, .typeWidened, .keyDropped,
      .referenceDropped,
    ].contains(self)
  }

  /// Whether its warnings name a path from the command line, and not a source file.
  package var isOfPath: Bool {
    [.featureIgnored, .acceptanceUnused, .recordsLeftOut].contains(self)
  }

  /// Whether its message adds nothing to its code and subject.
  package var isExplainedBySubject: Bool {
    [.columnUnknown, .columnAbsent, .fileUnknown, .tableAbsent, .columnEmpty].contains(self)
  }

  /// Whether it is about a change since the last accepted run, so that a suppression holds for that change alone.
  package var isOfChange: Bool {
    [
      .tableEmpty, .tableShrunk, .changesUnusual, .keysRenumbered, .tableGrown, .columnConstant,
      .textEncodedTwice, .nullsRisen, .typeChanged,
    ].contains(self)
  }

  /// Whether it recurs with the next source files unless they change, so that suppressing it is useful.
  package var recurs: Bool {
    isSchemaDrift || isOfChange
      || [
        .numberRounded, .blankLine, .repeatedHeader, .mixedLineEnds, .noFinalNewline,
        .recordsInField,
        .sourcesInFuture,
        .tableAbsent, .columnEmpty, .searchAbsent, .repairNeedless, .repairInapplicable,
        .featureIgnored,
      ].contains(self)
  }
}

/// Reasons to reject a record.
package enum RecordCode: String, CaseIterable, Sendable {
  case wrongFieldCount = "wrong-field-count"
  case strayQuote = "stray-quote"
  case textAfterQuote = "text-after-quote"
  case bareCarriageReturn = "bare-carriage-return"
  case ambiguousEscape = "ambiguous-escape"
  case invalidUTF8 = "invalid-utf8"
  case nulByte = "nul-byte"
  case recordTooLong = "record-too-long"
  case missingValue = "missing-value"
  case notAnInteger = "not-an-integer"
  case integerOutOfRange = "integer-out-of-range"
  case notANumber = "not-a-number"
  case numberOutOfRange = "number-out-of-range"
  case notABoolean = "not-a-boolean"
  case notATime = "not-a-time"
  case notJSON = "not-json"
  case wrongLength = "wrong-length"
  case notAllowed = "not-allowed"
  case wrongFormat = "wrong-format"
  case keyTooLong = "key-too-long"
  case duplicateKey = "duplicate-key"
  case missingParent = "missing-parent"
}

extension RecordCode {
  /// Whether the record is not valid CSV.
  package var concernsForm: Bool {
    [
      .wrongFieldCount, .strayQuote, .textAfterQuote, .bareCarriageReturn, .nulByte, .invalidUTF8,
      .ambiguousEscape, .recordTooLong,
    ].contains(self)
  }

  /// Whether the value has another form than those of the column's type.
  package var concernsType: Bool {
    [
      .notAnInteger, .integerOutOfRange, .notANumber, .numberOutOfRange, .notABoolean, .notATime,
      .notJSON, .wrongFormat,
    ].contains(self)
  }
}
