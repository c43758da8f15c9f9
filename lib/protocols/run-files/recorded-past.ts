// A recording that begins with the past: it starts at once; rows of the server's history are written before its own.
import { z } from 'zod';
import type { History } from '../../serving/history/history.js';
import { findVariable, Reference } from '../../serving/session/reference.js';
import { type Past, type PastPoints, type PastRow, pastRows } from '../../simulation/recording/past.js';
import type { Source } from '../../source/source.js';
import type { CallContext } from '../json-rpc/call-context.js';
import { RpcCode, RpcError } from '../json-rpc/rpc-error.js';

export const MOST_PAST_VARIABLES = 200;
/** Values of all variables together, and of one: their text is some megabytes at most. */
const [MOST_VALUES, MOST_VALUES_EACH] = [100_000, 10_000];
/** Values of rows that are written between two turns, some microseconds each. */
const VALUES_AT_ONCE = 256;

export const pastResult = z
  .object({
    rows: z.int().describe('Rows of the past in the file'),
    from_sec: z.number().nullable().describe('Simulation time of the first of them; null when there is none'),
    about: z.string().describe('In one sentence, how much of the past there was'),
  })
  .describe('With past_sec');
type PastResult = z.output<typeof pastResult>;

const NOTHING: PastPoints = { times: [], values: [] };
const NO_PAST: Past = { start: new Uint8Array(), rows: new Uint8Array() };

interface Wish {
  readonly name: string;
  readonly seconds: number;
  readonly options: {
    readonly format: 'ascii' | 'binary';
    readonly cycleSeconds: number;
    readonly when: 'always' | 'change';
    readonly variables: readonly string[];
  };
}

/** Throws an RpcError when no past can be written for so many variables. */
export function requirePast({ history }: CallContext, variables: readonly string[]): History {
  if (!history) throw new RpcError(RpcCode.requestRefused, 'recording/start: this server keeps no history');
  if (variables.length > MOST_PAST_VARIABLES)
    throw new RpcError(
      RpcCode.tooMany,
      `recording/start: with past_sec a recording has at most ${MOST_PAST_VARIABLES} single values`,
    );
  return history;
}

/**
 * Rejects when the recording is refused, or cannot be written. A recording that has started continues, also without its past.
 */
export async function beginWithPast(
  context: CallContext,
  history: History,
  wish: Wish,
): Promise<{ frame: number; past: PastResult }> {
  const { session, source } = context;
  const { name: group, options } = wish;
  const control = { action: 'add with past', group, options } as const;
  const { frame, value } = await session.submit({ kind: 'record', control });
  const before = Number(Array.isArray(value) ? value[0] : undefined);
  const made = await pastOf(source, history, { ...wish, before }, context.turn).catch((error: Error) => ({
    past: NO_PAST,
    result: { rows: 0, from_sec: null, about: error.message },
  }));
  // Sent without the session: its client may have gone, and the recording still waits.
  const begin = { action: 'begin', group, past: made.past } as const;
  await source.submit({ kind: 'record', control: begin });
  return { frame, past: made.result };
}

/** What a history has of the variables, and since when all samples of it are kept. */
interface KeptPast {
  readonly points: readonly PastPoints[];
  /**
   * Since when all samples are kept, by the history's clock; Infinity when there are more samples than are asked for.
   */
  readonly wholeSince: number;
}

async function found(
  source: Source,
  history: History,
  { options, seconds }: Wish,
  turn: () => Promise<void>,
): Promise<KeptPast> {
  await turn();
  const from = source.frame.header.clockSeconds - seconds;
  const most = Math.min(MOST_VALUES_EACH, Math.floor(MOST_VALUES / options.variables.length));
  const points: PastPoints[] = [];
  let wholeSince = Number.NEGATIVE_INFINITY;
  for (const path of options.variables) {
    // A variable's points take up to a millisecond.
    await turn();
    const reference = new Reference(source, path);
    history.ask(reference);
    const kept = await history.points(reference.path, from, Number.POSITIVE_INFINITY, most);
    const whole = history.extent(reference.path)?.wholeFrom ?? from;
    if (kept && kept.stretchSeconds > 0)
      wholeSince = Math.max(wholeSince, whole > from ? whole : Number.POSITIVE_INFINITY);
    // A single point is the one that this request has made.
    points.push(kept && kept.times.length > 1 ? kept : NOTHING);
  }
  return { points, wholeSince };
}

async function pastOf(
  source: Source,
  history: History,
  wish: Wish & { readonly before: number },
  turn: () => Promise<void>,
): Promise<{ past: Past; result: PastResult }> {
  const { points, wholeSince } = await found(source, history, wish, turn);
  const { options, before } = wish;
  const { header, timeSeconds } = source.frame;
  const offset = header.clockSeconds - timeSeconds;
  const timeOf = (clock: number): number => Math.round((clock - offset) * header.ticsPerSecond) / header.ticsPerSecond;
  const recordables = options.variables.map((path) => ({ variable: findVariable(source, path), name: path }));
  const made = pastRows(recordables, points, { ...options, before, timeOf });
  const rows: PastRow[] = [];
  const rowsAtOnce = Math.ceil(VALUES_AT_ONCE / points.length);
  let next = made.next();
  for (let count = 1; !next.done; count++, next = made.next()) {
    if (next.value) rows.push(next.value);
    if (count % rowsAtOnce === 0) await turn();
  }
  const past = { start: next.value, rows: Buffer.concat(rows.map(({ bytes }) => bytes)) };
  const from = rows[0]?.seconds ?? null;
  return {
    past,
    result: { rows: rows.length, from_sec: from, about: sentenceOf(rows.length, from, timeOf(wholeSince)) },
  };
}

function sentenceOf(rows: number, from: number | null, wholeSince: number): string {
  if (rows === 0 || from === null)
    return 'the server remembers nothing of these variables before the recording: it keeps what is plotted';
  if (wholeSince === Number.POSITIVE_INFINITY)
    return `${rows} rows since ${from} s, of the least and the greatest values, because there were more than are written`;
  if (wholeSince > from)
    return `${rows} rows since ${from} s; before ${wholeSince} s only the least and the greatest values of each stretch are kept`;
  return `${rows} rows since ${from} s`;
}
