// var/get and var/set: values of the latest frame, and values for the next one.
import { z } from 'zod';
import { findVariable } from '../session/reference.js';
import type { Write } from '../source/source.js';
import { type CallContext, settledFrame } from './call-context.js';
import { fromJson, type JsonValue, outOfRange, toJson } from './json-value.js';
import { defineMethod, type Method } from './method.js';
import { checkUnitAliases, createReferences, type RequestedUnits, unitsFor } from './requested-units.js';
import { RpcCode, RpcError } from './rpc-error.js';
import { alias, aliases, jsonValue, simTime, units, values } from './schemas.js';
import { simTimeOf } from './sim-time.js';

const get = defineMethod({
  name: 'var/get',
  about: 'Values of the latest frame, all of the same tick. What this client has set before is in them.',
  params: z.strictObject({ aliases, units }),
  result: z.object({ sim_time: simTime, values }),
  examples: [
    {
      name: 'two arrays',
      params: { aliases: ['ball.position', 'ball.velocity'] },
      result: {
        sim_time: { sec_si: 1.23, label: 'sim_elapsed' },
        values: { 'ball.position': [0, 9.1], 'ball.velocity': [0, -3.2] },
      },
    },
    {
      name: 'an element in other units',
      params: { aliases: ['ball.position[1]'], units: 'cm' },
      result: { sim_time: { sec_si: 1.23, label: 'sim_elapsed' }, values: { 'ball.position[1]': 910 } },
    },
  ],
  run: async (context: CallContext, params) => {
    const frame = await settledFrame(context, params.aliases);
    const references = createReferences(context.source, params.aliases, params.units);
    return {
      sim_time: simTimeOf(context.source, frame),
      values: Object.fromEntries(references.map((reference) => [reference.alias, toJson(reference.read(frame))])),
    };
  },
});

const set = defineMethod({
  name: 'var/set',
  about:
    'Sets one variable, or several in one tick: all of them or, when one does not fit, none. Answers at once with a sequence number, or, with wait, with the first frame that shows the change. Whole arrays take a list; a shorter one fills the rest with zero. Enumerations take a label or a number.',
  params: z.strictObject({
    alias: alias.optional(),
    value: jsonValue.optional(),
    values: z.record(z.string(), jsonValue).optional().describe('Values by alias, instead of alias and value'),
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
  run: async (context: CallContext, params) => {
    const given = givenValues(params);
    if (typeof params.units === 'object') checkUnitAliases([...given.keys()], params.units);
    const writes = [...given].map(([path, value]) => prepare(context, path, value, params.units));
    const sequence = context.nextSequence();
    const answer = context.session.submit({ kind: 'write', writes });
    if (!params.wait) {
      answer.catch((error: Error) => context.onRefused(sequence, error));
      return { sequence };
    }
    const { frame } = await answer;
    return { sequence, frame, sim_time: simTimeOf(context.source, context.source.past(frame) ?? context.source.frame) };
  },
});

interface SetParams {
  readonly alias?: string | undefined;
  readonly value?: unknown;
  readonly values?: Readonly<Record<string, unknown>> | undefined;
}

function givenValues(params: SetParams): Map<string, JsonValue> {
  const hasOne = params.alias !== undefined && params.value !== undefined;
  const isEither = hasOne !== (params.values !== undefined);
  const hasStray = !hasOne && (params.alias !== undefined || params.value !== undefined);
  if (!isEither || hasStray) {
    throw new RpcError(RpcCode.invalidParams, 'var/set needs either alias and value, or values');
  }
  const given = params.values ?? { [params.alias as string]: params.value };
  if (Object.keys(given).length === 0) throw new RpcError(RpcCode.invalidParams, 'var/set: values holds no value');
  return new Map(Object.entries(given) as [string, JsonValue][]);
}

/** The simulation converts as C does; a JSON client is told instead when an integer does not fit. */
function prepare(context: CallContext, path: string, json: JsonValue, requested: RequestedUnits): Write {
  const { source, session } = context;
  const variable = findVariable(source, path);
  const value = fromJson(variable.type, json);
  const write = session.prepareWrite(path, value, unitsFor(requested, path));
  const wrong = outOfRange(variable.type, write.value);
  if (wrong) throw new RpcError(RpcCode.valueRefused, `${path} cannot hold this: ${wrong}`);
  return write;
}

export const varValueMethods: readonly Method<CallContext>[] = [get, set];
