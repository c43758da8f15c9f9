// Functions that clients may call: how a simulation declares them, and the checks before and after a call.
import type { CallableDescription, ParameterDescription } from '../../model/state/callable.js';
import type { AnyDeclared, Members, PlainOf, ViewOf } from '../../model/state/declare.js';
import { requireDeclared } from '../../model/state/declared.js';
import { fitValue } from '../../model/state/fit-value.js';
import { labelled } from '../../model/state/labelled.js';
import { holdsPointers } from '../../model/state/pointers.js';
import type { Value } from '../../model/state/read.js';
import type { EnumerationType } from '../../model/state/type.js';

/**
 * A function that clients may call. A variable with several values, as in `kick(ball.state)`, is passed as its path.
 * The result must be plain data or a view; a promise counts as no result.
 */
export type SimFunction = (...values: never[]) => unknown;

/** The parameters and the result of a typed function, declared like variables. */
export interface Signature<T extends Members, G extends AnyDeclared> {
  /** By name, in the order in which clients give them; none when left out. */
  readonly takes?: T;
  /** When left out, the function has no result, whatever it returns. */
  readonly gives?: G;
  /** One line that says what the function does. */
  readonly about?: string;
}

/** The checked arguments by name, as plain data that the function may keep. */
export type Given<T extends Members> = { readonly [K in keyof T]: PlainOf<T[K]> };
/** What a function may return: its result as plain data, or the view of a component. */
export type Returned<G extends AnyDeclared> = [G] extends [never] ? unknown : PlainOf<G> | ViewOf<G>;

/** Throws a TypeError with one sentence for anything but a function that ends before it returns. */
export function requireFunction(given: unknown, what: string): void {
  if (typeof given !== 'function') throw new TypeError(`${what} needs a function to call, not ${typeof given}`);
}

const PARAMETER_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

function describe(name: string, signature: Signature<Members, AnyDeclared>): CallableDescription {
  const { takes = {}, gives, about = '' } = signature;
  const parameters = Object.entries(takes).map(([parameter, declared]): ParameterDescription => {
    if (!PARAMETER_NAME.test(parameter)) {
      throw new Error(
        `a parameter of ${name}() is named with letters, digits and _, and starts with no digit: not ${JSON.stringify(parameter)}`,
      );
    }
    return { name: parameter, ...resultOf(`${name}(): ${parameter}`, declared) };
  });
  const described = { name, about, takes: parameters };
  return gives ? { ...described, gives: resultOf(`what ${name}() gives`, gives) } : described;
}

function resultOf(what: string, declared: AnyDeclared) {
  requireDeclared(declared, what);
  const { type, units, about } = declared;
  if (holdsPointers(type)) throw new Error(`${what} cannot hold pointers, which mean nothing to a client`);
  return { type, units, about };
}

/** A function that requests call with values that `fitArguments` has accepted. */
export interface RegisteredFunction {
  readonly described: CallableDescription;
  readonly call: SimFunction;
}

/** The parameters of `sim.function` after the name. */
export type FunctionForms =
  | [call: SimFunction, options?: { readonly about?: string } | undefined]
  | [signature: Signature<Members, AnyDeclared>, call: (given: never) => unknown];

/**
 * Registers a function in either form of `sim.function`. Throws an Error for a signature that clients could not call.
 */
export function registerFunction(name: string, ...given: FunctionForms): RegisteredFunction {
  const [first, second] = given;
  requireFunction(typeof first === 'function' ? first : second, `function ${name}`);
  if (typeof first !== 'function') return typedFunction(describe(name, first), second as (given: never) => unknown);
  const { about = '' } = (second ?? {}) as { readonly about?: string };
  return { described: { name, about }, call: first };
}

/** Simulation code reads labels where it has declared an enumeration by its labels alone. */
const readAsLabel = ({ isByLabel }: EnumerationType): boolean => isByLabel === true;

function typedFunction(described: CallableDescription, call: (given: never) => unknown): RegisteredFunction {
  const { takes = [], gives } = described;
  const callByName = (...fitted: readonly Value[]): unknown => {
    const given = takes.map(({ name, type }, index) => [name, labelled(type, fitted[index] as Value, readAsLabel)]);
    const returned = call(Object.fromEntries(given) as never);
    if (gives) return fitValue(gives.type, returned, 'what it returned');
    // A promise is returned so that its failure is logged; any other value of such a function is ignored.
    return returned instanceof Promise ? returned : undefined;
  };
  return { described, call: callByName };
}
