import Vocabulary
import SQLiteSwiftly
import Schema
import TestSupport
import Testing

/// The cause that a run names for rejected records whose parents the previous database had.
@Suite struct LikelyCauseTests {
  @Test(
    arguments: [
      "wing", #"back\slash"#, #"\"#, "ké\u{301}y", "tab\tstop",
      String(repeating: "long", count: 50),
    ])
  func `lost rows are found by the value that refers to them`(name: String) throws {
    let things = "id,node,size,kind,is_new,code\n1,\(name),,,,\n2,root,,,,\n"
    let workplace = try Family.workplace([
      "nodes.csv": "name,parent\nroot,\n\(name),root\n", "things.csv": things,
      "labels.csv": "label\n", "owners.csv": "owner,of,rank\n",
    ])
    #expect(load(workplace, Family.schema).error == nil)
    try workplace.write("nodes.csv", "name,parent\nroot,\n")
    let error = load(workplace, Family.schema, limit: .records(0)).error
    #expect(
      error?.cause == "because nodes.csv has 50% fewer records than the previous one", "\(name)")
  }

  @Test func `records rejected for their own values come before those that refer to them`() throws {
    let workplace = try Family.workplace([
      "nodes.csv": "name,parent\nroot,\nwing,root\n",
      "things.csv": "id,node,size,kind,is_new,code\n1,wing,,,,\n2,root,,,,\n",
      "labels.csv": "label\n", "owners.csv": "owner,of,rank\n",
    ])
    #expect(load(workplace, Family.schema).error == nil)
    try workplace.write("nodes.csv", "name,parent\nroot,\n\"wing\n\",root\n")
    let error = load(workplace, Family.schema, limit: .records(0)).error
    #expect(
      error?.headline
        == "invalid values in 1 record of nodes.csv; 1 record refers to it: things")
    #expect(error?.firstStep == "Fix the values of nodes.")
  }
}
