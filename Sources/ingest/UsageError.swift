/// Why a command line cannot be understood.
struct UsageError: Error, Equatable { let message: String }
