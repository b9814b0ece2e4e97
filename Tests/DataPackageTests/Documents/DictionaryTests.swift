import Testing
@testable import DataPackage

struct DictionaryTests {
  private let lines = Library.document.dictionary(diagram: "picture", printedBy: "print it")
    .split(separator: "\n").map(String.init)

  @Test func `sections have the tables in their order`() {
    #expect(
      lines.filter { $0.hasPrefix("#") } == [
        "# Data dictionary", "## Overview", "## Tables of the source files", "### authors",
        "### books",
        "## Views", "### lent", "## Tables about the run", "### internals",
      ])
  }

  @Test func `a table has a line for each column`() {
    for line in [
      "An author. Since 2019.",
      "| **id** | integer |  | The author's number. |  | `7` |",
      #"| name | text | text without a line feed | As "on" the cover \| or not.\\u{7} |  | `A. \ B.` |"#,
      "Also unique: name.",
      "| **isbn** | text |  |  |  |  |",
      "| author_id | integer or NULL → authors |  | Who wrote it; NULL if unknown. | 2020-02 |  |",
      "| sequel_of | text or NULL → books |  |  |  |  |",
      "| is_lent | boolean | 0 or 1 |  |  |  |",
      "![Tables and their references](picture)",
    ] { #expect(lines.contains(line), "\(line)") }
    #expect(lines.contains { $0.contains("`print it` prints this page") })
  }
}
