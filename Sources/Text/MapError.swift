/// Returns a value, or throws what `describe` makes of the error of a lower layer.
@inlinable package func mapError<Value: ~Copyable, Failure, Described>(
  _ value: @autoclosure () throws(Failure) -> Value, as describe: (Failure) -> Described
) throws(Described) -> Value {
  try mapError(as: describe, in: value)
}

/// The same for several statements.
@inlinable package func mapError<Value: ~Copyable, Failure, Described>(
  as describe: (Failure) -> Described, in body: () throws(Failure) -> Value
) throws(Described) -> Value {
  do throws(Failure) {
    return try body()
  } catch {
    throw describe(error)
  }
}
