extension ReportFacts {
  var html: String { "" }
}
