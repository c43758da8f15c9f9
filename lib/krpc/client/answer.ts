// The answer to one request: its calls run in order, and each has a result of its own.

import { LONG_STEP, type Slice, type Sliced } from '../../scheduling/slice.js';
import type { LargeRead } from '../../session/large-read.js';
import type { Session } from '../../session/session.js';
import { type RepeatedField, repeatedField } from '../schema/fields.js';
import { decodeMessage, encodeMessage, Schema } from '../schema/messages.js';
import { errorResult, ResponseWriter, valueResult } from '../schema/stream-update.js';
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
import type { FoundProcedure, ServiceTable } from '../service/service-table.js';
import {
  CALL_ARGUMENTS,
  hasManyFields,
  MANY_FIELDS,
  MOST_ARGUMENTS,
  MOST_FIELDS,
  UnknownInstanceError,
} from '../values/decode.js';
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
/** Steps of a slice that a call costs. */
const STEPS_PER_CALL = 8;
/** This many bytes of a result cost one more step. */
const BYTES_PER_STEP = 64;

/** The client whose request it is. */
export interface KrpcAsker extends Caller {
  readonly objects: ObjectNumbers;
  /** Counts bytes that its request takes, until it is answered. Throws an OverBoundError. */
  keep(bytes: number): void;
  /** Whether this request is too many in a second. */
  readonly isTooFast: boolean;
  /** The read of the call that is worked on, which waits for its turn when it is a large one. */
  readonly read: LargeRead;
}

export interface AnswerParts {
  current(slice: Slice): Sliced<ServiceTable>;
  readonly streams: FailureEvents;
}

export interface Answered {
  /** The message Response, in order. */
  readonly pieces: readonly Uint8Array[];
  /** Bytes of all pieces. */
  readonly length: number;
  readonly calls: number;
}

/** Yields a promise to wait for, or nothing when its slice is over. */
type Waiting<T> = Generator<unknown, T>;

/** A call and where it goes, for error messages; or the error that refuses it. */
type Prepared = { readonly where: string } & (
  | { readonly found: FoundProcedure; readonly given: readonly KrpcValue[] }
  | { readonly error: unknown }
);

/** A Response that refuses a whole request. */
export function refusal(description: string, { onError }: Pick<FailureEvents, 'onError'>): Answered {
  onError();
  const bytes = encodeMessage(Schema.response, { error: { description } });
  return { pieces: [bytes], length: bytes.length, calls: 0 };
}

/** Undefined for bytes that are no request. */
export function* answerBytes(
  asker: KrpcAsker,
  message: Uint8Array,
  parts: AnswerParts,
  slice: Slice,
): Waiting<Answered | undefined> {
  const calls = yield* callsOf(message, slice);
  if (!calls) return undefined;
  if (asker.isTooFast)
    return refusal('this client makes more requests in a second than this server allows', parts.streams);
  if (calls.count > MOST_CALLS)
    return refusal(`a request may have ${MOST_CALLS} calls, and this one has ${calls.count}`, parts.streams);
  const table = yield* parts.current(slice);
  const prepared: Prepared[] = [];
  try {
    for (const bytes of calls.messages) {
      const one = yield* prepare(bytes, table, asker.objects, slice);
      if (!one) return undefined;
      prepared.push(one);
      if (slice.isOver(STEPS_PER_CALL + bytes.length / BYTES_PER_STEP)) yield;
    }
  } catch (error) {
    // kRPC reads a request as a whole: an object that it does not know spoils all of it.
    return refusal(`Error receiving message\n${(error as Error).message}`, parts.streams);
  }
  if (prepared.length === 0) return NO_RESULTS;
  const answer = new ResponseWriter();
  for (const one of prepared) {
    const result = yield* resultOf(one, asker, parts, answer.length, slice);
    answer.add(result);
    if (slice.isOver(STEPS_PER_CALL + result.length / BYTES_PER_STEP)) yield;
  }
  const { pieces, length } = answer.end();
  return { pieces, length, calls: prepared.length };
}

/** The bytes of each call; undefined for what is no request. */
function* callsOf(message: Uint8Array, slice: Slice): Sliced<RepeatedField | undefined> {
  try {
    return yield* repeatedField(message, REQUEST_CALLS, MOST_CALLS, slice);
  } catch {
    return undefined;
  }
}

/**
 * Throws only for an unknown object; every other error is a result of the call. Undefined for a value that is no call.
 */
function* prepare(
  bytes: Uint8Array,
  table: ServiceTable,
  objects: ObjectNumbers,
  slice: Slice,
): Sliced<Prepared | undefined> {
  let call: NamedCall;
  try {
    const fault = yield* faultOf(bytes, slice);
    if (fault !== undefined) return { where: '', error: invalidArgument(fault) };
    call = decodeMessage(Schema.procedureCall, bytes);
  } catch {
    return undefined;
  }
  const where = nameOf(call);
  try {
    const found = table.find(call);
    return { where, found, given: argumentsOf(found, call, objects) };
  } catch (error) {
    if (error instanceof UnknownInstanceError) throw error;
    return { where, error };
  }
}

/** Why a call is not decoded, which would be done at once; undefined for one with few fields. Throws as `repeatedField`. */
function* faultOf(bytes: Uint8Array, slice: Slice): Sliced<string | undefined> {
  const { messages, count, fields } = yield* repeatedField(bytes, CALL_ARGUMENTS, MOST_ARGUMENTS, slice);
  if (count > MOST_ARGUMENTS) return `a call may have ${MOST_ARGUMENTS} arguments, and this one has ${count}`;
  const most = MOST_ARGUMENTS + MOST_FIELDS;
  if (fields > most) return `a call may have ${most} fields, and this one has ${fields}`;
  for (const argument of messages) {
    if (hasManyFields(argument)) return MANY_FIELDS;
    if (slice.isOver()) yield;
  }
  return undefined;
}

const nameOf = ({ service, procedure, serviceId, procedureId }: NamedCall): string =>
  `${serviceId > 0 ? serviceId : service.slice(0, 100)}.${procedureId > 0 ? procedureId : procedure.slice(0, 100)}`;

/** The bytes of a ProcedureResult. */
function* resultOf(
  prepared: Prepared,
  asker: KrpcAsker,
  { streams }: AnswerParts,
  bytesBefore: number,
  slice: Slice,
): Waiting<Uint8Array> {
  try {
    if ('error' in prepared) throw prepared.error;
    if (bytesBefore > MOST_ANSWER_BYTES) throw TOO_LONG;
    const { procedure, service } = prepared.found;
    const value = yield* outcomeOf(procedure, asker, prepared.given, slice);
    const bytes = resultBytes(`${service}.${procedure.name}`, procedure, value, asker.objects);
    asker.keep(bytes.length);
    return bytes;
  } catch (error) {
    return errorResult(encodeMessage(Schema.error, failureOf(error, prepared.where, streams)));
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
const NO_RESULTS: Answered = { pieces: [NOTHING], length: 0, calls: 0 };

function outcomeOf(
  procedure: Procedure,
  asker: KrpcAsker,
  given: readonly KrpcValue[],
  slice: Slice,
): Waiting<KrpcValue | undefined> {
  return 'watch' in procedure ? readNow(procedure, asker, given, slice) : called(procedure, asker, given, slice);
}

/** The value in the latest frame, which shows what this client has changed. */
function* readNow(
  { watch, watchInTurns }: WatchedProcedure,
  asker: KrpcAsker,
  given: readonly KrpcValue[],
  slice: Slice,
): Waiting<KrpcValue> {
  const { session } = asker;
  while (session.settled) yield session.settled;
  const watched = watchInTurns ? yield* watchInTurns(asker, given, slice) : watch(asker, given);
  if (watched.valueCount > MOST_VALUES) {
    throw invalidArgument(
      `this has ${watched.valueCount} values, and a call may read ${MOST_VALUES}: VarServer.GetList reads an array in parts`,
    );
  }
  const { read } = asker;
  try {
    while (!session.canShow(watched.shown, read.mayAsk)) yield read.enter() ?? settledOf(session);
    return watched.read(session.source.frame);
  } finally {
    read.end();
  }
}

const settledOf = (session: Session): Promise<unknown> => session.settled ?? Promise.resolve();

function* called(
  procedure: CalledProcedure,
  asker: KrpcAsker,
  given: readonly KrpcValue[],
  slice: Slice,
): Waiting<KrpcValue | undefined> {
  requireRight(asker, procedure);
  // A procedure may take a millisecond itself, such as one that computes a constant: the clock is looked at each time.
  if (slice.isOver(LONG_STEP)) yield;
  const answer = procedure.call(asker, given);
  if (!(answer instanceof Promise)) return answer;
  let outcome: { readonly value: KrpcValue | undefined } | { readonly error: unknown } | undefined;
  yield answer.then(
    (value) => {
      outcome = { value };
    },
    (error: unknown) => {
      outcome = { error };
    },
  );
  if (outcome && 'error' in outcome) throw outcome.error;
  return outcome?.value;
}
