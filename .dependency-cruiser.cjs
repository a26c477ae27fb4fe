const ROOMS = 'auth|catalog|policy|validation|state|sessions|limits|idempotency|upstream|subscriptions|audit'
const BUILTIN = '^(?:node:)?(?:buffer|crypto|util)$'
const PACKAGE = '(?:^|/)node_modules/'

/** Who may import whom: docs/decisions and the sign at the top of each door say why. Type-only imports count like any other. */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Two files that need each other are one file, or a third is missing; and the order of loading must never matter.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'nothing-unresolved',
      comment: 'An import that is not found is a rule that is not checked.',
      severity: 'error',
      // bin.cjs imports the compiled main.js that stands beside it in dist/.
      from: { pathNot: '^src/bin\\.cjs$' },
      to: { couldNotResolve: true },
    },
    {
      name: 'core-imports-nothing',
      comment: 'Every part may lean on core/, so it leans on none; encoding and hashing are the only help from outside.',
      severity: 'error',
      from: { path: '^src/core/' },
      to: { pathNot: ['^src/core/', BUILTIN] },
    },
    {
      name: 'mcp-is-pure',
      comment: 'mcp/ is a protocol library: no I/O and no policy, so that the tables of the specification test it as they are.',
      severity: 'error',
      from: { path: '^src/mcp/' },
      to: { pathNot: ['^src/(?:mcp|core)/', BUILTIN, `${PACKAGE}eventsource-parser/`] },
    },
    {
      name: 'store-decides-nothing',
      comment: 'store/ keeps what rooms decide; it knows keys and integers, never a room or a protocol.',
      severity: 'error',
      from: { path: '^src/store/' },
      to: { path: ['^src/', PACKAGE], pathNot: ['^src/(?:store|core)/', `${PACKAGE}ioredis/`] },
    },
    {
      name: 'rooms-do-not-meet',
      comment:
        'A room that needs another’s work is handed a function, so its constructor shows all it depends on. Only the corridor knows two rooms.',
      severity: 'error',
      from: { path: `^src/(${ROOMS})/` },
      to: { path: '^src/', pathNot: ['^src/(?:core|mcp|store)/', '^src/$1/'] },
    },
    {
      name: 'use-the-door',
      comment: 'What a room keeps behind its index.ts can change without anybody else knowing.',
      severity: 'error',
      from: { path: '^src/([^/]+)' },
      to: { path: `^src/(?:${ROOMS}|mcp|store|pipeline|http|admin)/`, pathNot: ['^src/[^/]+/index\\.ts$', '^src/$1/'] },
    },
    {
      name: 'only-store-speaks-redis',
      comment: 'One place sets time limits, retries and what an outage means; the defaults of the client hang for seconds.',
      severity: 'error',
      from: { pathNot: '^src/store/' },
      to: { path: `${PACKAGE}ioredis/` },
    },
    {
      name: 'fastify-stays-outside',
      comment: 'A guard that could touch a reply could answer twice. Rooms take values and return products; the street door answers.',
      severity: 'error',
      from: { pathNot: ['^src/(?:http|admin)/', '^src/app\\.ts$'] },
      to: { path: `${PACKAGE}(?:fastify|@fastify)/` },
    },
    {
      name: 'corridor-knows-doors-only',
      comment: 'The corridor is the order of the steps and nothing else: no socket, no setting, no library.',
      severity: 'error',
      from: { path: '^src/pipeline/' },
      to: { pathNot: ['^src/(?:pipeline|core)/', `^src/(?:${ROOMS}|mcp)/index\\.ts$`] },
    },
    {
      name: 'street-door-leads-to-the-corridor',
      // swc does not tell type imports from others: that a door is imported for its types only is checked by tools/bans.ts.
      comment: 'A check made at the street door would stand outside the order that the corridor shows. Types of a door may be named.',
      severity: 'error',
      from: { path: '^src/http/' },
      to: { path: '^src/', pathNot: ['^src/(?:http|pipeline|mcp|core)/', `^src/(?:${ROOMS})/index\\.ts$`] },
    },
    {
      name: 'inner-parts-do-not-reach-out',
      comment: 'main → app, rooms → http, admin, cli → pipeline → rooms → mcp, store → core: never the other way.',
      severity: 'error',
      from: { path: '^src/(?:http|pipeline)/' },
      to: { path: '^src/(?:cli|admin)/|^src/[^/]+\\.[a-z]+$' },
    },
    {
      name: 'nothing-imports-main',
      comment: 'main.ts is the process: importing it would start one, which is the job of bin.cjs alone.',
      severity: 'error',
      from: { pathNot: '^src/bin\\.cjs$' },
      to: { path: '^src/(?:main\\.ts|bin\\.cjs)$' },
    },
  ],
  options: {
    // TypeScript 7 has no API that dependency-cruiser could use: without swc it would see no module and find no fault.
    parser: 'swc',
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
    doNotFollow: { path: 'node_modules' },
  },
}
