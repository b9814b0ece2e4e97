// error: type 'PreparedStatement' does not conform to the 'Sendable' protocol
// SK-31 a statement is taken for something that threads can share
import SQLiteSwiftly

func send(_ value: consuming some Sendable & ~Copyable) {}

func share(_ statement: consuming PreparedStatement) {
  send(statement)
}
