#pragma once
#include <libpq-fe.h>

/* Swift does not import macros that are characters. */

/// The fields of an error or a warning (PQresultErrorField).
enum {
  CPOSTGRESQL_SEVERITY = PG_DIAG_SEVERITY_NONLOCALIZED,
  CPOSTGRESQL_SQLSTATE = PG_DIAG_SQLSTATE,
  CPOSTGRESQL_MESSAGE = PG_DIAG_MESSAGE_PRIMARY,
  CPOSTGRESQL_DETAIL = PG_DIAG_MESSAGE_DETAIL,
  CPOSTGRESQL_HINT = PG_DIAG_MESSAGE_HINT,
  CPOSTGRESQL_CONTEXT = PG_DIAG_CONTEXT
};
