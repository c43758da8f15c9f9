// sim/functions and sim/call: the functions that a simulation offers.
import { z } from 'zod';
import { AssignmentError } from '../../model/state/assign.js';
import type { CallableDescription, ParameterDescription, ResultDescription } from '../../model/state/callable.js';
import { LONGEST_PATH } from '../../model/state/catalog.js';
import { MisfitError } from '../../model/state/misfit.js';
import type { Value } from '../../model/state/read.js';
import { didYouMean, nearestNames } from '../../model/state/suggest.js';
import { cNameOf, shapeOf } from '../../model/state/type.js';
import { type GivenArgument, prepareArguments } from '../../serving/session/call-arguments.js';
import { refusalOf } from '../../source/source.js';
import type { CallContext } from './call-context.js';
import { fromJson, type JsonValue, toJson } from './json-value.js';
import { defineMethod, type Method } from './method.js';
import { RpcCode, RpcError } from './rpc-error.js';
import { byAlias, jsonValue, simTime, unitsText } from './schemas.js';
import { simTimeOf } from './sim-time.js';
import { extentsOf } from './variable-description.js';

/** More than any function takes. */
const MOST_ARGUMENTS = 256;

const what = {
  type: z.string().describe('As C names it, without extents'),
  unit: z.string().describe('UDUNITS text, 1 for none'),
  dim: z.array(z.int()).describe('Extents, outermost first; [] for one value'),
  about: z.string(),
};

const describedFunction = z.object({
  name: z.string(),
  about: z.string(),
  takes: z
    .array(z.object({ name: z.string(), ...what }))
    .optional()
    .describe('The parameters in order; missing for a function that accepts any arguments'),
  gives: z.object(what).optional().describe('The result; missing for none, or for one of any type'),
});

const functions = defineMethod({
  name: 'sim/functions',
  about: 'The functions of the simulation that sim/call can call.',
  params: z.strictObject({}),
  result: z.array(describedFunction),
  examples: [
    {
      name: 'of the ball',
      params: {},
      result: [
        {
          name: 'kick',
          about: 'adds to the velocity',
          takes: [
            { name: 'vx', type: 'double', unit: 'm/s', dim: [], about: 'to the right' },
            { name: 'vy', type: 'double', unit: 'm/s', dim: [], about: 'up' },
          ],
        },
        {
          name: 'speed',
          about: '',
          takes: [
            { name: 'vx', type: 'double', unit: 'm/s', dim: [], about: 'to the right' },
            { name: 'vy', type: 'double', unit: 'm/s', dim: [], about: 'up' },
          ],
          gives: { type: 'double', unit: 'm/s', dim: [], about: '' },
        },
        { name: 'anything', about: '' },
      ],
    },
  ],
  run: ({ source }: CallContext) => [...source.catalog.functions.values()].map(describe),
});

function describe({ name, about, takes, gives }: CallableDescription): z.output<typeof describedFunction> {
  return {
    name,
    about,
    ...(takes && { takes: takes.map((parameter) => ({ name: parameter.name, ...facts(parameter) })) }),
    ...(gives && { gives: facts(gives) }),
  };
}

function facts({ type, units, about }: ResultDescription) {
  return { type: cNameOf(shapeOf(type).element), unit: units === '--' ? '1' : units, dim: extentsOf(type), about };
}

const call = defineMethod({
  name: 'sim/call',
  about:
    'Calls a function of the simulation between two ticks, and answers with its result. Arguments are a list in order, or an object by name; units are texts by the name of a parameter.',
  params: z.strictObject({
    name: z.string().max(LONGEST_PATH, { error: `expected a name of at most ${LONGEST_PATH} characters` }),
    arguments: z
      .union([z.array(jsonValue).max(MOST_ARGUMENTS), byAlias(jsonValue)], {
        error: `expected a list of at most ${MOST_ARGUMENTS} arguments, or an object with arguments by name`,
      })
      .optional(),
    units: byAlias(unitsText).optional(),
  }),
  result: z.object({
    value: jsonValue.describe('null for a function without a result'),
    frame: z.int().describe('Number of the first frame that shows what the function did'),
    sim_time: simTime,
  }),
  isChange: true,
  examples: [
    {
      name: 'by order',
      params: { name: 'kick', arguments: [3, 5] },
      result: { value: null, frame: 125, sim_time: { sec_si: 1.23, label: 'sim_elapsed' } },
    },
    {
      name: 'by name, in units',
      params: { name: 'kick', arguments: { vx: 10.8, vy: 0 }, units: { vx: 'km/h' } },
      result: { value: null, frame: 125, sim_time: { sec_si: 1.23, label: 'sim_elapsed' } },
    },
  ],
  run: async ({ source, session }: CallContext, params) => {
    const { frame, value } = await session.submit({
      kind: 'call',
      name: params.name,
      values: valuesOf(source, params),
    });
    return { value: toJson(value), frame, sim_time: simTimeOf(source, source.past(frame) ?? source.frame) };
  },
});

interface CallParams {
  readonly name: string;
  readonly arguments?: readonly unknown[] | Readonly<Record<string, unknown>> | undefined;
  readonly units?: Readonly<Record<string, string>> | undefined;
}

/** Throws an RpcError or a RequestError with one sentence when it cannot be called so; nothing is called then. */
function valuesOf(source: CallContext['source'], { name, arguments: given = [], units }: CallParams): readonly Value[] {
  const { catalog } = source;
  const callable = catalog.functions.get(name) ?? (source.callsUnlisted && { name, about: '' });
  if (!callable) {
    const refusal = refusalOf(source, 'call');
    if (refusal) throw refusal;
    const near = didYouMean(nearestNames(name, catalog.functions.keys()));
    throw new RpcError(RpcCode.invalidParams, `sim/call: the simulation has no function ${name}${near}`);
  }
  try {
    return prepareArguments(callable, inOrder(callable, given as Given).map(withUnits(callable, units)));
  } catch (error) {
    const isRefused = error instanceof MisfitError || error instanceof AssignmentError;
    throw isRefused ? new RpcError(RpcCode.valueRefused, error.message) : error;
  }
}

type Given = readonly JsonValue[] | Readonly<Record<string, JsonValue>>;

const isList = (given: Given): given is readonly JsonValue[] => Array.isArray(given);

function inOrder({ name, takes }: CallableDescription, given: Given): readonly JsonValue[] {
  if (isList(given)) return given;
  if (!takes) throw new MisfitError(`${name}() takes a list of arguments, since its parameters have no names`);
  const unknown = Object.keys(given).find((key) => !takes.some((parameter) => parameter.name === key));
  if (unknown !== undefined) throw new MisfitError(`${name}() has no parameter ${unknown}`);
  const missing = takes.find((parameter) => !Object.hasOwn(given, parameter.name));
  if (missing) throw new MisfitError(`${name}() needs the argument ${missing.name}`);
  return takes.map((parameter) => given[parameter.name] as JsonValue);
}

function withUnits({ name, takes }: CallableDescription, units: Readonly<Record<string, string>> = {}) {
  const stray = Object.keys(units).find((key) => !takes?.some((parameter) => parameter.name === key));
  if (stray !== undefined) throw new MisfitError(`${name}() has no parameter ${stray}, whose units are given`);
  return (json: JsonValue, index: number): GivenArgument => {
    const parameter: ParameterDescription | undefined = takes?.[index];
    const own = parameter && Object.hasOwn(units, parameter.name) ? units[parameter.name] : undefined;
    return { value: fromJson(parameter?.type, json), units: own };
  };
}

export const functionMethods: readonly Method<CallContext>[] = [functions, call];
