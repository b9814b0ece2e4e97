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
  .enableExperimentalFeature("SuppressedAssociatedTypes"),
]

/// A module of `Sources/` and the modules that it may import.
///
/// Arrows run one way: from the command to the report, from there to the pipeline, from there to the readers
/// and the SQLite layer; `Schema` puts its table descriptions together with the formats of the source files, of which
/// the layer knows nothing. `.ci/steps.sh` sees to it that each library of C is imported by one module alone:
/// SQLite by `SQLiteSwiftly`, zlib by `Compression`, libpq by `PostgreSQL`, Linux's own calls by `Platform`. `SQLiteFormat`
/// reads and writes SQLite's format without SQLite, and has nothing of the layer but the batches and the
/// descriptions. The pipeline knows no catalog; nor does `DataPackage`, which reads the description of one. `Run`
/// names no destination: whoever starts a run gives it one. FoundationEssentials is for `SQLiteSwiftlyFoundation`,
/// which is for other programs and imported by no module of this one.
func module(
  _ name: String, imports: [Target.Dependency], resources: [Resource] = []
) -> Target {
  .target(name: name, dependencies: imports, resources: resources, swiftSettings: strict)
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
    module("Text", imports: []),
    module("SQLiteSwiftly", imports: ["CSQLite", "Text"]),
    module("SQLiteSwiftlyData", imports: ["SQLiteSwiftly", "Text"]),
    module("SQLiteSwiftlyFoundation", imports: ["SQLiteSwiftly", "SQLiteSwiftlyData"]),
    module("Schema", imports: ["SQLiteSwiftly"]),
    module("Platform", imports: ["CLinux", "Text"]),
    module("Compression", imports: ["CZlib", "Platform", "Text"]),
    module("CSV", imports: []),
    module("SQLiteFormat", imports: ["Platform", "SQLiteSwiftly", "Text"]),
    module(
      "DataPackage",
      imports: ["CSV", "Fields", "Platform", "Schema", "SQLiteSwiftly", "Text"]),
    module(
      "PostgreSQL",
      imports: [
        .target(name: "CPostgreSQL", condition: .when(traits: ["PostgreSQL"])), "Fields",
        "Vocabulary", "Text", "Schema", "SQLiteSwiftly",
      ]),
    module(
      "RebrickableCatalog",
      imports: ["Schema", "SQLiteSwiftly", "SQLiteSwiftlyData", "Text"],
      resources: [.embedInCode("Cookbook/Cookbook.sql")]),
    stage("Vocabulary", imports: ["Compression", "Platform", "Schema", "SQLiteSwiftly", "Text"]),
    stage("Fields", imports: ["CSV", "Schema", "SQLiteSwiftly", "Text", "Vocabulary"]),
    stage(
      "SourceFiles",
      imports: ["Compression", "CSV", "Platform", "Schema", "SQLiteSwiftly", "Text", "Vocabulary"]),
    stage(
      "Validation",
      imports: [
        "CSV", "Fields", "Schema", "SourceFiles", "SQLiteSwiftly", "Text", "Vocabulary",
      ]),
    stage(
      "Quarantine",
      imports: [
        "Compression", "CSV", "Fields", "Platform", "Schema", "SourceFiles", "SQLiteSwiftly",
        "Text", "Validation", "Vocabulary",
      ]),
    stage(
      "Inference",
      imports: [
        "CSV", "Fields", "Platform", "Schema", "SourceFiles", "SQLiteSwiftly", "Text", "Validation",
        "Vocabulary",
      ]),
    stage(
      "Provenance",
      imports: ["Platform", "Schema", "SQLiteSwiftly", "Text", "Vocabulary"]),
    stage(
      "SQLiteDestination",
      imports: [
        "Platform", "Provenance", "Schema", "SQLiteFormat", "SQLiteSwiftly", "Text", "Vocabulary",
      ]),
    stage(
      "PostgreSQLDestination",
      imports: [
        "Platform", "PostgreSQL", "Provenance", "Schema", "SQLiteDestination", "SQLiteSwiftly",
        "Text", "Vocabulary",
      ]),
    stage(
      "Run",
      imports: [
        "CSV", "Platform", "Provenance", "Quarantine", "Schema", "SourceFiles",
        "SQLiteSwiftly", "Text", "Validation", "Vocabulary",
      ]),
    .target(
      name: "IngestReport",
      dependencies: [
        "DataPackage", "Platform", "Quarantine", "Schema", "SQLiteDestination",
        "SQLiteFormat", "SQLiteSwiftly", "Text", "Vocabulary",
      ],
      resources: [.embedInCode("Codes.md"), .embedInCode("ReportPage.css")],
      swiftSettings: strict),
    command(
      "ingest",
      imports: [
        "DataPackage", "Inference", "IngestReport", "Platform",
        "PostgreSQLDestination", "Quarantine", "RebrickableCatalog", "Run", "Provenance", "Schema",
        "SQLiteDestination", "SQLiteSwiftly", "Text", "Vocabulary",
      ],
      resources: [.embedInCode("Families/gtfs.json")]),
    // An example of a program that asks a catalog.
    command(
      "what-can-i-build", imports: ["RebrickableCatalog", "SQLiteSwiftly", "SQLiteSwiftlyData"]),

    .target(
      name: "GzipWriting", dependencies: ["CZlib"], path: "Benchmarks/GzipWriting",
      swiftSettings: strict),
    .target(
      name: "DumpGenerator", dependencies: ["Compression", "GzipWriting", "Platform", "Text"],
      path: "Benchmarks/DumpGenerator",
      swiftSettings: strict),
    .executableTarget(
      name: "generate-dumps", dependencies: ["DumpGenerator"], path: "Benchmarks/GenerateDumps",
      swiftSettings: strict),

    .target(
      name: "CatalogQuestions", dependencies: ["RebrickableCatalog", "SQLiteSwiftly"],
      path: "Benchmarks/CatalogQuestions", resources: [.embedInCode("EverydayQuestions.sql")],
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
        "AllocationCounter", "CatalogQuestions", "Compression", "CSV", "DumpGenerator",
        "GzipWriting", "Platform", "RebrickableCatalog", "ReferenceLoops", "Run", "Schema",
        "SourceFiles", "SQLiteDestination", "SQLiteFormat", "SQLiteSwiftly", "SQLiteSwiftlyData",
        "Text", "Vocabulary",
      ],
      path: "Benchmarks/IngestBenchmark", swiftSettings: strict),

    // What several tests and the fuzz targets share.
    .target(
      name: "TestSupport",
      dependencies: [
        "Compression", "CSV", "GzipWriting", "Platform", "Schema", "SQLiteFormat", "SQLiteSwiftly",
        "Text",
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
    tests("PlatformTests", imports: ["Platform", "TestSupport", "Text"]),
    tests(
      "CompressionTests",
      imports: ["Compression", "Corpus", "GzipWriting", "Platform", "TestSupport", "Text"]),
    tests("TextTests", imports: ["Text"]),
    tests("CSVTests", imports: ["CSV", "TestSupport"]),
    tests(
      "SQLiteFormatTests",
      imports: ["Platform", "SQLiteFormat", "SQLiteSwiftly", "TestSupport", "Text"]),
    tests(
      "DataPackageTests",
      imports: ["DataPackage", "RebrickableCatalog", "Schema", "SQLiteSwiftly", "Text"]),
    tests(
      "PostgreSQLTests",
      imports: [
        "PostgreSQL", "RebrickableCatalog", "Schema", "SQLiteSwiftly", "TestSupport", "Text",
        "Vocabulary",
      ]),
    // The examples of the documentation, which are put into their tests before each build.
    .plugin(
      name: "DocumentationExamples", capability: .buildTool, dependencies: ["insert-examples"],
      path: "Tests/InsertExamples/Plugin"),
    .executableTarget(
      name: "insert-examples", path: "Tests/InsertExamples", exclude: ["Plugin"],
      swiftSettings: strict),
    .testTarget(
      name: "DocumentationTests",
      dependencies: [
        "ingest", "RebrickableCatalog", "Schema", "SQLiteSwiftly", "SQLiteSwiftlyData",
        "SQLiteSwiftlyFoundation", "TestSupport",
      ],
      exclude: ["Examples"], swiftSettings: strict, plugins: ["DocumentationExamples"]),
    tests(
      "RebrickableCatalogTests",
      imports: [
        "CatalogQuestions", "ingest", "RebrickableCatalog", "Schema", "SQLiteSwiftly",
        "SQLiteSwiftlyData", "TestSupport", "what-can-i-build",
      ]),
    tests(
      "IngestReportTests",
      imports: [
        "DataPackage", "IngestReport", "Platform", "Quarantine", "Schema", "SourceFiles",
        "SQLiteDestination", "SQLiteSwiftly", "TestSupport", "Text", "Validation", "Vocabulary",
      ]),
    tests(
      "IngestPipelineTests",
      imports: [
        "Compression", "Corpus", "CSV", "Fields", "GzipWriting", "Inference", "Platform",
        "Quarantine", "RebrickableCatalog", "Run", "Schema", "SourceFiles", "SQLiteDestination",
        "SQLiteFormat", "SQLiteSwiftly", "TestSupport", "Text", "Validation", "Vocabulary",
      ]),
    tests(
      "DumpGeneratorTests",
      imports: ["Compression", "DumpGenerator", "generate-dumps", "Platform", "Text"]),
    tests(
      "IngestCommandTests",
      imports: [
        "CLinux", "Compression", "GzipWriting", "ingest", "inject-faults", "Schema",
        "SQLiteSwiftly", "TestSupport", "Vocabulary",
      ]),
    tests(
      "IngestBenchmarkTests",
      imports: [
        "AllocationCounter", "DumpGenerator", "ingest-benchmark", "Schema", "SQLiteSwiftly",
        "TestSupport", "Text", "Vocabulary",
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
        "CFuzz", "Compression", "CSV", "DataPackage", "GzipWriting", "IngestReport",
        "Platform", "Quarantine", "RebrickableCatalog", "Run", "Schema", "SourceFiles",
        "SQLiteDestination", "SQLiteFormat", "SQLiteSwiftly", "TestSupport", "Text", "Validation",
        "Vocabulary",
      ],
      path: "Tests/Fuzz", swiftSettings: strict),
  ]
}
