/// The version of the tool, as the command, the catalogue and the report say it.
package let toolVersion = "0.1.0"
