import Foundation
import FoundationXML
import SQLiteSwiftly
import Testing
@testable import DataPackage

struct DiagramTests {
  /// The elements of a picture, by their names.
  private final class Elements: NSObject, XMLParserDelegate {
    var attributes: [String: [[String: String]]] = [:]
    var text = ""

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
      qualifiedName: String?, attributes: [String: String]
    ) {
      self.attributes[name, default: []].append(attributes)
    }

    func parser(_ parser: XMLParser, foundCharacters characters: String) { text += characters }
  }

  private func elements() throws -> Elements {
    let elements = Elements()
    let parser = XMLParser(data: Data(Library.document.picture.utf8))
    parser.delegate = elements
    #expect(parser.parse(), "\(String(describing: parser.parserError))")
    return elements
  }

  @Test func `the picture has a box for each table and an arrow for each reference`() throws {
    let elements = try elements()
    let boxes = elements.attributes["rect"]?.filter { $0["class"] == "box" } ?? []
    #expect(boxes.count == 2)
    let arrows = elements.attributes["path"]?.filter { $0["class"] == "arrow" } ?? []
    #expect(arrows.count == 2)
    for name in ["authors", "books", "isbn", "author_id ?", "is_lent"] {
      #expect(elements.text.contains(name), "\(name)")
    }
    #expect(elements.attributes["text"]?.filter { $0["class"] == "key" }.count == 2)
  }

  @Test func `boxes do not overlap and are inside the picture`() throws {
    let layout = DiagramLayout(
      Library.document.diagram, of: [Library.authors, Library.books, Library.internals])
    #expect(layout.boxes.map(\.table.name) == ["authors", "books"])
    #expect(layout.boxes[0].right < layout.boxes[1].left)
    for box in layout.boxes {
      #expect(box.left > 0 && box.right < layout.width)
      #expect(box.top > 0 && box.top + box.height < layout.height)
    }
  }
}
