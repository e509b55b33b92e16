// What may import what. Every forbidden rule has a bad example in test/architecture/bad/<its name>/ that it, and only
// it, catches; test/architecture/rules.long.spec.ts proves that, so a bad example repeats the layout below its own folder.
const root = '(?:^test/architecture/bad/[^/]+/|^)';
// The folder may be a link, which is followed.
const npm = '(?:^|(?:^|/)node_modules/(?:@types/)?)';

/** The floors of libs/: each stands on those before it. `runtime` and `testing` are libraries of their own. */
const FLOOR = '(?:engine|edge|features)/';
/** A library, whatever its floor. */
const lib = (names) => `${root}libs/(?:${FLOOR})?(?:${names})/`;
/** The faces of a library: for all that it does, and of a feature for its model alone. */
const FACE = 'src/(?:model/)?index\\.ts$';

const floor = (name, ...below) => ({
  name: `the-${name}-floor`,
  comment: `libs/${name} stands on ${below.map((other) => `libs/${other}`).join(' and ') || 'nothing of ours'}.`,
  severity: 'error',
  from: { path: `${root}libs/${name}/` },
  to: { path: `${root}libs/(?!(?:${[name, ...below, 'testing'].join('|')})/)` },
});

/** A layer's own folder and the libs that it may stand on; its specs may also use `testing`. */
const layer = (name, ...allowed) => ({
  name: `${name}-layer`,
  comment: `${name} imports ${allowed.join(', ') || 'nothing of ours'}, so that it can be understood and tested alone.`,
  severity: 'error',
  from: { path: lib(name) },
  to: {
    path: `${root}libs/(?:${FLOOR}|(?=runtime/|testing/))(?!(?:${[name, ...allowed, 'testing'].join('|')})/)`,
  },
});

/** A driver has one door: what it can do stays behind a port. Tests may import it in `tests` as well. */
const driver = (name, library, doors, tests = []) => ({
  name,
  comment: `${library} is imported in libs/${doors.join(' and libs/')} alone: features never know which store is in use.`,
  severity: 'error',
  from: { pathNot: [`${root}libs/(?:${doors.join('|')})/`, ...tests] },
  to: { path: `${npm}${library}(?:/|$)` },
});

// Beside specs: contract suites that the specs of every adapter run, and what several specs set up alike.
const TEST_FILE = '\\.(?:spec|contract|fixture)\\.ts$';
const TEST_CODE = [`${root}libs/testing/`, TEST_FILE];
const PURE_FILES = '(?:\\.(?:access|decider|commands|events|projection)\\.ts$|/projections/)';

/** Features with a model as a face of its own (package.json, "imports"). */
const MODELS = Object.keys(require('./package.json').imports)
  .flatMap((name) => /^#(.+)\/model$/.exec(name)?.[1] ?? [])
  .join('|');

/** Features whose models `Directory` of #people is made of. */
const PARTS = 'users|groups|realm|channels';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      ...floor('engine'),
      // Whom an event reaches is a matter of people, channels and groups.
      to: { path: `${root}libs/(?!(?:engine|testing|features/people|features/[^/]+/src/model)/)` },
    },
    floor('edge', 'engine'),
    {
      name: 'the-client-stands-alone',
      comment:
        'libs/client runs in browsers and in Node, and is published: it imports nothing, neither of ours nor of others.',
      severity: 'error',
      from: { path: `${root}libs/client/`, pathNot: TEST_FILE },
      to: { pathNot: `${root}libs/client/` },
    },
    layer('kernel'),
    layer('wire'),
    layer('event-store', 'kernel'),
    layer('read-store', 'kernel', 'event-store'),
    layer('blob-store', 'kernel'),
    layer('follow-ups', 'kernel', 'event-store', 'read-store'),
    layer('timers', 'kernel', 'event-store', 'read-store'),
    layer('directory', 'kernel', 'event-store'),
    layer('markdown', 'kernel'),
    layer('validation'),
    layer('images', 'kernel'),
    layer('http', 'kernel', 'event-store', 'blob-store', 'validation', 'wire'),
    layer('people', 'kernel', 'event-store', 'directory', `(?:${PARTS})/src/model`),
    driver('libsql-stays-in-the-stores', 'libsql', ['engine/event-store', 'engine/read-store']),
    // The proxy of the tests is tried with the driver, and reads documents by its BSON; the helpers drop the databases of suites, and put them back.
    driver(
      'mongodb-stays-in-the-read-store',
      'mongodb',
      ['engine/read-store'],
      [`${root}libs/testing/src/mongo-(?:servers(?:\\.spec)?|backups)\\.ts$`, '^test/mongodb/'],
    ),
    // The stand-in of the tests serves the protocol from the definitions that the client ships.
    driver(
      'eventstoredb-stays-in-the-event-store',
      '@eventstore/db-client',
      ['engine/event-store'],
      ['^test/eventstoredb/'],
    ),
    {
      ...driver('opentelemetry-has-one-door', '@opentelemetry/[^/]+', ['runtime'], ['^test/support/']),
      comment:
        'The API of OpenTelemetry is imported in libs/runtime/src/tracing alone; others show spans by `Spans` of #kernel.',
    },
    {
      ...driver('prom-client-has-one-door', 'prom-client', ['runtime']),
      comment:
        'prom-client is imported in libs/runtime/src/metrics alone, which is loaded where METRICS_ADDRESS is set.',
    },
    {
      // Tests draw the pictures that they upload.
      ...driver('sharp-stays-in-images', 'sharp', ['edge/images'], ['^test/support/']),
      comment:
        'sharp is imported in libs/edge/images alone, which switches off all decoders but a few, and sets limits.',
    },
    {
      ...driver('class-validator-has-one-door', 'class-validator', ['edge/validation']),
      comment:
        "class-validator is imported from '#validation', which loads the parts that are used: its index costs each start 80 ms.",
    },
    {
      name: 'swagger-is-loaded-on-request',
      comment:
        "Decorators of @nestjs/swagger are imported from '#http', which applies them when it loads the library for the first request of the document: its 500 files would be a tenth of those loaded at a start.",
      severity: 'error',
      from: { pathNot: `${root}libs/edge/http/src/openapi/` },
      to: { path: `${npm}@nestjs/swagger(?:/|$)` },
    },
    {
      name: 'libs-have-one-face',
      comment:
        "From outside a lib, only its index.ts may be imported, '#name', or that of its model, '#name/model'. test/contracts runs contract suites on adapters, and fixtures put the parts of several libs together.",
      severity: 'error',
      from: {
        path: `${root}(libs/(?:${FLOOR})?[^/]+/|apps/[^/]+/|test/)`,
        pathNot: [`${root}test/contracts/`, '\\.fixture\\.ts$'],
      },
      to: { path: `${root}libs/`, pathNot: [`${lib('[^/]+')}${FACE}`, '\\.fixture\\.ts$', `${root}$1`] },
    },
    {
      name: 'a-face-is-for-others',
      comment:
        "Inside a lib, import the file itself ('./x.js'): through the index, everything would depend on everything. Tests may hold a lib to its face.",
      severity: 'error',
      from: {
        path: `${root}libs/((?:${FLOOR})?[^/]+)/`,
        pathNot: [`${lib('[^/]+')}${FACE}`, '\\.spec\\.ts$'],
      },
      to: { path: `${root}libs/$1/${FACE}` },
    },
    {
      name: 'a-model-stands-on-models',
      comment:
        'What a feature keeps in the directory, with its events and access rules, imports the engine, people and models of other features: never routes, handlers or readers.',
      severity: 'error',
      from: { path: `${root}libs/features/(?:${MODELS})/src/model/`, pathNot: TEST_FILE },
      to: {
        path: `${root}libs/`,
        pathNot: [lib('kernel|event-store|directory|markdown|people|wire'), `${root}libs/features/[^/]+/src/model/`],
      },
    },
    {
      name: 'the-directory-stands-on-its-parts',
      comment:
        '`Directory` of #people is made of these models, so they know nothing of it: their rules reach a part by `directory.of(part)`.',
      severity: 'error',
      from: { path: `${root}libs/features/(?:${PARTS})/src/model/`, pathNot: TEST_FILE },
      to: { path: lib('people') },
    },
    {
      name: 'writing-knows-no-reading',
      comment: 'What messages need of readers is a port; tests of both put them together.',
      severity: 'error',
      from: { path: lib('messages'), pathNot: TEST_FILE },
      to: { path: lib('reading') },
    },
    {
      name: 'the-page-stands-alone',
      comment: 'web/ runs in browsers: of ours it imports the client library alone, and of packages React.',
      severity: 'error',
      from: { path: `${root}web/`, pathNot: `${root}web/vite\\.config\\.mjs$` },
      to: { pathNot: [`${root}web/`, `${root}libs/client/`, `${npm}(?:react|react-dom|scheduler)(?:/|$)`] },
    },
    {
      name: 'nothing-imports-the-page',
      comment: 'The server serves the built page as files. What the page calculates, its own tests look at.',
      severity: 'error',
      from: { path: `${root}(?:libs|apps|test)/`, pathNot: '^test/web/' },
      to: { path: '^web/|^test/architecture/bad/[^/]+/web/' },
    },
    {
      name: 'libs-import-no-apps',
      comment: 'Apps are composition roots: they wire libs, and nothing stands on them.',
      severity: 'error',
      from: { path: `${root}libs/` },
      to: { path: `${root}apps/` },
    },
    {
      name: 'apps-import-no-apps',
      comment: 'What processes share is in libs/runtime.',
      severity: 'error',
      from: { path: `${root}apps/([^/]+)/` },
      to: { path: `${root}apps/`, pathNot: `${root}apps/$1/` },
    },
    {
      name: 'features-know-no-runtime',
      comment: 'libs/runtime puts the features together for the apps, so no feature stands on it.',
      severity: 'error',
      from: { path: `${root}libs/(?!runtime/)` },
      to: { path: `${root}libs/runtime/` },
    },
    {
      name: 'the-product-imports-no-test-folder',
      comment: 'test/ looks at the product from outside; what libs and apps share with it lives in libs/testing.',
      severity: 'error',
      from: { path: `${root}(?:libs|apps)/` },
      to: { path: '^test/(?!architecture/bad/)|^test/architecture/bad/[^/]+/test/' },
    },
    {
      name: 'testing-is-for-tests',
      comment: 'libs/testing, specs, contract suites and fixtures are imported by each other and test/ alone.',
      severity: 'error',
      from: { path: `${root}(?:libs|apps)/`, pathNot: TEST_CODE },
      to: { path: TEST_CODE },
    },
    {
      name: 'facts-and-deciders-know-no-framework',
      comment: 'What happened, and what may happen, is said in plain TypeScript: no Nest, no HTTP, no driver.',
      severity: 'error',
      from: { path: '\\.(?:decider|events|commands)\\.ts$' },
      to: {
        path: [
          `${npm}(?:@nestjs|@fastify|fastify|rxjs|class-validator|class-transformer)(?:/|$)`,
          lib('http|validation'),
          `${lib('[^/]+')}src/http/`,
          '\\.(?:controller|params)\\.ts$',
        ],
      },
    },
    {
      name: 'pure-files-reach-no-outside',
      comment:
        'Deciders, permissions and projections are functions of their arguments: no files, network, clocks or processes. ' +
        'Hashing (crypto) and text handling are computation and pass.',
      severity: 'error',
      from: { path: PURE_FILES, pathNot: TEST_FILE },
      to: {
        dependencyTypes: ['core'],
        pathNot: '^(?:node:)?(?:assert|buffer|crypto|string_decoder|url|util)(?:/|$)',
      },
    },
    {
      name: 'the-core-knows-no-nest',
      comment: 'Ports, engine, adapters and Markdown are plain classes; modules elsewhere provide them to Nest.',
      severity: 'error',
      from: { path: lib('kernel|event-store|read-store|blob-store|follow-ups|timers|directory|markdown') },
      to: { path: `${npm}@nestjs/` },
    },
    {
      name: 'the-product-needs-no-tools',
      comment: 'What runs in production is among the dependencies, not the development dependencies.',
      severity: 'error',
      from: { path: `${root}(?:libs|apps)/`, pathNot: TEST_CODE },
      to: { dependencyTypes: ['npm-dev'], path: '(?:^|/)node_modules/(?!@types/)' },
    },
    {
      name: 'every-import-resolves',
      comment: 'An import that leads nowhere escapes every other rule.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: ['^mongodb(?:/|$)', '^@eventstore/db-client(?:/|$)'] },
    },
    {
      name: 'no-circles',
      comment: 'Circular imports of decorated classes fail at start-up ("Cannot access … before initialization").',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['^dist/', '^test/architecture/bad/'] },
    tsConfig: { fileName: 'tsconfig.json' },
    // Imports of types count as well.
    tsPreCompilationDeps: true,
    combinedDependencies: false,
    // `types` first: it leads `#name` to the src/index.ts of a lib (package.json, "imports").
    enhancedResolveOptions: {
      // As long as a cruise takes.
      cachedInputFileSystem: { cacheDuration: 600_000 },
      exportsFields: ['exports'],
      conditionNames: ['types', 'import', 'require', 'node', 'default'],
    },
  },
};
