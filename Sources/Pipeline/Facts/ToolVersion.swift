/// The version of the tool, as the command, the catalog and the report say it; the last one of CHANGELOG.md.
package let toolVersion = "1.0.0"
