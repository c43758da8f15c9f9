// What a call gives in each frame, for the streams and expressions of a client.
import { argumentsOf } from '../service/arguments.js';
import { type Caller, invalidArgument, requireRight, type ValueInFrames } from '../service/procedure.js';
import type { FoundProcedure, LatestServices } from '../service/service-table.js';
import { encodeValue, type ObjectNumbers } from '../values/encode.js';
import type { KrpcValue, NamedCall } from '../values/type.js';
import { CalledSource, type FrameSources, WatchedSource } from './frame-sources.js';

/** Most values of one call: more are better read in parts. */
const MOST_VALUES = 10_000;

/** Whose call it is. */
interface Client {
  readonly caller: Caller;
  readonly services: LatestServices;
  readonly objects: ObjectNumbers;
  readonly sources: FrameSources;
}

/** The value of a call. Rejects with an Error with one sentence. */
export async function valueInFrames(call: NamedCall, client: Client): Promise<ValueInFrames> {
  const { caller, objects, services, sources } = client;
  const found = services.table().find(call);
  const { procedure } = found;
  const { returns: type } = procedure;
  if (!type) throw invalidArgument(`${nameOf(found)} returns nothing, so it cannot be streamed`);
  requireRight(caller, procedure);
  const given = argumentsOf(found, call, objects);
  const key = keyOf(found, given, objects);
  if ('call' in procedure)
    return { key, type, source: new CalledSource(procedure, caller, given, key.length, sources) };
  const source = new WatchedSource(await procedure.watch(caller, given), key.length, sources);
  const { valueCount } = source;
  if (valueCount <= MOST_VALUES) return { key, type, source };
  throw invalidArgument(`${nameOf(found)} has ${valueCount} values, and a stream may have ${MOST_VALUES}`);
}

const nameOf = ({ service, procedure }: FoundProcedure): string => `${service}.${procedure.name}`;

/** Equal for two calls of the same procedure with the same arguments, by name or number, with defaults or without. */
function keyOf(found: FoundProcedure, given: readonly KrpcValue[], objects: ObjectNumbers): string {
  const texts = found.procedure.parameters.map(({ type }, position) => {
    const value = given[position] as KrpcValue;
    const bytes = Buffer.from(encodeValue(type, value, objects));
    return value === null ? 'null' : `${bytes.length}:${bytes.toString('latin1')}`;
  });
  return [nameOf(found), ...texts].join(' ');
}
