// A simulation's functions as methods of their own, such as ball/kick, and as events that trigger them.
import { z } from 'zod';
import { AssignmentError } from '../../model/state/assign.js';
import type { CallableDescription } from '../../model/state/callable.js';
import { MisfitError } from '../../model/state/misfit.js';
import type { Value } from '../../model/state/read.js';
import { structType } from '../../model/state/type.js';
import type { Source } from '../../source/source.js';
import { AnswerText } from '../json-rpc/answer-text.js';
import type { JsonValue } from '../json-rpc/json-value.js';
import type { Method } from '../json-rpc/method.js';
import { invalidParams, resourceError } from './brp-error.js';
import { type BrpCall, type BrpContext, type Operation, operation } from './operation.js';
import { anyValue, nothing } from './schemas.js';
import { describedSchema, objectSchema } from './type-schema.js';
import { fromBrp, valueText } from './value.js';

/** The functions by the names of their methods. */
export function* functionMethods({
  catalog,
  info,
}: Source): Generator<[method: string, callable: CallableDescription]> {
  for (const callable of catalog.functions.values()) yield [`${info.name}/${callable.name}`, callable];
}

/** The method of a function of the simulation; undefined for any other name. */
export function functionMethod({ source }: BrpContext, name: string): Method<BrpContext> | undefined {
  const start = `${source.info.name}/`;
  const callable = name.startsWith(start) ? source.catalog.functions.get(name.slice(start.length)) : undefined;
  if (!callable) return undefined;
  return {
    name,
    about: callable.about,
    params: z.object({}),
    result: z.unknown(),
    examples: [],
    isChange: true,
    async call({ session }, params) {
      const { value } = await session.submit({
        kind: 'call',
        name: callable.name,
        values: argumentsOf(callable, params),
      });
      return { result: resultText(callable, value) };
    },
  };
}

const resultText = ({ gives }: CallableDescription, value: Value | undefined): AnswerText =>
  AnswerText.of(value === undefined ? 'null' : valueText(gives?.type, value));

/** The arguments in order, from an object by name or a list: parameters are read as members are. Throws an RpcError. */
export function argumentsOf({ name, takes }: CallableDescription, params: unknown): Value[] {
  const given = params ?? (takes ? {} : []);
  if (typeof given !== 'object') throw invalidParams(`${name} takes its arguments by name or as a list`);
  if (!takes) {
    if (Array.isArray(given)) return given as Value[];
    if (Object.keys(given).length === 0) return [];
    throw invalidParams(`${name} has no named arguments; give them as a list`);
  }
  if (Array.isArray(given) && given.length !== takes.length)
    throw invalidParams(`${name} takes ${takes.length} arguments, not ${given.length}`);
  const named = Array.isArray(given) ? Object.fromEntries(takes.map((one, index) => [one.name, given[index]])) : given;
  const members = takes.map((one) => ({ ...one, access: 'read-write' as const, offsetBytes: 0 }));
  try {
    const values = fromBrp({ ...structType(name, []), members }, named as JsonValue, `${name}()`);
    return takes.map((one) => (values as Readonly<Record<string, Value>>)[one.name] as Value);
  } catch (error) {
    if (error instanceof MisfitError || error instanceof AssignmentError) throw invalidParams(error.message);
    throw error;
  }
}

/** JSON Schemas of a function's parameters and result; undefined where the simulation does not tell. */
export function functionSchemas({ takes, gives }: CallableDescription): { params?: object; result?: object } {
  return {
    ...(takes && { params: objectSchema(takes) }),
    ...(gives ? { result: describedSchema(gives) } : takes && { result: { type: 'null' } }),
  };
}

/** A function as an event: triggering `ball::kick` calls it. */
export function eventsOf(source: Source): Map<string, CallableDescription> {
  const { catalog, info } = source;
  return new Map([...catalog.functions.values()].map((callable) => [`${info.name}::${callable.name}`, callable]));
}

const eventName = z.string().max(4096).describe("The simulation's name and a function's: ball::kick");

async function trigger(call: BrpCall, what: string, name: string, value: unknown): Promise<null> {
  const callable = eventsOf(call.source).get(name);
  if (!callable) throw resourceError(`Unknown ${what} type: \`${name.slice(0, 200)}\``);
  await call.session.submit({ kind: 'call', name: callable.name, values: argumentsOf(callable, value) });
  return null;
}

export const triggerEvent: Operation = operation({
  about: 'Triggers an event: calls the function of the simulation that has its name, with the value as arguments.',
  params: z.object({ event: eventName, value: anyValue.optional() }),
  result: nothing,
  isChange: true,
  run: (call, { event, value }) => trigger(call, 'event', event, value),
});

export const writeMessage: Operation = operation({
  about: 'Writes a message: the same as triggering an event.',
  params: z.object({ message: eventName, value: anyValue.optional() }),
  result: nothing,
  isChange: true,
  run: (call, { message, value }) => trigger(call, 'message', message, value),
});
