import Schema
import Quarantine
import Platform
import Validation
import SourceFiles
import Vocabulary
import CSV
import SQLiteSwiftly

extension RowProducer {
  /// Reads a table that refers to itself in advance, to find the records whose parents will be loaded.
  mutating func survey(table: Int, _ files: inout [InputFile]) throws(IngestError) {
    let survivors = keys.tables[table].survivors
    guard !survivors.isEmpty else { return }
    let start = recorder.now
    // The repairs are counted when the table is loaded.
    let unchanged = repairs
    defer {
      repairs = unchanged
      recorder.record(.survey, table: schema.tables[table].name, from: start)
    }
    var survey = SelfReferenceSurvey(
      owned: survivors.count, parents: schema.tables[table].ownForeignKeys.count, seed: keys.seed,
      memory: keys.memory)
    defer {
      keys.restartKeys(ofTable: table)
      keys.recountMemory()
    }
    guard var scratch = sender.take() else { return }
    let result = Result { () throws(IngestError) in
      try surveyReferences(ofTable: table, &files, in: &survey, scratch: &scratch)
    }
    // Even after a failure, or the ring would run out of batches.
    sender.putBack(scratch)
    try result.get()
    survey.findSurvivors { place, key in _ = keys.sets[survivors[place].set].insert(stored: key) }
    try keys.memory.check(at: 1, in: files[0].file.name)
  }

  /// Collects the references among the records of all files.
  private mutating func surveyReferences(
    ofTable table: Int, _ files: inout [InputFile], in survey: inout SelfReferenceSurvey,
    scratch: inout RowBatch
  ) throws(IngestError) {
    var validator = TableValidator(table: table, of: schema, keys: &keys, isSurvey: true)
    for index in files.indices {
      var parser = try SourceParser(files[index].file, recordLimit: options.recordLimit)
      if let identity = files[index].identity { try parser.check(identity) }
      files[index].identity = parser.identity
      let result = Result { () throws(IngestError) in
        try surveyReferences(
          ofTable: table, files[index], &parser, &validator, in: &survey, scratch: &scratch)
      }
      try verify(&parser, after: result).get()
    }
  }

  private mutating func surveyReferences(
    ofTable table: Int, _ input: InputFile, _ parser: inout SourceParser,
    _ validator: inout TableValidator,
    in survey: inout SelfReferenceSurvey, scratch: inout RowBatch
  ) throws(IngestError) {
    let (head, header) = try readHeader(of: input, table: table, &parser)
    validator.begin(header)
    if input.repair == nil { try repairs?.begin(header: header.names) }
    var first = head.records
    repeat {
      _ = removeUnloaded(input)
      try validator.survey(
        &records, from: first, in: &survey, scratch: &scratch, keys: &keys,
        fileName: input.file.name)
      first = 0
      records.discardParsed()
    } while try parser.next(&records)
  }
}
