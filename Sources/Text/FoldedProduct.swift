extension UInt64 {
  /// The two halves of the product, combined as in wyhash (<https://github.com/wangyi-fudan/wyhash>).
  @inlinable @inline(__always)
  package func foldedProduct(_ other: UInt64) -> UInt64 {
    let product = multipliedFullWidth(by: other)
    return product.high ^ product.low
  }
}
