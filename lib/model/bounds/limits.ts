// The limits that a client can meet; docs/limits.md shows this table. A bound that belongs to one encoder, grammar or message
// stands in its own file.

const MIB = 2 ** 20;

/** The most of one client, of the clients of one address together, and of all; bytes and milliseconds where it says so. */
interface Most {
  readonly each?: number;
  readonly ofAddress?: number;
  readonly all?: number;
  readonly unit?: 'bytes' | 'milliseconds';
}

export interface Limit extends Most {
  /** What is bounded; of what clients hold, as the refusal says it. */
  readonly what: string;
  readonly atIt: string;
  /** The sample in /metrics that shows how much is taken, or how often the limit was met; undefined for what is told at once. */
  readonly metric: string | undefined;
  /** Of `varwire run`, or of a simulation. */
  readonly option: string | undefined;
}

const limit = <M extends Most>(what: string, most: M, atIt: string, metric?: string, option?: string): Limit & M => ({
  what,
  ...most,
  atIt,
  metric,
  option,
});

const held = (what: string): string => `varwire_held{what="${what}"}`;
const refused = (what: string): string => `varwire_refused_total{what="${what}"}`;
const heldBack = (bound: string): string => `varwire_held_back_total{bound="${bound}"}`;
const errors = (code: string): string => `varwire_errors_total{code="${code}"}`;

const CALL = 'refused, -23418';
const SENTENCE = 'refused';
const LINE = 'left out, logged';
const NO_START = 'the command ends, and says so';

/** What clients hold while they are there. The operator gives all; docs/limits.md says what of it one client may have. */
const HELD = {
  subscriptions: limit(
    'subscriptions',
    { each: 5_000, all: 10_000 },
    `${CALL}; an event stream: 429`,
    held('subscriptions'),
    '--max-subscriptions',
  ),
  parked: limit('waits that are not over', { each: 1_000, all: 10_000 }, CALL, held('parked')),
  keptBytes: limit(
    'bytes of names, lists, events, streams and requests',
    { each: 16 * MIB, all: 256 * MIB, unit: 'bytes' },
    SENTENCE,
    held('keptBytes'),
    '--client-memory',
  ),
  unreadBytes: limit(
    'bytes of answers that it has not read',
    { each: 32 * MIB, all: 256 * MIB, unit: 'bytes' },
    `${CALL}; long messages of streams wait`,
    held('unreadBytes'),
    '--client-memory',
  ),
  valuesPerSecond: limit(
    'values a second',
    { each: 20_000_000, all: 40_000_000 },
    `${CALL}; Trick: ${LINE}`,
    held('valuesPerSecond'),
    '--max-values',
  ),
  historySeries: limit(
    'variables whose past is kept',
    { each: 400, all: 800 },
    CALL,
    held('historySeries'),
    '--history',
  ),
  aheadBytes: limit(
    'bytes of text ahead of a block that runs',
    { each: 0.5 * MIB, all: 64 * MIB, unit: 'bytes' },
    'read no further',
    held('aheadBytes'),
  ),
  blockBytes: limit(
    'bytes of texts and lists in blocks that run',
    { each: 64 * MIB, all: 512 * MIB, unit: 'bytes' },
    'the block ends',
    held('blockBytes'),
  ),
  waitingRequestBytes: limit(
    'bytes of long HTTP requests without an answer',
    { each: 16 * MIB, all: 64 * MIB, unit: 'bytes' },
    '429',
    held('waitingRequestBytes'),
  ),
  changes: limit('changes that the simulation has not answered', { each: 10_000, all: 40_000 }, CALL, held('changes')),
  largeReads: limit('large reads that are not over', { each: 64, all: 1_024 }, CALL, held('largeReads')),
};

/** What stays when its client has gone, and counts for its address. */
const STAYING = {
  objects: limit('objects', { all: 100_000 }, SENTENCE, held('objects'), 'mostObjects'),
  objectBytes: limit(
    'bytes of the state',
    { all: 256 * MIB, unit: 'bytes' },
    SENTENCE,
    held('objectBytes'),
    'mostStateBytes',
  ),
  entityNames: limit('names of entities', { all: 20_000 }, 'refused, -23402', held('entityNames')),
  declaredVariables: limit('declared variables', { all: 2_000 }, LINE, held('declaredVariables')),
  recordings: limit('recordings', { all: 100 }, SENTENCE, held('recordings')),
  diskBytes: limit('bytes of files', { all: 10e9, unit: 'bytes' }, SENTENCE, held('diskBytes'), '--disk-quota'),
  waitingCheckpoints: limit('checkpoints that wait', { all: 24 }, SENTENCE, held('waitingCheckpoints')),
};

const CONNECTIONS = {
  connections: limit(
    'connections',
    { ofAddress: 2_000, all: 20_000 },
    'an idle one gives way; else refused',
    heldBack('connections_by_address'),
    '--max-connections-per-address',
  ),
  httpConnections: limit('HTTP connections', { all: 10_000 }, '503', heldBack('connections'), '--max-connections'),
  requestBodies: limit(
    'bodies that have not come whole',
    { all: 64 * MIB, unit: 'bytes' },
    '503, of the address with most',
    heldBack('request_bodies'),
  ),
  unfinishedMessages: limit(
    'long messages that have not come whole',
    { all: 64 * MIB, unit: 'bytes' },
    'closed, of the address with most',
    heldBack('unfinished_messages'),
  ),
  requestsAhead: limit(
    'HTTP requests ahead of their answers',
    { each: 16 },
    'read no further; closed after 10 s',
    heldBack('far_ahead'),
  ),
  untakenMillis: limit(
    'time in which 512 KB of answers stay untaken',
    { each: 10_000, unit: 'milliseconds' },
    'closed, logged',
    heldBack('unread'),
  ),
  downloads: limit('downloads of files', { all: 32 }, '503', held('downloads')),
  openedPorts: limit('ports that clients open', { ofAddress: 8, all: 16 }, SENTENCE, held('openedPorts')),
};

const REQUESTS = {
  messageBytes: limit(
    'a JSON message',
    { each: 1_000_000, unit: 'bytes' },
    '413; a WebSocket: closed, 1009',
    heldBack('message_bytes'),
  ),
  answerBytes: limit('a JSON answer', { each: 32 * MIB, unit: 'bytes' }, CALL, errors('-23418')),
  pointers: limit('pointers that a read follows', { each: 4_000 }, `${CALL}, or RuntimeError`, errors('-23418')),
  blockSize: limit('a block of Trick text', { each: 200_000, unit: 'bytes' }, LINE, errors('warning')),
  listedVariables: limit("variables of a Trick session's list", { each: 20_000 }, LINE, errors('warning')),
  catalogChanges: limit(
    'objects and variables made and removed at once; a tenth more each second',
    { each: 10_000 },
    SENTENCE,
    refused('catalogChanges'),
  ),
  seeks: limit(
    'times of a recording gone to at once; half as many more each second',
    { each: 200 },
    SENTENCE,
    refused('seeks'),
  ),
  loggedBytes: limit(
    'log lines that clients cause, a second',
    { ofAddress: MIB / 8, all: MIB / 2, unit: 'bytes' },
    'left out, with their number',
    refused('loggedBytes'),
  ),
  calls: limit(
    'JSON calls a second',
    {},
    '429; in a batch -23418',
    'varwire_http_refusals_total{status="429"}',
    '--rate',
  ),
  stuckMillis: limit(
    'one run of a job',
    { all: 5_000, unit: 'milliseconds' },
    '`/healthz` is 503, requests end',
    'varwire_healthy',
    '--stuck-after',
  ),
};

/** Of what is shown beyond the machine of the simulation. */
const EDGES = {
  sideBySide: limit(
    'simulations that an edge shows side by side',
    { all: 100 },
    `${NO_START}; what comes later is not shown, logged`,
  ),
  numbersBeside: limit('numbers of each of them', { all: 20_000 }, NO_START),
  usersByNats: limit('users who ask by NATS', { all: 100 }, 'who was silent for longest gives way'),
  playedNumbers: limit('numbers of a run that NATS has kept, played', { all: 100_000 }, NO_START),
  playedBytes: limit('bytes of it', { all: 4 * 2 ** 30, unit: 'bytes' }, NO_START),
};

export const LIMITS = { ...HELD, ...STAYING, ...CONNECTIONS, ...REQUESTS, ...EDGES };

/** What a client may hold. Each amount is counted from when it is taken until it is given back. */
export type Holding = keyof typeof HELD;
export const HOLDINGS = Object.keys(HELD) as readonly Holding[];
