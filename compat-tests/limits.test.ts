// docs/limits.md and the bounds in the code: each stands in its row with its number.
import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';

const PROJECT = new URL('../../', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, PROJECT), 'utf8');

/** How a row begins, and which bounds it states: file, constant, and its number as the row has it. */
const ROWS: readonly (readonly [row: string, ...bounds: (readonly [file: string, name: string, said: string])[]])[] = [
  ['body, WebSocket message', ['http/front-end', 'MAX_BODY_BYTES', '1 MB']],
  ['nesting', ['json-rpc/json-text', 'MAX_DEPTH', '64 levels']],
  ['lists, objects and members', ['json-rpc/json-text', 'MAX_PARTS', '50,000']],
  ['requests of a batch', ['json-rpc/dispatcher', 'MAX_BATCH', '1,000']],
  ['aliases, values, units or dead bands', ['json-rpc/schemas', 'MOST_NAMED', '10,000']],
  ['characters of a path, of a function', ['model/catalog', 'LONGEST_PATH', '4,096']],
  ['characters of units', ['json-rpc/schemas', 'LONGEST_UNITS', '256']],
  ['characters of a pattern', ['json-rpc/glob', 'LONGEST_PATTERN', '1,000']],
  ['arguments of a function', ['json-rpc/function-methods', 'MOST_ARGUMENTS', '256']],
  [
    "characters of a checkpoint's file name",
    ['json-rpc/checkpoint-methods', 'LONGEST_FILE', '1,000'],
    ['json-rpc/checkpoint-methods', 'MOST_OBJECTS', '10,000'],
  ],
  [
    'time that `var/wait`',
    ['json-rpc/wait-method', 'DEFAULT_WAIT_MILLIS', '10 s'],
    ['json-rpc/wait-method', 'MAX_WAIT_MILLIS', '600 s'],
  ],
  [
    'addresses whose plain HTTP',
    ['session/client-sessions', 'MAX_CLIENTS', '1,000'],
    ['session/client-sessions', 'MAX_OF_NETWORK', '100'],
  ],
  ['addresses whose requests and wrong', ['trust/rate-limit', 'MAX_CLIENTS', '10,000']],
  ['variables of one `var/list`', ['json-rpc/var-catalog-methods', 'MOST_LISTED', '100,000']],
  ['bytes of an answer, those', ['json-rpc/answer-text', 'MAX_ANSWER_BYTES', '32 MB']],
  [
    'bytes of HTTP requests that wait',
    ['scheduling/waiting-bodies', 'UNCOUNTED_BYTES', '16 KB'],
    ['scheduling/waiting-bodies', 'MOST_BYTES_OF_ADDRESS', '16 MB'],
    ['scheduling/waiting-bodies', 'MOST_BYTES', '64 MB'],
  ],
  [
    'requests of a WebSocket that are not answered',
    ['json-rpc/asking-socket', 'MAX_PENDING', '1,000'],
    ['json-rpc/asking-socket', 'MAX_WORK', '32'],
    ['json-rpc/asking-socket', 'MAX_WORK_BYTES', '64 KB'],
  ],
  ['changes whose end', ['json-rpc/change-results', 'REMEMBERED', '1,000']],
  ['wrong tokens of an address', ['trust/trust', 'WRONG_TOKENS_PER_SECOND', '10 a second']],
  [
    'names compared for "did you mean"',
    ['model/suggest', 'MOST_LETTERS', '100,000'],
    ['model/suggest', 'LONGEST_NAME', '128'],
  ],
  ['rows of `var/children`', ['json-rpc/var-tree-methods', 'MOST_ROWS', '1,000']],
  ['words and characters of a search', ['model/search', 'MOST_WORDS', '8'], ['model/search', 'LONGEST_SEARCH', '200']],
  [
    'variables that a search looks at',
    ['model/search', 'MOST_VISITED', '3,000,000'],
    ['model/search', 'MOST_RANKED', '200,000'],
  ],
  ['names that a search compares', ['model/search', 'MOST_NAMES', '20,000']],
  ['patterns of `without`', ['json-rpc/path-filter', 'MOST_PATTERNS', '20']],
  [
    'aliases and points of `var/history`',
    ['json-rpc/history-method', 'MOST_ALIASES', '200'],
    ['json-rpc/history-method', 'MOST_POINTS', '10,000'],
  ],
  [
    'messages that are kept for',
    ['session/message-log', 'MOST_MESSAGES', '1,000'],
    ['session/message-log', 'LONGEST_MESSAGE', '4,000'],
  ],
  [
    'rows of `sim/clients`',
    ['json-rpc/session-methods', 'MOST_CLIENTS', '500'],
    ['run-files/checkpoint-list', 'MOST_LISTED', '1,000'],
    ['run-files/recording-methods', 'MOST_LISTED', '1,000'],
  ],
  ['a text of `trick/run`', ['trick/methods/run-methods', 'LONGEST_BLOCK', '200,000']],
  ['what a text of `trick/run`', ['trick/script/console', 'MOST_CHARACTERS', '2,000,000']],
  ['items of `trick/complete`', ['trick/methods/run-methods', 'MOST_ITEMS', '100']],
  ['values of a recording that', ['run-files/recording-methods', 'MOST_VARIABLES', '10,000']],
  ["values of a recording's past", ['run-files/recorded-past', 'MOST_PAST_VARIABLES', '200']],
  [
    'downloads of recordings',
    ['run-files/recording-file', 'MOST_DOWNLOADS', '32'],
    ['run-files/recording-file', 'PATIENCE_MILLIS', '60 s'],
  ],
  ['component values of one answer', ['brp/cells', 'MOST_CELLS', '100,000']],
  [
    'types, entities in one list',
    ['brp/schemas', 'MOST_TYPES', '500'],
    ['brp/schemas', 'MOST_ENTITIES', '10,000'],
    ['brp/schemas', 'LONGEST_NAME', '4,096'],
  ],
  ['accesses of a path', ['brp/reflect-path', 'MOST_ACCESSES', '64']],
  [
    'time that a poll waits',
    ['brp/poll', 'DEFAULT_TIMEOUT_MILLIS', '30 s'],
    ['brp/poll', 'MAX_TIMEOUT_MILLIS', '600 s'],
  ],
  [
    'names that clients give entities',
    ['brp/names', 'MOST_NAMES', '20,000'],
    ['brp/names', 'LONGEST_GIVEN_NAME', '256'],
  ],
  [
    'what JSON of more than 64 KB says',
    ['json-rpc/json-pieces', 'LONG_CHARACTERS', '64 KB'],
    ['scheduling/memory-pace', 'BYTES_A_SECOND', '48 MB'],
    ['scheduling/memory-pace', 'BYTES_AT_ONCE', '64 MB'],
    ['scheduling/memory-pace', 'OWN_BYTES_A_SECOND', '2 MB'],
    ['scheduling/memory-pace', 'OWN_BYTES_AT_ONCE', '8 MB'],
    ['scheduling/memory-pace', 'LONGEST_REST_MILLIS', '1 s'],
  ],
  ['delivery of frames in one turn', ['source/frame-delivery', 'TURN_MILLIS', '5 ms']],
  ['time for which delivery is behind', ['source/frame-delivery', 'LONGEST_BEHIND_MILLIS', '250 ms']],
  ['subscription over plain HTTP', ['session/subscription-table', 'UNREAD_MILLIS', '60 s']],
  ['how late the server does', ['scheduling/loop-lag', 'WORTH_TELLING_MILLIS', '100 ms']],
  ['connections of one address', ['transport/connection-limits', 'MOST_CONNECTIONS_BY_ADDRESS', '2000']],
  [
    'connections in all',
    ['transport/connection-limits', 'MOST_CONNECTIONS', '20,000'],
    ['transport/connection-limits', 'RESERVED_DESCRIPTORS', '256'],
  ],
  ['HTTP connections, streams', ['serve/options', 'DEFAULT_MAX_CONNECTIONS', '10,000']],
  [
    'refused connections that are listened to',
    ['transport/connection-refusal', 'MOST_HEARD', '32'],
    ['transport/connection-refusal', 'PATIENCE_MILLIS', '1 s'],
  ],
  ['first bytes that may be', ['transport/shared-port', 'UNDECIDED_MILLIS', '30 s']],
  [
    'connections of one address that have said nothing',
    ['transport/doorway', 'MOST_LISTENED_TO', '16'],
    ['transport/doorway', 'ROUND_MILLIS', '10 to'],
  ],
  ['WebSocket messages of more', ['session/registry', 'MOST_LONG_MESSAGES', '8']],
  ['WebSocket messages of more', ['session/registry', 'ONE_MORE_MILLIS', '200 ms']],
  ['requests of one HTTP connection', ['transport/http', 'MOST_UNANSWERED', '16']],
  ['requests of one HTTP connection', ['transport/http', 'MANY_UNANSWERED', '256']],
  ['what streams read in one turn', ['transport/reading-turns', 'TURN_BYTES', '256 KB']],
  ['request bodies that are not complete', ['transport/http', 'UNFINISHED_BODY_BYTES', '64 MB']],
  ['TLS handshake', ['transport/socket-server', 'HANDSHAKE_TIMEOUT_MILLIS', '10 s']],
  [
    'WebSocket that answers no ping',
    ['transport/websocket-connection', 'PING_SECONDS', '25 s'],
    ['transport/websocket-connection', 'MOST_UNANSWERED_PINGS', '2 pings'],
  ],
  ['event stream on which nothing', ['http/event-stream', 'HEARTBEAT_SECONDS', '15 s']],
  ['values of a stream handed over', ['session/outbound', 'STREAM_AHEAD_BYTES', '64 KB']],
  ['answers that have not been taken', ['session/outbound', 'DEFAULT_LIMIT_BYTES', '1 MB']],
  ['datagrams kept while', ['transport/datagram-connection', 'HELD_LIMIT_BYTES', '1 MB']],
  [
    'ports that clients open',
    ['trick/front-end/added-ports', 'MOST_BY_ADDRESS', '8'],
    ['trick/front-end/added-ports', 'MOST_ADDED', '16 in all'],
  ],
  [
    'time in which a peer may take nothing',
    ['transport/socket-connection', 'DEFAULT_LINGER_MILLIS', '5 s'],
    ['transport/http-refusal', 'DEFAULT_LINGER_MILLIS', '2 s'],
  ],
  [
    'texts and lists that the blocks of all',
    ['trick/script/flow', 'LITTLE_BYTES', '64 KB'],
    ['scheduling/memory-pace', 'BYTES_A_SECOND', '48 MB'],
    ['scheduling/memory-pace', 'BYTES_AT_ONCE', '64 MB'],
    ['scheduling/memory-pace', 'OWN_BYTES_A_SECOND', '2 MB'],
    ['scheduling/memory-pace', 'OWN_BYTES_AT_ONCE', '8 MB'],
    ['scheduling/memory-pace', 'LONGEST_REST_MILLIS', '1 s'],
  ],
  ['a block, and a line', ['trick/wire/block-splitter', 'MAX_BLOCK_BYTES', '200,000 bytes']],
  [
    'a text; a list or dictionary; an integer',
    ['trick/interpreter/operators', 'MAX_ITEMS', '100,000 items'],
    ['trick/interpreter/numbers', 'MAX_INTEGER_BITS', '4096 bits'],
  ],
  ['digits of a text', ['trick/interpreter/number-of', 'MAX_DIGITS', '1,000']],
  [
    'variables of a list |',
    ['trick/session/trick-session', 'LONGEST_LIST', '20,000'],
    ['trick/session/trick-session', 'LARGEST_MESSAGE_BYTES', '4 MiB'],
  ],
  ['bytes of a value that are kept', ['trick/wire/last-bytes', 'MOST_COPIED_BYTES', '4,096']],
  ['characters of units that a list asks for', ['trick/wire/reference', 'LONGEST_UNITS', '256']],
  ['characters of a value in a list', ['trick/wire/value-text', 'LONGEST_VALUE_CHARACTERS', '8,190']],
  ['a file of `send_file`', ['files/send-directory', 'LARGEST_BYTES', '30 MB']],
  ['cycle of a list', ['scheduling/timetable', 'SHORTEST_MILLIS', '1 ms']],
  [
    'values within each other',
    ['trick/interpreter/text', 'DEEPEST', '100 deep'],
    ['trick/interpreter/own-copy', 'DEEPEST', '50 deep'],
  ],
  [
    'messages of a list of more than',
    ['trick/session/long-lists', 'LONG_LIST', '1,000'],
    ['trick/session/long-lists', 'LONG_LIST_BYTES', '256 KB'],
  ],
  ['an input file', ['files/input-file', 'LARGEST_BYTES', '16 MB']],
  ['requests of a session that the', ['trick/script/flow', 'MOST_REQUESTS', '256']],
  [
    'the same, of all together, and of a checkpoint',
    ['model/allocations', 'MOST_VARIABLES', '2,000'],
    ['model/allocations', 'MOST_VARIABLE_BYTES', '64 MB'],
  ],
  [
    'characters and extents of a declaration',
    ['model/named-type', 'LONGEST_DECLARATION', '1,000'],
    ['model/named-type', 'MOST_EXTENTS', '8'],
  ],
  [
    'log lines of a session',
    ['trick/session/session-log', 'MOST_LINES', '200'],
    ['trick/session/session-log', 'LONGEST_LINE', '2,000'],
  ],
  ['events, deleted ones', ['trick/events/event-table', 'MOST_OF_ONE', '250']],
  [
    'conditions and actions of events',
    ['trick/events/event-table', 'MOST_ITEMS_OF_ONE', '500'],
    ['trick/events/event-table', 'MOST_ITEMS', '2,000'],
  ],
  ['texts of conditions', ['model/event-description', 'LONGEST_EVENT_TEXT', '10,000']],
  ['sessions in which events', ['trick/script/scripts', 'MOST_IDLE', '64']],
  [
    'time for a handshake',
    ['krpc/client/handshake', 'PATIENCE_SECONDS', '3 s'],
    ['krpc/client/handshake', 'MOST_BYTES', '4 KB'],
  ],
  ['a request |', ['krpc/client/rpc-client', 'MOST_REQUEST_BYTES', '1 MB']],
  ['requests of more than 64 KB', ['krpc/client/unfinished-requests', 'MOST_BYTES', '64 MB']],
  [
    'calls of a request',
    ['krpc/client/answer', 'MOST_CALLS', '1,000'],
    ['krpc/values/decode', 'MOST_ARGUMENTS', '1,000'],
    ['krpc/values/decode', 'DEEPEST', '16'],
    ['krpc/values/decode', 'MOST_ITEMS', '10,000'],
  ],
  ['fields of an argument', ['krpc/values/decode', 'MOST_FIELDS', '16; 16']],
  ['procedures that the streams', ['krpc/client/questions', 'MOST_QUESTIONS', '100']],
  [
    'variables and values of streams',
    ['krpc/client/frame-sources', 'SOURCE_BYTES', '512'],
    ['krpc/client/frame-sources', 'VARIABLE_BYTES', '256'],
  ],
  ['bytes of an answer |', ['krpc/client/answer', 'MOST_ANSWER_BYTES', '2 MB']],
  [
    'values that a call or a stream',
    ['krpc/client/answer', 'MOST_VALUES', '10,000'],
    ['krpc/client/streams', 'MOST_STREAM_VALUES', '10,000'],
  ],
  ['bytes of the variables that one `var/set`', ['session/written-bytes', 'MOST_WRITTEN_BYTES', '8 MB']],
  ['values of a subscription with `changes_only`', ['session/change-gate', 'MOST_COMPARED', '5,000']],
  [
    'binary messages of more than',
    ['http/binary-message', 'MOST_AT_ONCE_BYTES', '512 KB'],
    ['http/binary-message', 'MOST_ONE_BY_ONE', '5,000'],
  ],
  [
    'pointers that a read follows',
    ['model/reach', 'MOST_POINTERS', '10,000'],
    ['model/reach', 'BYTES_OF_POINTER', '16 KB'],
  ],
  ['names of `GetMany`', ['krpc/simulation/generic-service', 'MOST_AT_ONCE', '2,000']],
  ['streams and events of a client', ['krpc/client/streams', 'MOST_STREAMS', '2,000']],
  [
    'values and steps of expressions',
    ['krpc/client/streams', 'MOST_FRAME_COST', '50,000'],
    ['krpc/client/streams', 'MOST_UPDATE_BYTES', '512 KB'],
  ],
  [
    'nodes of an expression',
    ['krpc/expression/node', 'MOST_NODES', '10,000'],
    ['krpc/expression/node', 'DEEPEST', '64'],
    ['krpc/expression/node', 'MOST_STEPS', '20,000'],
  ],
  ['procedures of the simulation', ['krpc/simulation/simulation-service', 'MOST_PROCEDURES', '10,000']],
  ['time for requests before', ['executive/request-queue', 'SLICE_MILLIS', '2 ms']],
  ['checkpoints that one client', ['session/session', 'MOST_FILES', '8']],
  [
    'a checkpoint that is loaded',
    ['files/run-directory', 'LARGEST_FILE_BYTES', '256 MB'],
    ['checkpoint/reader', 'LARGEST_ALLOCATION_BYTES', '64 MB'],
    ['checkpoint/reader', 'LARGEST_STATE_BYTES', '1 GB'],
  ],
  ['times that a checkpoint is read', ['executive/request-queue', 'MOST_TRIES', '5']],
  [
    'components of an object',
    ['executive/spawning', 'MOST_COMPONENTS', '1,000'],
    ['executive/spawning', 'LONGEST_NAME', '255'],
  ],
  ['time that the simulation waits', ['executive/holds', 'LONGEST_HOLD_MILLIS', '10 s']],
  [
    'checkpoints of all clients',
    ['source/desk-thread', 'MOST_WAITING', '24'],
    ['source/desk-thread', 'MOST_WAITING_BYTES', '256 MB'],
  ],
  [
    'exact copies',
    ['executive/copy-times', 'MOST_COPIES_A_SECOND', '10,000'],
    ['executive/copy-times', 'MOST_PERIODS', '64 cycles'],
  ],
  ['what clients may have written', ['files/disk-quota', 'DEFAULT_DISK_QUOTA_BYTES', '10 GB']],
  [
    'a log of job times',
    ['recording/frame-log', 'USUAL_SAMPLES', '100,000'],
    ['recording/frame-log', 'MOST_SAMPLES', '1,000,000'],
  ],
  ['a turn of the simulation', ['source/watchdog', 'DEFAULT_STUCK_AFTER_MILLIS', '5 s']],
  [
    'jobs whose times are shown',
    ['executive/vitals', 'MOST_NAMES', '256'],
    ['executive/job-variables', 'MOST_JOBS', '64'],
  ],
  ['lateness of the server', ['http/health', 'WORST_LAG_MILLIS', '1 s']],
  [
    'memory of earlier copies of frames',
    ['session/frame-copies', 'MOST_SPARE_BYTES', '32 MB'],
    ['session/frame-copies', 'SPARE_MILLIS', '5 s'],
  ],
];

/** Exported constants that are no bounds of clients, and why. Those of the page bound what one browser shows. */
const INNER: Readonly<Record<string, string>> = {
  'frame/ring MOST_SLOTS': 'frames that the ring has room for; the rows under Delivery say what clients get of them',
  'krpc/schema/varint LONGEST_LENGTH_BYTES': "kRPC's framing has no longer lengths",
  'transport/datagram-connection MAX_DATAGRAM_BYTES': 'UDP has no longer datagrams',
  'trick/wire/messages LONGEST_WRITE_BYTES': "Trick's wire has no longer writes",
};
const OF_THE_PAGE = 'page/';

/** Options of `varwire run` that bound nothing. */
const NO_BOUNDS =
  'host no-discovery token-file trick cert host-name cors cycle layout panel send-dir input run-dir brp-generation log verbose';

const UNITS: Readonly<Record<string, readonly number[]>> = {
  KB: [1000, 1024],
  MB: [1e6, 2 ** 20],
  MiB: [2 ** 20],
  GB: [1e9, 2 ** 30],
};

/** The numbers that a text such as `64 MB` may mean. */
function numbersIn(said: string): number[] {
  const [, digits = '', unit = ''] = /^([\d,]+) ?(\w*)/.exec(said) ?? [];
  const number = Number(digits.replaceAll(',', ''));
  return (UNITS[unit] ?? [1]).map((factor) => number * factor);
}

/** The number of a constant, without its unit. */
function boundIn(file: string, name: string, said: string): number {
  const [, text = ''] = new RegExp(`const ${name}(?:: [^=]+)? = ([^;]+);`).exec(read(`lib/${file}.ts`)) ?? [];
  const factors = text.split(/(?<!\*)\*(?!\*)/).map((factor) => {
    const [base = '', power = '1'] = factor.split('**');
    return Number(base.trim().replaceAll('_', '')) ** Number(power);
  });
  const value = factors.reduce((product, factor) => product * factor, 1);
  return name.endsWith('MILLIS') && / s$/.test(said) ? value / 1000 : value;
}

describe('docs/limits.md', () => {
  const rows = read('docs/limits.md').split('\n');

  for (const [start, ...bounds] of ROWS)
    it(`has the bounds of the code: ${start}`, () => {
      const found = rows.filter((row) => row.startsWith(`| ${start}`));
      expect(found, start).to.not.have.length(0);
      for (const [file, name, said] of bounds) {
        expect(
          found.some((row) => row.includes(said)),
          `${said} in ${found[0]}`,
        ).to.equal(true);
        expect(numbersIn(said), `${name} of ${file}`).to.include(boundIn(file, name, said));
      }
    });

  it('has a row for each exported bound of the code', () => {
    const listed = new Set(ROWS.flatMap(([, ...bounds]) => bounds.map(([file, name]) => `${file} ${name}`)));
    const unlisted = exportedBounds().filter((bound) => !bound.startsWith(OF_THE_PAGE) && !listed.has(bound));
    expect(unlisted.sort()).to.deep.equal(Object.keys(INNER).sort());
  });

  it('names each option that bounds something', () => {
    const options = [...read('lib/cli/run.ts').matchAll(/^ {2}--([a-z-]+) /gm)].map(([, option]) => option);
    const named = new Set([...read('docs/limits.md').matchAll(/`--([a-z-]+)/g)].map(([, option]) => option));
    expect(options.filter((option) => !named.has(option))).to.deep.equal(NO_BOUNDS.split(' '));
  });
});

/** File and name of each exported constant whose name says that it is a bound. */
function exportedBounds(): string[] {
  const lib = new URL('lib/', PROJECT);
  const files = readdirSync(lib, { recursive: true, encoding: 'utf8' }).filter((name) => /(?<!\.test)\.ts$/.test(name));
  return files.flatMap((name) => {
    const found = read(`lib/${name}`).matchAll(/^export const ((?:MAX|MOST|LONGEST|LARGEST|DEEPEST)_?\w*)/gm);
    return [...found].map(([, constant]) => `${name.slice(0, -3)} ${constant}`);
  });
}
