// The answer to one request: its calls run in order, and each has a result of its own.
import type { Read } from '../../../serving/session/read.js';
import { fewFields } from '../schema/fields.js';
import { encodeMessage, Schema } from '../schema/messages.js';
import { errorResult, ResponseWriter, valueResult } from '../schema/results.js';
import { argumentsOf } from '../service/arguments.js';
import { type FailureEvents, failureOf } from '../service/failure.js';
import {
  type CalledProcedure,
  type Caller,
  invalidArgument,
  invalidOperation,
  type Procedure,
  requireRight,
  type WatchedProcedure,
} from '../service/procedure.js';
import type { FoundProcedure, LatestServices, ServiceTable } from '../service/service-table.js';
import { callIn, DecodeError, UnknownInstanceError } from '../values/decode.js';
import { encodeValue, type ObjectNumbers } from '../values/encode.js';
import { describeType, type KrpcValue, type NamedCall } from '../values/type.js';

/** Most calls of a request. */
export const MOST_CALLS = 1000;
/** The number of the field that holds them. */
const REQUEST_CALLS = 1;
/** Most bytes of an answer. */
export const MOST_ANSWER_BYTES = 2 * 1024 * 1024;
/** Most values that one call may read. */
export const MOST_VALUES = 10_000;
/** Made once, because a stack for each call left out would cost more than the calls. */
const TOO_LONG = invalidOperation(`an answer may have ${MOST_ANSWER_BYTES} bytes`);

/** The client whose request it is. */
export interface KrpcClient extends Caller {
  readonly objects: ObjectNumbers;
  /** Counts bytes that its request takes, until it is answered. Throws an OverBoundError. */
  keep(bytes: number): void;
  /** Whether this request is too many in a second. */
  readonly isTooFast: boolean;
  /** Whether it has gone: nobody waits for the answer. */
  readonly isClosed: boolean;
  /** The read of the call that is worked on, which waits for its turn when it is a large one. */
  readonly read: Read;
}

export interface AnswerParts extends FailureEvents {
  readonly services: LatestServices;
}

export interface CallAnswer {
  /** The message Response, in order. */
  readonly pieces: readonly Uint8Array[];
  readonly calls: number;
}

/** A call and where it goes, for error messages; or the error that refuses it. */
type Prepared = { readonly where: string } & (
  | { readonly found: FoundProcedure; readonly given: readonly KrpcValue[] }
  | { readonly error: unknown }
);

/** A Response that refuses a whole request. */
export function refusal(description: string, { onError }: Pick<FailureEvents, 'onError'>): CallAnswer {
  onError();
  return { pieces: [encodeMessage(Schema.Response, { error: { description } })], calls: 0 };
}

/** Undefined for bytes that are no request. Every call has a turn; rejects when the client has gone. */
export async function answerBytes(
  client: KrpcClient,
  message: Uint8Array,
  parts: AnswerParts,
): Promise<CallAnswer | undefined> {
  const calls = callsIn(message);
  if (!calls) return undefined;
  if (client.isTooFast) return refusal('this client makes more requests in a second than this server allows', parts);
  if (calls === 'too many') return refusal(`a request may have ${MOST_CALLS} calls`, parts);
  if (calls.length === 0) return NO_RESULTS;
  const table = await parts.services.current(client.turn);
  const prepared: Prepared[] = [];
  for (const bytes of calls) {
    if (prepared.length > 0) await client.turn();
    const one = prepare(bytes, table, client);
    if (!one) return undefined;
    // kRPC reads a request as a whole: an object that it does not know spoils all of it.
    if ('error' in one && one.error instanceof UnknownInstanceError)
      return refusal(`Error receiving message\n${one.error.message}`, parts);
    prepared.push(one);
  }
  const answer = new ResponseWriter();
  for (const [index, one] of prepared.entries()) {
    if (index > 0) await client.turn();
    answer.add(await resultOf(one, client, parts, answer.length));
  }
  return { pieces: answer.end().pieces, calls: prepared.length };
}

/** The calls of a request; undefined for bytes that are none. */
function callsIn(request: Uint8Array): readonly Uint8Array[] | 'too many' | undefined {
  try {
    return fewFields(request, REQUEST_CALLS, MOST_CALLS) ?? 'too many';
  } catch {
    return undefined;
  }
}

/** Undefined for bytes that are no call. */
function prepare(bytes: Uint8Array, table: ServiceTable, { objects }: KrpcClient): Prepared | undefined {
  let call: NamedCall;
  try {
    call = callIn(bytes);
  } catch (error) {
    return error instanceof DecodeError ? { where: '', error: invalidArgument(error.message) } : undefined;
  }
  const where = nameOf(call);
  try {
    const found = table.find(call);
    return { where, found, given: argumentsOf(found, call, objects) };
  } catch (error) {
    return { where, error };
  }
}

const nameOf = ({ service, procedure, serviceId, procedureId }: NamedCall): string =>
  `${serviceId > 0 ? serviceId : service.slice(0, 100)}.${procedureId > 0 ? procedureId : procedure.slice(0, 100)}`;

/** The bytes of a ProcedureResult. */
async function resultOf(
  prepared: Prepared,
  client: KrpcClient,
  parts: AnswerParts,
  bytesBefore: number,
): Promise<Uint8Array> {
  try {
    if ('error' in prepared) throw prepared.error;
    if (bytesBefore > MOST_ANSWER_BYTES) throw TOO_LONG;
    const { procedure, service } = prepared.found;
    const value = await ('watch' in procedure
      ? readNow(procedure, client, prepared.given)
      : called(procedure, client, prepared.given));
    const bytes = resultBytes(`${service}.${procedure.name}`, procedure, value, client.objects);
    client.keep(bytes.length);
    return bytes;
  } catch (error) {
    if (client.isClosed) throw error;
    return errorResult(encodeMessage(Schema.Error, failureOf(error, prepared.where, parts)));
  }
}

function resultBytes(
  where: string,
  { returns, returnsNull = false }: Procedure,
  value: KrpcValue | undefined,
  objects: ObjectNumbers,
): Uint8Array {
  if (!returns) return NOTHING;
  const isNull = value === undefined || value === null;
  // No exception of a service: kRPC's clients test that it has no name.
  if (isNull && !returnsNull)
    throw new Error(
      `Incorrect value returned by ${where}. Expected a non-null value of type ${describeType(returns)}, got null, but the procedure is not marked as nullable.`,
    );
  const bytes = encodeValue(returns, isNull ? null : value, objects);
  // proto3 leaves out what is empty.
  return bytes.length === 0 && !isNull ? NOTHING : valueResult(bytes, isNull);
}

const NOTHING = new Uint8Array();
/** One for all, as a flood of empty requests makes many. */
const NO_RESULTS: CallAnswer = { pieces: [], calls: 0 };

/** The value in the latest frame, which shows what this client has changed. */
async function readNow(
  { watch }: WatchedProcedure,
  client: KrpcClient,
  given: readonly KrpcValue[],
): Promise<KrpcValue> {
  const { session, read } = client;
  while (session.settled) await until(session.settled, client);
  const watched = await watch(client, given);
  if (watched.valueCount > MOST_VALUES) {
    throw invalidArgument(
      `this has ${watched.valueCount} values, and a call may read ${MOST_VALUES}: VarServer.GetList reads an array in parts`,
    );
  }
  try {
    while (!read.ask(watched.shown)) await until(read.enter() ?? session.settled, client);
    return watched.read(session.source.frame);
  } finally {
    read.end();
  }
}

async function called(
  procedure: CalledProcedure,
  client: KrpcClient,
  given: readonly KrpcValue[],
): Promise<KrpcValue | undefined> {
  requireRight(client, procedure);
  const answer = procedure.call(client, given);
  return answer instanceof Promise ? until(answer, client) : answer;
}

/** Waits, and then for a turn. */
async function until<T>(what: Promise<T> | undefined, client: KrpcClient): Promise<T | undefined> {
  try {
    return await what;
  } finally {
    await client.turn();
  }
}
