// Which area may import which: the rules of docs/architecture.md, for lib/import-directions.test.ts.

/** Files of a folder that others may import when its rule says `(interface)`. */
export const INTERFACES: Readonly<Record<string, RegExp>> = {
  'lib/source': /^lib\/source\/source\.ts$/,
  'lib/protocols/python': /^lib\/protocols\/python\/index\.ts$/,
  'lib/serving/transport':
    /^lib\/serving\/transport\/(address|close-reason|connection|front-end|http-exchange|http-request|mounted)\.ts$/,
};
/** Front-ends may not import what opens sockets or starts threads and processes. */
export const SOCKETS_AND_PROCESSES = /^node:(net|dgram|tls|https?|http2|worker_threads|child_process|cluster)$/;

/** Node's modules, but for those that open sockets. */
export const NODE = 'node: without sockets';

/** What is known of a frame. */
const FRAME = ['lib/model/state', 'lib/model/frame', 'lib/model/units'];

/** What is made of samples. */
const SAMPLES = ['lib/serving/history', 'lib/serving/analysis', 'lib/source/derived'];

const FRONT_END = [
  'lib/serving/network',
  'lib/serving/scheduling',
  'lib/serving/session',
  'lib/source (interface)',
  ...FRAME,
  'lib/serving/transport (interface)',
  'lib/serving/trust',
  NODE,
];

/** Imports nothing, and holds for all. */
export const LIMITS = 'lib/model/bounds';

/** The package of the Python subset, by its index alone. */
const PYTHON = 'lib/protocols/python (interface)';

/** What the command language of Trick is made of. */
const LANGUAGE = ['lib/protocols/trick/events', 'lib/protocols/trick/wire', PYTHON, 'lib/protocols/trick/monte-carlo'];

/** What each area may import besides its own files; every other import is forbidden. */
export const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  'grammar/chevrotain.ts': ['chevrotain'],
  'grammar/validity.ts': ['grammar/', 'lib/protocols/python/grammar'],
  'grammar/checkpoint': ['chevrotain', 'grammar/chevrotain.ts'],
  'grammar/path': ['chevrotain', 'grammar/chevrotain.ts'],
  'grammar/expression': ['chevrotain', 'grammar/chevrotain.ts'],
  'grammar/units': ['chevrotain', 'grammar/chevrotain.ts'],
  [LIMITS]: [],
  'lib/model/state': ['grammar/path', 'fastest-levenshtein'],
  'lib/model/frame': ['lib/model/state'],
  'lib/model/points': [],
  'lib/model/units': ['grammar/units', 'fastest-levenshtein'],
  'lib/simulation/files': ['lib/model/state', NODE],
  'lib/simulation/checkpoint': ['lib/model/state', 'lib/simulation/files', 'grammar/checkpoint'],
  'lib/simulation/recording': ['lib/model/state', 'lib/simulation/files', NODE, '@mcap/core', '@foxglove/crc'],
  'lib/simulation/integration': ['lib/model/state'],
  'lib/simulation/fmu': [
    'lib/model/state',
    'lib/model/units',
    'lib/simulation/integration',
    NODE,
    'node:child_process',
    'node:worker_threads',
    'fflate',
    'saxes',
  ],
  'lib/simulation/executive': [
    'lib/simulation/fmu',
    'lib/simulation/integration',
    ...FRAME,
    'lib/simulation/files',
    'lib/simulation/checkpoint',
    'lib/simulation/recording',
    NODE,
  ],
  'lib/source': [
    'lib/simulation/fmu',
    'lib/model/state',
    'lib/model/frame',
    'lib/model/points',
    'lib/simulation/executive',
    'lib/simulation/recording',
    NODE,
    'node:worker_threads',
  ],
  'lib/source/bridge': ['lib/source', 'lib/simulation/executive', 'lib/model/state', 'lib/model/frame', NODE],
  'lib/source/edge': ['lib/source', 'lib/simulation/executive', 'lib/model/state', 'lib/model/frame', NODE, 'ws'],
  'lib/source/recording': [
    'lib/source',
    'lib/simulation/executive',
    'lib/simulation/recording',
    'lib/simulation/files',
    'lib/model/state',
    'lib/model/frame',
    'lib/model/points',
    NODE,
    'node:worker_threads',
    '@mcap/core',
    'fzstd',
  ],
  'lib/serving/scheduling': ['lib/serving/network', 'lib/model/state', NODE],
  'lib/serving/session': [
    'lib/source/derived',
    'lib/serving/scheduling',
    'lib/serving/network',
    ...FRAME,
    'lib/source (interface)',
    NODE,
  ],
  'lib/serving/network': [],
  'lib/serving/transport': ['lib/serving/network', 'lib/serving/scheduling', 'node:', 'ws'],
  'lib/serving/trust': [
    'lib/serving/network',
    'lib/serving/scheduling',
    'lib/serving/transport (interface)',
    NODE,
    'node:net',
  ],
  'lib/serving/history': [
    'lib/serving/scheduling',
    'lib/source/derived',
    'lib/serving/session',
    'lib/source (interface)',
    'lib/model/state',
    'lib/model/frame',
    'lib/model/points',
    'lib/model/units',
  ],
  'lib/serving/analysis': ['lib/serving/scheduling'],
  'lib/source/derived': ['grammar/expression', 'lib/source (interface)', ...FRAME],
  'lib/protocols/json-rpc': [
    'lib/serving/scheduling',
    'lib/serving/session',
    ...SAMPLES,
    'lib/source (interface)',
    ...FRAME,
    'zod',
    NODE,
  ],
  'lib/protocols/run-files': [
    ...FRONT_END,
    'lib/protocols/json-rpc',
    'lib/serving/history',
    'lib/simulation/recording',
    'lib/simulation/files',
    'lib/simulation/checkpoint',
    'zod',
  ],
  'lib/protocols/http': [...FRONT_END, 'lib/protocols/json-rpc', 'lib/serving/history', 'zod'],
  'lib/clients/browser': [],
  'lib/page': ['lib/clients/browser', 'preact', '@preact/signals', 'uplot', 'three'],
  'lib/run/page-bundle': ['esbuild', NODE],
  'lib/protocols/brp': [...FRONT_END, 'lib/protocols/json-rpc', 'lib/simulation/executive/overlay.ts', 'zod'],
  'lib/protocols/edge': [...FRONT_END, 'lib/source/edge', 'zod'],
  'lib/protocols/foxglove': [...FRONT_END, 'lib/protocols/json-rpc', 'binary-parser', 'zod'],
  'lib/protocols/mcp': [...FRONT_END, 'lib/protocols/json-rpc', '@modelcontextprotocol/server', 'zod'],
  'lib/protocols/trick-web': [
    ...FRONT_END,
    'lib/protocols/trick',
    'lib/protocols/json-rpc',
    'lib/protocols/run-files',
    'mrmime',
    'zod',
  ],
  'lib/protocols/krpc': [...FRONT_END, '@bufbuild/protobuf'],
  // A package of its own: nothing of varwire but names that are spelled nearly alike, and units.
  'lib/protocols/python': ['lib/protocols/python'],
  'lib/protocols/python/grammar': ['chevrotain', 'grammar/chevrotain.ts'],
  'lib/protocols/python/interpreter': [
    'lib/protocols/python/grammar/index.ts',
    'lib/model/state/suggest.ts',
    'lib/model/units/index.ts',
  ],
  'lib/protocols/trick/catalog': ['lib/model/state', 'lib/model/frame', 'lib/simulation/executive'],
  'lib/protocols/trick/wire': [
    'lib/serving/session',
    'lib/source (interface)',
    'lib/model/state',
    'lib/model/frame',
    'lib/model/units',
    'node:buffer',
  ],
  'lib/protocols/trick/monte-carlo': [PYTHON, 'lib/model/units'],
  'lib/protocols/trick/events': ['lib/protocols/trick/catalog', 'lib/protocols/trick/wire', PYTHON, ...FRONT_END],
  'lib/protocols/trick/session': [...LANGUAGE, ...FRONT_END],
  'lib/protocols/trick/commands': [
    'lib/protocols/trick/session',
    'lib/protocols/trick/catalog',
    ...LANGUAGE,
    'grammar/checkpoint',
    ...FRONT_END,
  ],
  'lib/protocols/trick/script': [
    'lib/protocols/trick/commands',
    'lib/protocols/trick/session',
    ...LANGUAGE,
    ...FRONT_END,
  ],
  'lib/protocols/trick/front-end': ['lib/protocols/trick', PYTHON, ...FRONT_END],
  'lib/protocols/trick/methods': ['lib/protocols/trick', PYTHON, 'lib/protocols/json-rpc', 'zod', ...FRONT_END],
  'lib/clients/trick': ['lib/model/units/usual-spellings.ts', 'node:', 'binary-parser', 'saxes'],
  'lib/run/serve': ['lib/', 'node:', 'pino'],
  'lib/bridge.ts': [
    'lib/clients/trick/index.ts',
    'lib/clients/trick/listed-values.ts',
    'lib/run/serve/overlays.ts',
    'lib/serving/transport (interface)',
    'lib/source/bridge',
    'lib/source (interface)',
  ],
  'lib/edge.ts': ['lib/serving/transport (interface)', 'lib/source/edge', 'lib/source (interface)'],
  'lib/errors.ts': [
    'lib/simulation/executive',
    'lib/model/frame',
    'lib/model/state',
    'lib/serving/scheduling',
    'lib/serving/session',
    'lib/source',
    'lib/serving/transport',
    'lib/model/units',
  ],
  'lib/index.ts': [
    'lib/simulation/fmu',
    'lib/bridge.ts',
    'lib/edge.ts',
    'lib/errors.ts',
    'lib/run/serve',
    'lib/model/state',
    'lib/model/frame',
    'lib/simulation/integration',
    'lib/simulation/executive',
    'lib/run/headless',
    'lib/simulation/recording',
    'lib/source',
    'lib/serving/scheduling',
    'lib/serving/session',
    'lib/serving/transport (interface)',
    'lib/serving/trust',
    'lib/clients/trick',
  ],
  'lib/run/headless': [
    'lib/run/serve/input-here.ts',
    'lib/source/stop-worker.ts',
    'lib/run/serve/events-here.ts',
    'lib/simulation/executive',
    'lib/simulation/integration',
    'lib/simulation/recording',
    ...FRAME,
    'lib/serving/session',
    NODE,
    'node:worker_threads',
    'hyparquet-writer',
  ],
  'lib/testing': ['lib/run/headless', 'lib/simulation/executive', 'lib/model/state'],
  'lib/testing/aids': ['lib/', 'grammar/', 'node:', 'chai', 'mocha', 'fast-check'],
  'lib/clients/cli': [
    'lib/simulation/fmu/survey.ts',
    'lib/index.ts',
    'lib/source/recording',
    'lib/simulation/recording',
    'lib/clients/trick/index.ts',
    'lib/run/serve/version.ts',
    'lib/protocols/mcp',
    '@modelcontextprotocol/server/stdio',
    'lib/run/serve/server-process.ts',
    'lib/run/serve/krpc-definitions.ts',
    'lib/run/serve/declared-scene.ts',
    'lib/serving/transport (interface)',
    'node:',
    'pino',
    'commander',
    'fastest-levenshtein',
  ],
  sims: ['varwire', NODE],
  'compat-tests': [
    'fflate',
    'koffi',
    'lib/index.ts',
    'lib/clients/trick/index.ts',
    'lib/protocols/krpc/index.ts',
    'lib/protocols/krpc/schema/messages.ts',
    'lib/clients/cli/banner.ts',
    'lib/clients/cli/dispatch.ts',
    'lib/clients/cli/run.ts',
    '@bufbuild/protobuf',
    '@mcap/core',
    'lib/model/state',
    'lib/source',
    'lib/testing',
    'sims',
    'varwire',
    'node:',
    '@foxglove/ws-protocol',
    '@modelcontextprotocol/client',
    '@modelcontextprotocol/client/stdio',
    'ws',
    'express',
    'fastify',
    'playwright-core',
    'esbuild',
    'axe-core',
    'typescript-5',
  ],
};

/** Only these files may import from every area. */
export const COMPOSITION: Readonly<Record<string, RegExp>> = {
  'lib/run/serve/server.ts': /^lib\/(index|run\/serve\/.*)\.ts$/,
  'lib/index.ts': /^(lib\/clients\/cli|sims|compat-tests)\//,
};
/** Programs that generate data for their folder. */
export const GENERATORS = /^lib\/model\/units\/(generate-table\.ts|oracle\/)/;
export const TEST_PACKAGES = ['chai', 'mocha', 'fast-check', 'binary-parser'];
/** What tests may use besides: a simulation on the test's thread, a clock, a connection. */
export const TEST_AIDS = [
  'lib/testing',
  'lib/model/state',
  'lib/simulation/executive/simulation.ts',
  'lib/run/headless',
];
