// var/get and var/set: values of the latest frame, and values for the next one.

import { z } from 'zod';
import type { Memory } from '../../model/state/memory.js';
import type { Read } from '../../serving/session/read.js';
import { findBeside, type Reference } from '../../serving/session/reference.js';
import { bytesWritten, MOST_WRITTEN_BYTES } from '../../serving/session/written-bytes.js';
import type { Answer, Source, Write } from '../../source/source.js';
import { AnswerText, MAX_ANSWER_BYTES } from './answer-text.js';
import { type CallContext, settledFrame } from './call-context.js';
import { submitCounted } from './counted-changes.js';
import type { JsonValue } from './json-value.js';
import { isLong, readyList, readyValue } from './long-lists.js';
import { defineMethod, type Method } from './method.js';
import { readOnce } from './reading.js';
import {
  checkUnitAliases,
  createFound,
  type FoundReferences,
  type RequestedUnits,
  type RequestedVariables,
  unitsFor,
} from './requested-units.js';
import { RpcCode, RpcError } from './rpc-error.js';
import {
  alias,
  aliases,
  frameNumber,
  jsonValue,
  lenient,
  missing,
  simTime,
  units,
  values,
  valuesByAlias,
} from './schemas.js';
import { simTimeOf } from './sim-time.js';
import { TakenValues } from './taken-values.js';

const get = defineMethod({
  name: 'var/get',
  about:
    'Values of the latest frame, all of the same tick. What this client has set before is in them. With `since`, no values when no later frame has come.',
  params: z.strictObject({
    aliases,
    units,
    lenient,
    since: z.int().min(0).optional().describe('Number of a frame that the client has seen'),
  }),
  result: z.object({
    frame: frameNumber,
    sim_time: simTime,
    values,
    missing,
    unchanged: z.literal(true).optional().describe('With since: no later frame has come'),
  }),
  examples: [
    {
      name: 'two arrays',
      params: { aliases: ['ball.position', 'ball.velocity'] },
      result: {
        frame: 124,
        sim_time: { sec_si: 1.23, label: 'sim_elapsed' },
        values: { 'ball.position': [0, 9.1], 'ball.velocity': [0, -3.2] },
      },
    },
    {
      name: 'an element in other units',
      params: { aliases: ['ball.position[1]'], units: 'cm' },
      result: { frame: 124, sim_time: { sec_si: 1.23, label: 'sim_elapsed' }, values: { 'ball.position[1]': 910 } },
    },
    {
      name: 'what exists of two',
      params: { aliases: ['ball.position', 'ball.positon'], lenient: true },
      result: {
        frame: 124,
        sim_time: { sec_si: 1.23, label: 'sim_elapsed' },
        values: { 'ball.position': [0, 9.1] },
        missing: { 'ball.positon': 'ball has no member positon; did you mean ball.position?' },
      },
    },
  ],
  run: async (context: CallContext, params) => {
    const { source } = context;
    const frame = await settledFrame(context);
    if (params.since !== undefined && frame.header.number <= params.since) {
      const { number } = frame.header;
      return { frame: number, sim_time: simTimeOf(source, frame), values: {}, unchanged: true as const };
    }
    const found = await distinct(source, params, context.turn);
    return readOnce(context, found.references, (_, read) => valuesText(context, found, read));
  },
});

/** What is read: a variable that is named in several spellings is copied and written once. */
interface Distinct extends FoundReferences {
  readonly unique: readonly Reference[];
  /** Where among them the variable of each reference is. */
  readonly indexes: readonly number[];
}

async function distinct(source: Source, asked: RequestedVariables, turn: () => Promise<void>): Promise<Distinct> {
  const found = await createFound(source, asked, turn);
  const unique: Reference[] = [];
  const indexes: number[] = [];
  const indexOf = new Map<string, number>();
  for (const reference of found.references) {
    const { valueKey } = reference;
    const index = indexOf.get(valueKey) ?? unique.push(reference) - 1;
    indexOf.set(valueKey, index);
    if (indexes.push(index) % REFERENCES_AT_ONCE === 0) await turn();
  }
  return { ...found, unique, indexes };
}

const REFERENCES_AT_ONCE = 256;

/** A long text takes some microseconds. */
const VALUES_AT_ONCE = 64;

/** The result of var/get; undefined when the latest frame no longer carries all of it. */
async function valuesText(context: CallContext, found: Distinct, read: Read): Promise<AnswerText | undefined> {
  const { references, unique, missing } = found;
  const { source, account, copies, turn } = context;
  await turn();
  if (!read.ask(references)) return undefined;
  const { number } = source.frame.header;
  let values = new TakenValues(unique, source.frame);
  const { sizeBytes } = values;
  account.take('keptBytes', sizeBytes);
  let memory: Memory | undefined;
  try {
    memory = await copies.takeTouched(sizeBytes, turn);
    if (source.frame.header.number !== number) {
      if (!read.ask(references)) return undefined;
      values = new TakenValues(unique, source.frame);
      // What a pointer leads to has another size now.
      if (values.sizeBytes !== sizeBytes) return undefined;
    }
    values.take(memory);
    const { frame } = source;
    const text = new AnswerText(MAX_ANSWER_BYTES);
    text.add(`{"frame":${frame.header.number},"sim_time":${JSON.stringify(simTimeOf(source, frame))},"values":{`);
    await addValues(text, found, values, turn);
    text.add(Object.keys(missing).length === 0 ? '}}' : `},"missing":${JSON.stringify(missing)}}`);
    return text;
  } finally {
    account.give('keptBytes', sizeBytes);
    if (memory) copies.giveBack(memory);
  }
}

async function addValues(
  text: AnswerText,
  { references, indexes }: Distinct,
  values: TakenValues,
  turn: () => Promise<void>,
): Promise<void> {
  const known = new Map<number, AnswerText>();
  for (const [count, { alias }] of references.entries()) {
    const index = indexes[count] as number;
    const label = `${count > 0 ? ',' : ''}${JSON.stringify(alias)}:`;
    if (count % VALUES_AT_ONCE === 0) await turn();
    if (values.isSingle(index)) {
      text.add(label + values.singleTextOf(index));
    } else {
      const own = known.get(index) ?? new AnswerText(MAX_ANSWER_BYTES);
      if (!known.has(index)) for (const _ of values.addText(own, index)) await turn();
      known.set(index, own);
      text.add(label);
      text.append(own);
    }
  }
}

const set = defineMethod({
  name: 'var/set',
  about:
    'Sets one variable, or several in one tick: all of them or, when one does not fit, none. Answers at once with a sequence number, or, with wait, with the first frame that shows the change. Whole arrays take a list of all their elements. Enumerations take a label or a number.',
  params: z.strictObject({
    alias: alias.optional(),
    value: jsonValue.optional(),
    values: valuesByAlias.optional().describe('Values by alias, instead of alias and value'),
    units,
    wait: z.boolean().optional().describe('Answer when a frame shows it'),
  }),
  result: z.object({
    sequence: z.int().describe('Counts the changes asked for on this server'),
    frame: z.int().optional().describe('With wait: number of the first frame that shows it'),
    sim_time: simTime.optional(),
  }),
  isChange: true,
  examples: [
    { name: 'one element', params: { alias: 'ball.velocity[1]', value: 5 }, result: { sequence: 1 } },
    {
      name: 'two at once, seen',
      params: { values: { 'ball.position': [0, 10], 'ball.velocity': [0, 0] }, wait: true },
      result: { sequence: 1, frame: 125, sim_time: { sec_si: 1.23, label: 'sim_elapsed' } },
    },
  ],
  async run(context: CallContext, params) {
    const given = givenValues(params);
    const paths = Object.keys(given);
    if (paths.length === 0) throw new RpcError(RpcCode.invalidParams, 'var/set: values holds no value');
    if (typeof params.units === 'object') checkUnitAliases(new Set(paths), params.units);
    const writes = await prepareAll(context, paths, given, params.units);
    await context.turn();
    const answer = submitCounted(context.session, writes);
    const sequence = context.changes.nextSequence();
    if (params.wait) return seen(context, sequence, answer);
    context.changes.follow(context.session, sequence, answer, (error) => context.onRefused(sequence, error));
    return { sequence };
  },
});

async function seen({ source }: CallContext, sequence: number, answer: Promise<Answer>) {
  const { frame } = await answer;
  return { sequence, frame, sim_time: simTimeOf(source, source.past(frame) ?? source.frame) };
}

interface SetParams {
  readonly alias?: string | undefined;
  readonly value?: unknown;
  readonly values?: Readonly<Record<string, unknown>> | undefined;
}

function givenValues(params: SetParams): Readonly<Record<string, JsonValue>> {
  const hasOne = params.alias !== undefined && params.value !== undefined;
  const isEither = hasOne !== (params.values !== undefined);
  const hasStray = !hasOne && (params.alias !== undefined || params.value !== undefined);
  if (!isEither || hasStray) {
    throw new RpcError(RpcCode.invalidParams, 'var/set needs either alias and value, or values');
  }
  return (params.values ?? { [params.alias as string]: params.value }) as Readonly<Record<string, JsonValue>>;
}

async function prepareAll(
  context: CallContext,
  paths: readonly string[],
  given: Readonly<Record<string, JsonValue>>,
  units: RequestedUnits,
): Promise<Write[]> {
  const writes: Write[] = [];
  let bytes = 0;
  for (const path of paths) {
    if (writes.length % WRITES_AT_ONCE === 0) await context.turn();
    const write = await prepare(context, path, given[path] as JsonValue, units);
    writes.push(write);
    const ofOne = bytesWritten(context.source.catalog, write);
    bytes += ofOne;
    if (bytes > MOST_WRITTEN_BYTES) throw TOO_MUCH;
  }
  return writes;
}

/** Made once, because a batch may meet it often. */
const TOO_MUCH = new RpcError(
  RpcCode.tooMany,
  `var/set: the variables of one call may have ${MOST_WRITTEN_BYTES} bytes together, set them, or parts of them, in several calls`,
);

/** A path in an unusual spelling takes some microseconds to parse. */
const WRITES_AT_ONCE = 64;

async function prepare(
  { source, session, turn }: CallContext,
  path: string,
  json: JsonValue,
  requested: RequestedUnits,
): Promise<Write> {
  const variable = findBeside(source, path);
  session.requireWritable();
  // The simulation checks the value again when its objects have changed meanwhile.
  const { version } = source.catalog;
  const units = unitsFor(requested, path);
  const value = isLong(json) ? await readyList(variable, json, units, turn) : readyValue(variable, json, units);
  return { path: variable.path, value, catalogVersion: version };
}

const setResult = defineMethod({
  name: 'var/set-result',
  about:
    'What became of a var/set that was answered at once, by its sequence number: of the latest 1000 of this client. Over a WebSocket a refusal is also told, by the notification `var/refused`.',
  params: z.strictObject({ sequence: z.int().min(1).describe('What var/set answered') }),
  result: z.object({
    state: z.enum(['waiting', 'done', 'refused']),
    frame: z.int().optional().describe('When done: number of the first frame that shows it'),
    reason: z.string().optional().describe('When refused'),
  }),
  examples: [{ name: 'seen', params: { sequence: 1 }, result: { state: 'done', frame: 125 } }],
  run: ({ changes, session }: CallContext, { sequence }) => changes.find(session, sequence),
});

export const varValueMethods: readonly Method<CallContext>[] = [get, set, setResult];
