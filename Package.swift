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
/// descriptions. The pipeline knows no catalogue; nor does `DataPackage`, which reads the description of one. `Run`
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
    module("SQLiteFormat", imports: ["Files", "Schema", "SQLiteSwiftly"]),
    module(
      "DataPackage",
      imports: ["CSV", "Files", "JSON", "Patterns", "Schema", "SQLiteSwiftly", "Validation"]),
    module(
      "PostgreSQL",
      imports: [
        .target(name: "CPostgreSQL", condition: .when(traits: ["PostgreSQL"])), "Patterns",
        "Schema", "SQLiteSwiftly",
      ]),
    module("SchemaDocuments", imports: ["JSON", "Schema", "SQLiteSwiftly"]),
    module(
      "RebrickableCatalog",
      imports: ["SchemaDocuments", "Schema", "SQLiteSwiftly", "SQLiteSwiftlyData"]),
    stage("Threads", imports: ["SQLiteSwiftly"]),
    stage("Facts", imports: ["Files", "Compression", "Schema", "SQLiteSwiftly", "Threads"]),
    stage(
      "SourceFiles", imports: ["CSV", "Facts", "Files", "Compression", "Schema", "SQLiteSwiftly"]),
    stage(
      "Validation",
      imports: ["CSV", "Facts", "Files", "Patterns", "SourceFiles", "Schema", "SQLiteSwiftly"]),
    stage(
      "Quarantine",
      imports: [
        "CSV", "Facts", "Files", "Compression", "SourceFiles", "Schema", "SQLiteSwiftly", "Threads",
        "Validation",
      ]),
    stage(
      "Inference",
      imports: [
        "CSV", "Facts", "Files", "Quarantine", "SourceFiles", "Schema", "SQLiteSwiftly",
        "Validation",
      ]),
    stage(
      "SQLiteDestination",
      imports: [
        "SQLiteFormat", "Facts", "Files", "Quarantine", "Schema", "SQLiteSwiftly", "Threads",
      ]),
    stage(
      "Inspection",
      imports: [
        "SQLiteFormat", "Facts", "Files", "Compression", "Quarantine", "SourceFiles",
        "SQLiteDestination",
        "Schema", "SQLiteSwiftly", "Threads", "Validation",
      ]),
    stage(
      "PostgreSQLDestination",
      imports: [
        "Facts", "PostgreSQL", "Quarantine", "SQLiteDestination", "Schema", "SQLiteSwiftly",
        "Threads",
        "Validation",
      ]),
    stage(
      "Run",
      imports: [
        "CSV", "Facts", "Files", "Compression", "Inspection", "Quarantine", "SourceFiles", "Schema",
        "SQLiteSwiftly",
        "Threads", "Validation",
      ]),
    .target(
      name: "IngestReport",
      dependencies: [
        "DataPackage", "Facts", "Files", "Inspection", "JSON", "Quarantine", "Run", "SourceFiles",
        "SQLiteDestination", "Schema", "SQLiteSwiftly", "Validation",
      ],
      resources: [.embedInCode("Codes.md"), .embedInCode("ReportPage.css")],
      swiftSettings: strict),
    command(
      "ingest",
      imports: [
        "DataPackage", "Facts", "Files", "Inference", "IngestReport", "Inspection",
        "PostgreSQLDestination", "Quarantine", "RebrickableCatalog", "Run", "SchemaDocuments",
        "SourceFiles", "SQLiteDestination", "Schema", "SQLiteSwiftly", "Threads", "Validation",
      ],
      resources: [.embedInCode("Families/gtfs.json")]),
    // An example of a program that asks a catalogue.
    command("what-can-i-build", imports: ["RebrickableCatalog", "Schema", "SQLiteSwiftly"]),

    .target(
      name: "DumpGenerator", dependencies: ["Compression", "Files"],
      path: "Benchmarks/DumpGenerator",
      swiftSettings: strict),
    .executableTarget(
      name: "generate-dumps", dependencies: ["DumpGenerator"], path: "Benchmarks/GenerateDumps",
      swiftSettings: strict),

    .target(
      name: "ReferenceLoops", path: "Benchmarks/ReferenceLoops",
      linkerSettings: [.linkedLibrary("sqlite3")]),
    .target(
      name: "AllocationCounter", path: "Benchmarks/AllocationCounter",
      linkerSettings: [.linkedLibrary("sqlite3")]),
    .executableTarget(
      name: "ingest-benchmark",
      dependencies: [
        "AllocationCounter", "Compression", "CSV", "SQLiteFormat", "DumpGenerator", "Facts",
        "Files",
        "RebrickableCatalog", "ReferenceLoops", "Run", "SourceFiles", "SQLiteDestination",
        "Schema", "SQLiteSwiftly", "Threads",
      ],
      path: "Benchmarks/IngestBenchmark", swiftSettings: strict),

    // What several tests and the fuzz targets share.
    .target(
      name: "TestSupport",
      dependencies: ["CSV", "SQLiteFormat", "Files", "Compression", "Schema", "SQLiteSwiftly"],
      path: "Tests/TestSupport", swiftSettings: strict),
    .target(name: "Corpus", path: "Tests/Corpus", swiftSettings: strict),
    .executableTarget(
      name: "inject-faults", dependencies: ["TestSupport", "ingest", "generate-dumps"],
      path: "Tests/InjectFaults", exclude: ["Shim"], swiftSettings: strict),

    tests(
      "SQLiteSwiftlyTests",
      imports: ["Schema", "SQLiteSwiftly", "SQLiteSwiftlyData", "TestSupport"]),
    tests(
      "SQLiteSwiftlyFoundationTests",
      imports: [
        "Schema", "SQLiteSwiftly", "SQLiteSwiftlyData", "SQLiteSwiftlyFoundation", "TestSupport",
      ]),
    tests("FilesTests", imports: ["Files", "TestSupport"]),
    tests("CompressionTests", imports: ["Files", "Compression", "TestSupport"]),
    tests("JSONTests", imports: ["JSON"]),
    tests("CSVTests", imports: ["Corpus", "CSV", "Files", "Compression", "TestSupport"]),
    tests(
      "SQLiteFormatTests",
      imports: ["SQLiteFormat", "Files", "Schema", "SQLiteSwiftly", "TestSupport"]),
    tests(
      "DataPackageTests",
      imports: ["DataPackage", "JSON", "RebrickableCatalog", "Schema", "SQLiteSwiftly"]),
    tests(
      "PostgreSQLTests",
      imports: ["PostgreSQL", "RebrickableCatalog", "Schema", "SQLiteSwiftly", "TestSupport"]),
    tests("SchemaDocumentsTests", imports: ["SchemaDocuments", "Schema", "SQLiteSwiftly"]),
    tests(
      "RebrickableCatalogTests",
      imports: [
        "ingest", "what-can-i-build", "RebrickableCatalog", "Schema", "SQLiteSwiftly",
        "SQLiteSwiftlyData", "TestSupport",
      ]),
    tests(
      "IngestReportTests",
      imports: [
        "DataPackage", "Facts", "Files", "IngestReport", "Inspection", "Quarantine", "Run",
        "SourceFiles", "Schema", "SQLiteSwiftly", "TestSupport", "Validation",
      ]),
    tests(
      "IngestPipelineTests",
      imports: [
        "Compression", "Corpus", "CSV", "SQLiteFormat", "Facts", "Files", "Inference", "Inspection",
        "Quarantine", "RebrickableCatalog", "Run", "SourceFiles", "SQLiteDestination",
        "Schema", "SQLiteSwiftly", "TestSupport", "Threads", "Validation",
      ]),
    tests(
      "DumpGeneratorTests", imports: ["Compression", "DumpGenerator", "Files", "generate-dumps"]),
    tests(
      "IngestCommandTests",
      imports: [
        "CLinux", "Corpus", "ingest", "inject-faults", "Compression", "Schema", "SQLiteSwiftly",
        "TestSupport",
      ]),
    tests(
      "IngestBenchmarkTests",
      imports: [
        "AllocationCounter", "DumpGenerator", "Facts", "ingest-benchmark", "Run", "Schema",
        "SQLiteSwiftly",
        "TestSupport",
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
        "CFuzz", "CSV", "SQLiteFormat", "DataPackage", "Facts", "Files", "Compression",
        "IngestReport",
        "RebrickableCatalog", "Run", "SourceFiles", "SQLiteDestination", "Schema", "SQLiteSwiftly",
        "TestSupport", "Validation",
      ],
      path: "Tests/Fuzz", swiftSettings: strict),
  ]
}
