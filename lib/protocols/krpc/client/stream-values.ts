// What calls give in each frame, for the streams and expressions of one client.
import { argumentsOf } from '../service/arguments.js';
import { type Caller, invalidArgument, requireRight, type ValueInFrames } from '../service/procedure.js';
import type { FoundProcedure, LatestServices } from '../service/service-table.js';
import { encodeValue, type ObjectNumbers } from '../values/encode.js';
import { type KrpcValue, type NamedCall, TypeCode } from '../values/type.js';
import { CalledSource, WatchedSource } from './frame-sources.js';
import type { Questions } from './questions.js';

export class StreamValues {
  /** What has been read of frames: by streams, and by expressions, which end with their client. */
  private readonly read = new Set<WatchedSource>();

  /** @param mostValues how many one call may give. */
  constructor(
    private readonly mostValues: number,
    private readonly services: LatestServices,
    private readonly caller: Caller,
    private readonly objects: ObjectNumbers,
    private readonly questions: Questions,
  ) {}

  /** The value of a call. Rejects with an Error with one sentence. */
  async of(call: NamedCall): Promise<ValueInFrames> {
    const { caller, objects } = this;
    const found = this.services.table().find(call);
    const { procedure } = found;
    const { returns: type } = procedure;
    if (!type) throw invalidArgument(`${nameOf(found)} returns nothing, so it cannot be streamed`);
    requireRight(caller, procedure);
    const given = argumentsOf(found, call, objects);
    const key = keyOf(found, given, call, objects);
    if ('call' in procedure)
      return { key, type, source: new CalledSource(procedure, caller, given, this.questions, key.length) };
    const source = new WatchedSource(await procedure.watch(caller, given), key.length, this.read);
    const { valueCount } = source;
    if (valueCount <= this.mostValues) return { key, type, source };
    throw invalidArgument(`${nameOf(found)} has ${valueCount} values, and a stream may have ${this.mostValues}`);
  }

  /** The client has gone, and with it its expressions. */
  close(): void {
    for (const source of this.read) source.end();
  }
}

const nameOf = ({ service, procedure }: FoundProcedure): string => `${service}.${procedure.name}`;

/** Equal for two calls of the same procedure with the same arguments, by name or number, with defaults or without. */
function keyOf(
  { service, procedure }: FoundProcedure,
  given: readonly KrpcValue[],
  call: NamedCall,
  objects: ObjectNumbers,
): string {
  const texts = procedure.parameters.map(({ type }, position) => {
    const value = given[position] as KrpcValue;
    if (value === null) return 'null';
    // A call that is an argument of another call keeps the bytes in which it came.
    const isCall = type.code === TypeCode.procedureCall;
    const sent = isCall && call.arguments.find((argument) => argument.position === position)?.value;
    const bytes = Buffer.from(sent || encodeValue(type, value, objects));
    return `${bytes.length}:${bytes.toString('latin1')}`;
  });
  return [`${service}.${procedure.name}`, ...texts].join(' ');
}
