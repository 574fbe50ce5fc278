const tests = '\\.test(-d)?\\.ts$|/test/';
const libraries = 'registry-fs|registry-http|runs-fs|cli-dist|tools-shell|model-adapters|mcp|frameworks|evals';

/** One rule for each arrow that ARCHITECTURE.md does not draw. `$1` is what the first group of `from.path` matched. */
/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'core-imports-no-sibling',
      comment: 'core holds rules and ports; what it needs arrives as an argument.',
      severity: 'error',
      from: { path: '^packages/core/' },
      to: { path: `^(packages/(${libraries})|apps|scripts)/` },
    },
    {
      name: 'libraries-import-only-core',
      comment: 'An adapter knows core and its own outside thing, never another adapter.',
      severity: 'error',
      from: { path: `^packages/(${libraries})/`, pathNot: tests },
      to: { path: '^(packages|apps|scripts)/', pathNot: '^packages/($1|core)/' },
    },
    {
      name: 'siblings-by-name',
      comment: 'Another package is reached by its name and its public list, never by a path into its sources.',
      severity: 'error',
      from: { path: '^(packages|apps)/([^/]+)/' },
      to: { path: '^(packages|apps)/([^/]+)/', pathNot: '^$1/$2/', dependencyTypes: ['local'] },
    },
    {
      name: 'nobody-imports-an-app',
      comment: 'apps/cli is where the real parts are chosen: nothing stands on it.',
      severity: 'error',
      from: { pathNot: '^apps/' },
      to: { path: '^apps/' },
    },
    {
      name: 'core-errors-at-the-bottom',
      severity: 'error',
      from: { path: '^packages/core/src/errors/', pathNot: tests },
      to: { path: '^packages/core/src/', pathNot: '^packages/core/src/errors/' },
    },
    {
      name: 'core-net-on-nothing',
      comment: 'What an address of a network is, for every package that connects to one.',
      severity: 'error',
      from: { path: '^packages/core/src/net/', pathNot: tests },
      to: { path: '^packages/core/src/', pathNot: '^packages/core/src/net/' },
    },
    {
      name: 'core-digest-and-json-on-errors',
      comment: 'What the package manager and the runtime both need, and no rule of either.',
      severity: 'error',
      from: { path: '^packages/core/src/(digest|json)/', pathNot: tests },
      to: { path: '^packages/core/src/', pathNot: '^packages/core/src/(errors|$1)/' },
    },
    {
      name: 'core-skill-policy-pack-on-errors',
      comment: 'skill, policy and pack import errors, digest and json, and nothing else of core, not even each other.',
      severity: 'error',
      from: { path: '^packages/core/src/(skill|policy|pack)/', pathNot: tests },
      to: { path: '^packages/core/src/', pathNot: '^packages/core/src/(errors|digest|json|$1)/' },
    },
    {
      name: 'core-runtime-never-meets-pack',
      comment: 'The package manager and the runtime meet at the skill.',
      severity: 'error',
      from: { path: '^packages/core/src/(registry|tool|model)/', pathNot: tests },
      to: {
        path: '^packages/core/src/',
        pathNot: '^packages/core/src/(errors|digest|json|skill|policy|registry|tool|model)/',
      },
    },
    {
      name: 'core-agent-never-meets-pack',
      severity: 'error',
      from: { path: '^packages/core/src/agent/', pathNot: tests },
      to: {
        path: '^packages/core/src/',
        pathNot: '^packages/core/src/(errors|digest|json|skill|policy|registry|tool|model|agent)/',
      },
    },
    {
      name: 'nobody-imports-an-entry-point',
      comment:
        'index.ts, listing.ts, telemetry.ts and testing.ts are lists for other packages; inside, a file imports the file it needs.',
      severity: 'error',
      from: { path: '^(packages/[^/]+)/src/', pathNot: tests },
      to: {
        path: '^$1/src/(index|listing|testing|telemetry|server|node|discovery|ai-sdk|langchain|mastra|vitest|bullmq)\\.ts$',
      },
    },
    {
      name: 'no-cycles',
      comment: 'Two files that need each other are one file, or three.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-orphans',
      comment: 'A file that nobody reaches is either forgotten or not wired up.',
      severity: 'error',
      from: {
        orphan: true,
        pathNot: [
          tests,
          '\\.d\\.ts$',
          '^test/fixtures/',
          '/src/(index|testing|telemetry|server|skills)\\.ts$',
          '\\.config\\.ts$',
          '^(scripts|examples|bench)/',
        ],
      },
      to: {},
    },
    {
      name: 'nobody-imports-a-test',
      severity: 'error',
      from: { path: '^(packages|apps)/[^/]+/src/', pathNot: tests },
      to: { path: tests },
    },
    {
      name: 'no-development-dependency-in-a-library',
      comment: 'What a published library imports must be installed with it.',
      severity: 'error',
      from: { path: '^packages/[^/]+/src/', pathNot: tests },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only', 'npm-peer'] },
    },
    {
      name: 'nothing-unresolved',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^[^/]+/[^/]+/dist/|/test/fixtures/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['skillpack-source', 'types', 'import', 'node', 'default'],
    },
  },
};
