// The proposal before Bevy's protocol: `{"id": 1, "request": "QUERY", "params": {...}}`, values as {"JSON": "text"}.
import { z } from 'zod';
import { eachInTurns } from '../../serving/scheduling/ranges.js';
import { AnswerText } from '../json-rpc/answer-text.js';
import type { Envelope } from '../json-rpc/envelope.js';
import { parseJson } from '../json-rpc/json-text.js';
import { RpcCode, RpcError } from '../json-rpc/rpc-error.js';
import { BrpCode, invalidParams, invalidRequest, methodNotFound } from './brp-error.js';
import * as change from './change-methods.js';
import { type BrpDispatcher, dispatcherOf, ping, type Reports } from './methods.js';
import { methodOf, type Operation, operation } from './operation.js';
import { poll } from './poll.js';
import { get, query } from './read-methods.js';

/** A longer answer is refused: its values are written as text within text. */
const LONGEST_ANSWER_BYTES = 1_000_000;

type Json = Readonly<Record<string, unknown>>;

/** A value as the proposal writes it; the text of JSON in an object. */
const written = (value: unknown): object => ({ JSON: JSON.stringify(value) });

const writtenAll = (components: unknown): object =>
  Object.fromEntries(Object.entries((components ?? {}) as Json).map(([path, value]) => [path, written(value)]));

type Turn = () => Promise<void>;

async function readAll(components: unknown, turn: Turn): Promise<object> {
  if (typeof components !== 'object' || components === null) throw invalidParams('missing field `components`');
  const read: [string, unknown][] = [];
  for (const [path, value] of Object.entries(components)) {
    const { JSON: text } = (value ?? {}) as { JSON?: unknown };
    if (typeof text !== 'string') throw invalidParams(`${path.slice(0, 100)}: a value is {"JSON": "its text"}`);
    await turn();
    read.push([path, await parseJson(Buffer.from(text), turn)]);
  }
  return Object.fromEntries(read);
}

interface Row {
  readonly entity: string;
  readonly components: unknown;
  readonly has?: object;
}

/** A row's values are written as text within text. */
async function rowsOf(rows: readonly Row[], turn: Turn): Promise<object[]> {
  const made: object[] = [];
  await eachInTurns(turn, rows, ({ entity, components, has }) => {
    const values = writtenAll(components);
    const taken = ['id', 'has'].find((name) => Object.hasOwn(values, name));
    if (taken) throw invalidParams(`a row has \`${taken}\` besides components: name this one by its path`);
    made.push({ id: entity, ...values, ...(has && { has }) });
  });
  return made;
}

const DATA = ['components', 'optional', 'option', 'has'];
const FILTERS = ['with', 'without'];

/** The entries of a part of a query. Throws an RpcError: what is not understood would make another query of it. */
function entriesIn(part: unknown, what: string, names: readonly string[]): (readonly [name: string, value: unknown])[] {
  if (part === undefined || part === null) return [];
  if (typeof part !== 'object' || Array.isArray(part)) throw invalidParams(`${what} is an object`);
  const entries = Object.entries(part);
  const stray = entries.find(([name]) => !names.includes(name));
  if (stray) throw invalidParams(`${what} has ${names.join(', ')}, and no \`${stray[0].slice(0, 100)}\``);
  return entries;
}

/** Calls the proposal's `optional` `option`, and takes lists in the filter also as `{"components": list}`. */
const queryIn =
  (filters: readonly string[]) =>
  ({ data, filter, ...rest }: Json): Json => ({
    ...rest,
    data: Object.fromEntries(
      entriesIn(data, 'data', DATA).map(([name, list]) => [name === 'optional' ? 'option' : name, list]),
    ),
    filter: Object.fromEntries(
      entriesIn(filter, 'filter', filters).map(([name, list]) => [name, (list as Json | null)?.components ?? list]),
    ),
  });

interface Verb {
  readonly does: Operation;
  /** Makes the parameters of today's method. */
  readonly given?: (params: Json, turn: Turn) => Json | Promise<Json>;
  /** Makes the proposal's result from today's. */
  readonly result?: (result: never, turn: Turn) => unknown;
}

async function withValues(params: Json, turn: Turn): Promise<Json> {
  return { ...params, components: await readAll(params.components, turn) };
}
const done = () => ({ status: 'OK' });

const VERBS: Readonly<Record<string, Verb>> = {
  PING: { does: ping },
  GET: {
    does: get,
    given: (params) => ({ ...params, strict: true }),
    result: (components: Json) => ({ components: writtenAll(components) }),
  },
  QUERY: {
    does: query,
    given: queryIn(FILTERS),
    result: async (rows: readonly Row[], turn) => ({ entities: await rowsOf(rows, turn) }),
  },
  SPAWN: { does: change.spawn, given: withValues },
  DESTROY: { does: change.despawn, result: done },
  INSERT: { does: change.insert, given: withValues, result: done },
  REMOVE: { does: change.remove, result: done },
  REPARENT: {
    does: change.reparent,
    given: ({ entity, entities, ...rest }) => ({ ...rest, entities: entities ?? [entity] }),
    result: done,
  },
  POLL: {
    does: poll,
    // It has no end of its own.
    given: (params) => ({ timeout_ms: null, ...queryIn([...FILTERS, 'changed'])(params) }),
    result: async (
      { entities, sim_time: _, ...rest }: { readonly entities: readonly Row[]; readonly sim_time: object },
      turn,
    ) => ({ entities: await rowsOf(entities, turn), ...rest }),
  },
};

const NAMES_OF_CODES: ReadonlyMap<number, string> = new Map([
  [BrpCode.entityNotFound, 'EntityNotFound'],
  [BrpCode.componentNotPresent, 'ComponentNotFound'],
  [RpcCode.invalidRequest, 'InvalidRequest'],
  [RpcCode.methodNotFound, 'InvalidRequest'],
  [RpcCode.internal, 'InternalError'],
  [RpcCode.timedOut, 'Timeout'],
]);

function nameOf({ code, message }: RpcError): string {
  if (code === BrpCode.componentError) {
    return message.includes(' is invalid: ') ? 'ComponentTypeMismatch' : 'ComponentNotFound';
  }
  if (code === RpcCode.invalidParams) {
    if (message.includes('watermark')) return 'InvalidWatermark';
    return message.includes('entity') ? 'InvalidEntity' : 'InvalidQuery';
  }
  return NAMES_OF_CODES.get(code) ?? 'Other';
}

const envelope: Envelope = {
  parse: parseJson,
  read: (value) => {
    const { request, id, params } = value as Json;
    if (typeof request !== 'string') throw invalidRequest('a request names its "request" as text');
    return { method: request, params: params ?? {}, id: id ?? null, isAnswered: true };
  },
  idOf: (value) => (value as Json | undefined)?.id ?? null,
  emptyBatch: () => '[]',
  around: (id) => [`{"id":${JSON.stringify(id)},"response":`, '}'],
  error: (id, error) => JSON.stringify({ id, response: { error: { name: nameOf(error), message: error.message } } }),
};

export const proposalDispatcher = (reports: Reports): BrpDispatcher =>
  dispatcherOf(
    Object.entries(VERBS).map(([name, verb]) => methodOf(name, spoken(verb))),
    envelope,
    reports,
    (_, name) => {
      throw methodNotFound(name);
    },
  );

/** An operation with the proposal's parameters and result. */
function spoken({ does, given = (params) => params, result = (value) => value }: Verb): Operation {
  return operation({
    about: does.about,
    params: z.looseObject({}),
    result: z.unknown(),
    isChange: does.isChange ?? false,
    run: async (call, params) => {
      const { turn } = call;
      await turn();
      const made = await given(params, turn);
      const checked = does.params.safeParse(made);
      if (!checked.success) throw invalidParams(checked.error.issues[0]?.message ?? 'the parameters do not fit');
      const answer = await does.run({ ...call, generation: 'proposal' }, checked.data);
      await turn();
      const value = answer instanceof AnswerText ? await parsedAnswer(answer, turn) : answer;
      return result(value as never, turn);
    },
  });
}

function parsedAnswer(text: AnswerText, turn: Turn): unknown {
  if (text.byteLength > LONGEST_ANSWER_BYTES) {
    throw new RpcError(RpcCode.tooMany, `an answer may have ${LONGEST_ANSWER_BYTES} bytes here; ask for less`);
  }
  return parseJson(Buffer.from(text.toString()), turn);
}
