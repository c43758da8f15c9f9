// Calls of methods of a simulation's objects, which its description does not list.
import type { Value } from '../../model/state/read.js';
import { RequestError } from '../../simulation/executive/request.js';
import type { Bridged } from './bridged.js';

/** `dyn.cannon.fire`; names of Python's own begin with underlines. */
const METHOD = /^([A-Za-z]\w*)(?:\.[A-Za-z]\w*|\[\d+\])*\.[A-Za-z]\w*$/;
const isOwn = (object: string): boolean => object.startsWith('trick_');

/** Resolves to its result when frames show what it did. Rejects with one sentence. */
export async function callMethod(bridge: Bridged, name: string, values: readonly Value[]): Promise<Value | undefined> {
  const [, object] = METHOD.exec(name) ?? [];
  if (object === undefined || isOwn(object) || !bridge.catalog.find(object))
    throw new RequestError(
      `a bridge calls methods of the objects that it shows, such as dyn.cannon.fire, not ${name.slice(0, 100)}`,
    );
  const argument = values.findIndex((value) => !isPlain(value));
  if (argument >= 0)
    throw new RequestError(`argument ${argument + 1} of ${name} is no number, truth, text or list of them`);
  const end = bridge.connected();
  const result = await end.call(name, ...values);
  await bridge.settled(end);
  return resultOf(result);
}

const isPlain = (value: Value): boolean =>
  Array.isArray(value) ? value.every(isPlain) : value !== null && typeof value !== 'object';

/** A number with units is its number. */
const resultOf = (result: unknown): Value | undefined =>
  (typeof result === 'object' && result !== null ? (result as { readonly value: number }).value : result) as
    | Value
    | undefined;
