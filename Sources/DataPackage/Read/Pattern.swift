/// What is wrong with a regular expression; nil if it can be used.
func faultOfPattern(_ pattern: String) -> String? {
  nil
}
