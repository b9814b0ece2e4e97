// swift-tools-version: 6.3
import PackageDescription

/// Every Swift target is held to the same rules.
let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableExperimentalFeature("Lifetimes"),
]

/// A module of `Sources/` and the modules that it may import.
///
/// Arrows run one way: from the command to the report, from there to the pipeline, from there to the readers
/// and the SQLite layer; `Schema` puts its table descriptions together with the formats of the source files, of which
/// the layer knows nothing. `.ci/steps.sh` sees to it that each library of C is imported by one module alone:
/// SQLite by `SQLiteSwiftly`, zlib by `Compression`, libpq by `PostgreSQL`, Linux's own calls by `Files`. `SQLiteFormat`
/// reads and writes SQLite's format without SQLite, and has nothing of the layer but the batches and the
/// descriptions. The pipeline knows no catalog; nor does `DataPackage`, which reads the description of one. `Run`
/// names no destination: whoever starts a run gives it one. FoundationEssentials is for `SQLiteSwiftlyFoundation`,
/// which is for other programs and imported by no module of this one.
func module(_ name: String, imports: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: imports, swiftSettings: strict)
}

/// A module of the pipeline, in a folder of `Sources/Pipeline`.
func stage(_ name: String, imports: [Target.Dependency]) -> Target {
  .target(
    name: name, dependencies: imports, path: "Sources/Pipeline/\(name)", swiftSettings: strict)
}

/// A command: an executable module of `Sources/`.
func command(
  _ name: String, imports: [Target.Dependency], resources: [Resource] = []
) -> Target {
  .executableTarget(
    name: name, dependencies: imports, resources: resources, swiftSettings: strict)
}

/// The tests of one module, in a folder of `Tests/` that is named after it.
func tests(_ name: String, imports: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: imports, swiftSettings: strict)
}

let package = Package(
  name: "ingest",
  products: [
    .executable(name: "ingest", targets: ["ingest"]),
    .library(name: "SQLiteSwiftly", targets: ["SQLiteSwiftly"]),
    .library(name: "SQLiteSwiftlyData", targets: ["SQLiteSwiftlyData"]),
    .library(name: "Schema", targets: ["Schema"]),
    .library(name: "SQLiteSwiftlyFoundation", targets: ["SQLiteSwiftlyFoundation"]),
    .library(name: "RebrickableCatalog", targets: ["RebrickableCatalog"]),
  ],
  traits: [
    // Off by default: then nothing asks for libpq, neither its headers nor the library, because the sources are
    // within `#if PostgreSQL` and the dependency on the system library has the trait for its condition. The
    // module and its tests are there without it as well, but empty: a manifest cannot see traits, and a target
    // cannot have one for its condition.
    .trait(name: "PostgreSQL", description: "Loads into PostgreSQL, by libpq (Debian: libpq-dev).")
  ],
  targets: [
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CLinux"),
    .systemLibrary(name: "CPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    module("Patterns", imports: []),
    module("SQLiteSwiftly", imports: ["CSQLite", "Patterns"]),
    module("SQLiteSwiftlyData", imports: ["SQLiteSwiftly"]),
    module("SQLiteSwiftlyFoundation", imports: ["SQLiteSwiftly", "SQLiteSwiftlyData"]),
    module("Schema", imports: ["SQLiteSwiftly"]),
    module("Files", imports: ["CLinux"]),
    module("Compression", imports: ["CZlib", "Files"]),
    module("CSV", imports: []),
    module("JSON", imports: ["Files"]),
    module("SQLiteFormat", imports: ["Files", "SQLiteSwiftly"]),
    module(
      "DataPackage",
      imports: ["CSV", "Files", "JSON", "Patterns", "Schema", "SQLiteSwiftly", "Validation"]),
    module(
      "PostgreSQL",
      imports: [
        .target(name: "CPostgreSQL", condition: .when(traits: ["PostgreSQL"])), "Facts",
        "Patterns", "Schema", "SQLiteSwiftly",
      ]),
    module("SchemaDocuments", imports: ["Files", "JSON", "Schema", "SQLiteSwiftly"]),
    module(
      "RebrickableCatalog",
      imports: ["Schema", "SchemaDocuments", "SQLiteSwiftly", "SQLiteSwiftlyData"]),
    stage("Threads", imports: ["SQLiteSwiftly"]),
    stage("Facts", imports: ["Compression", "Files", "Schema", "SQLiteSwiftly", "Threads"]),
    stage(
      "SourceFiles", imports: ["Compression", "CSV", "Facts", "Files", "Schema", "SQLiteSwiftly"]),
    stage(
      "Validation",
      imports: ["CSV", "Facts", "Files", "Patterns", "Schema", "SourceFiles", "SQLiteSwiftly"]),
    stage(
      "Quarantine",
      imports: [
        "Compression", "CSV", "Facts", "Files", "Schema", "SourceFiles", "SQLiteSwiftly", "Threads",
        "Validation",
      ]),
    stage(
      "Inference",
      imports: ["CSV", "Facts", "Files", "Schema", "SourceFiles", "SQLiteSwiftly", "Validation"]),
    stage(
      "SQLiteDestination",
      imports: ["Facts", "Files", "JSON", "Schema", "SQLiteFormat", "SQLiteSwiftly", "Threads"]),
    stage(
      "Inspection",
      imports: [
        "Compression", "Facts", "Files", "Quarantine", "Schema", "SourceFiles", "SQLiteDestination",
        "SQLiteFormat", "SQLiteSwiftly", "Threads",
      ]),
    stage(
      "PostgreSQLDestination",
      imports: [
        "Facts", "Inspection", "PostgreSQL", "Schema", "SQLiteDestination", "SQLiteSwiftly",
        "Threads",
      ]),
    stage(
      "Run",
      imports: [
        "Compression", "CSV", "Facts", "Files", "Inspection", "Quarantine", "Schema", "SourceFiles",
        "SQLiteSwiftly", "Threads", "Validation",
      ]),
    .target(
      name: "IngestReport",
      dependencies: [
        "DataPackage", "Facts", "Files", "Inspection", "JSON", "Quarantine", "Schema",
        "SourceFiles", "SQLiteDestination", "SQLiteSwiftly",
      ],
      resources: [.embedInCode("Codes.md"), .embedInCode("ReportPage.css")],
      swiftSettings: strict),
    command(
      "ingest",
      imports: [
        "DataPackage", "Facts", "Files", "Inference", "IngestReport", "Inspection",
        "PostgreSQLDestination", "Quarantine", "RebrickableCatalog", "Run", "Schema",
        "SchemaDocuments", "SQLiteDestination", "SQLiteSwiftly", "Threads",
      ],
      resources: [.embedInCode("Families/gtfs.json")]),
    // An example of a program that asks a catalog.
    command(
      "what-can-i-build", imports: ["RebrickableCatalog", "SQLiteSwiftly", "SQLiteSwiftlyData"]),

    .target(
      name: "GzipWriting", dependencies: ["CZlib"], path: "Benchmarks/GzipWriting",
      swiftSettings: strict),
    .target(
      name: "DumpGenerator", dependencies: ["Compression", "Files", "GzipWriting"],
      path: "Benchmarks/DumpGenerator",
      swiftSettings: strict),
    .executableTarget(
      name: "generate-dumps", dependencies: ["DumpGenerator"], path: "Benchmarks/GenerateDumps",
      swiftSettings: strict),

    .target(
      name: "CatalogQuestions", dependencies: ["RebrickableCatalog", "SQLiteSwiftly"],
      path: "Benchmarks/CatalogQuestions", swiftSettings: strict),
    .target(
      name: "ReferenceLoops", path: "Benchmarks/ReferenceLoops",
      linkerSettings: [.linkedLibrary("sqlite3")]),
    .target(
      name: "AllocationCounter", path: "Benchmarks/AllocationCounter",
      linkerSettings: [.linkedLibrary("sqlite3")]),
    .executableTarget(
      name: "ingest-benchmark",
      dependencies: [
        "AllocationCounter", "CatalogQuestions", "Compression", "CSV", "DumpGenerator", "Facts",
        "Files", "GzipWriting", "RebrickableCatalog", "ReferenceLoops", "Run", "Schema",
        "SourceFiles", "SQLiteDestination",
        "SQLiteFormat", "SQLiteSwiftly", "SQLiteSwiftlyData", "Threads",
      ],
      path: "Benchmarks/IngestBenchmark", swiftSettings: strict),

    // What several tests and the fuzz targets share.
    .target(
      name: "TestSupport",
      dependencies: [
        "Compression", "CSV", "Files", "GzipWriting", "Schema", "SQLiteFormat", "SQLiteSwiftly",
      ],
      path: "Tests/TestSupport", swiftSettings: strict),
    .target(name: "Corpus", path: "Tests/Corpus", swiftSettings: strict),
    .executableTarget(
      name: "inject-faults", dependencies: ["generate-dumps", "ingest", "TestSupport"],
      path: "Tests/InjectFaults", exclude: ["Shim"], swiftSettings: strict),

    tests(
      "SQLiteSwiftlyTests",
      imports: ["Schema", "SQLiteSwiftly", "SQLiteSwiftlyData", "TestSupport"]),
    tests(
      "SQLiteSwiftlyFoundationTests",
      imports: ["SQLiteSwiftly", "SQLiteSwiftlyData", "SQLiteSwiftlyFoundation", "TestSupport"]),
    tests("FilesTests", imports: ["Files", "TestSupport"]),
    tests(
      "CompressionTests", imports: ["Compression", "Files", "GzipWriting", "TestSupport"]),
    tests("JSONTests", imports: ["JSON"]),
    tests("CSVTests", imports: ["Compression", "Corpus", "CSV", "Files", "TestSupport"]),
    tests(
      "SQLiteFormatTests",
      imports: ["Files", "SQLiteFormat", "SQLiteSwiftly", "TestSupport"]),
    tests(
      "DataPackageTests",
      imports: ["DataPackage", "JSON", "RebrickableCatalog", "Schema", "SQLiteSwiftly"]),
    tests(
      "PostgreSQLTests",
      imports: [
        "Facts", "PostgreSQL", "RebrickableCatalog", "Schema", "SQLiteSwiftly", "TestSupport",
      ]),
    tests("SchemaDocumentsTests", imports: ["Schema", "SchemaDocuments", "SQLiteSwiftly"]),
    tests(
      "RebrickableCatalogTests",
      imports: [
        "CatalogQuestions", "ingest", "RebrickableCatalog", "Schema", "SQLiteSwiftly",
        "SQLiteSwiftlyData", "TestSupport", "what-can-i-build",
      ]),
    tests(
      "IngestReportTests",
      imports: [
        "DataPackage", "Facts", "Files", "IngestReport", "Inspection", "Quarantine", "Schema",
        "SourceFiles", "SQLiteSwiftly", "TestSupport", "Validation",
      ]),
    tests(
      "IngestPipelineTests",
      imports: [
        "Compression", "Corpus", "CSV", "Facts", "Files", "GzipWriting", "Inference", "Inspection",
        "Quarantine",
        "RebrickableCatalog", "Run", "Schema", "SourceFiles", "SQLiteDestination", "SQLiteFormat",
        "SQLiteSwiftly", "TestSupport", "Threads", "Validation",
      ]),
    tests(
      "DumpGeneratorTests", imports: ["Compression", "DumpGenerator", "Files", "generate-dumps"]),
    tests(
      "IngestCommandTests",
      imports: [
        "CLinux", "Compression", "Corpus", "Facts", "GzipWriting", "ingest", "inject-faults",
        "Schema",
        "SQLiteSwiftly",
        "TestSupport",
      ]),
    tests(
      "IngestBenchmarkTests",
      imports: [
        "AllocationCounter", "DumpGenerator", "Facts", "ingest-benchmark", "Schema",
        "SQLiteSwiftly", "TestSupport",
      ]),
    .target(name: "CMistakes", path: "Tests/CMistakes"),
    tests("SanitizerTests", imports: ["CMistakes"]),
  ]
)

// The fuzz targets are linked with libFuzzer, which a plain build is not to need: see Tests/System/Sanitizers/fuzz.
if Context.environment["INGEST_FUZZ"] != nil {
  package.targets += [
    .target(name: "CFuzz", path: "Tests/CFuzz"),
    .executableTarget(
      name: "fuzz",
      dependencies: [
        "CFuzz", "Compression", "CSV", "DataPackage", "Facts", "Files", "GzipWriting",
        "IngestReport", "Inspection",
        "RebrickableCatalog", "Run", "Schema", "SourceFiles", "SQLiteDestination", "SQLiteFormat",
        "SQLiteSwiftly", "TestSupport", "Validation",
      ],
      path: "Tests/Fuzz", swiftSettings: strict),
  ]
}
