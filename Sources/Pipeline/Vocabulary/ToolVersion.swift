/// The version in the command, the database and the report; the latest one in CHANGELOG.md.
package let toolVersion = "1.0.0"
