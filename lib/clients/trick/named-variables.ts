// The names and value types of a simulation's variables, for the compiler: from its definition, or from a list of them.
import type { SettableValue, TrickValue, Variables } from './value.js';

declare const LABELS: unique symbol;

/** The value of an enumeration: a number when it is read; a number or one of its labels when it is set. */
export type Enumeration<L extends string> = number & { readonly [LABELS]: L };

export type Name<V> = keyof V & string;
/** A variable of a subscription. */
export type Subscribed<V> = Name<V> | { readonly name: Name<V>; readonly units?: string };
type NameIn<S> = S extends { readonly name: infer N } ? N : S;
export type Held<T> = T extends TrickValue ? T : never;
/** The values of a subscription, in its order. */
export type ValuesOf<V, S extends readonly unknown[]> = {
  readonly [I in keyof S]: Held<V[NameIn<S[I]> & keyof V]> | undefined;
};

/**
 * What `get` gives with labels: a label, or a number that has none. A plain number may be an enumeration that was
 * declared with numbers, so its type allows text too.
 */
export type Labelled<V> =
  V extends Enumeration<infer L>
    ? L | number
    : V extends readonly (infer E)[]
      ? readonly Labelled<E>[]
      : V extends number
        ? number | string
        : V;

/** A simulation of varwire whose build returns its views: `return { ball }`. */
interface Definition<S> {
  readonly build: (...given: never[]) => S;
}

/**
 * The variables of `D`. For a definition (`typeof simulation`) they are those that its build returns, and Trick's own;
 * otherwise `D` itself lists them, as `varwire types` writes it.
 */
export type VariablesOf<D> =
  D extends Definition<infer S>
    ? { readonly [E in InObjects<Awaited<S>> as E['name']]: E['value'] } & TrickVariables
    : D extends Variables
      ? D
      : never;

/** Trick's own variables, and the time. */
export type TrickVariables = Readonly<Record<`trick_${string}`, TrickValue>> & { readonly time: number };

interface Named<N extends string, V> {
  readonly name: N;
  readonly value: V;
}

type Numbers =
  | Float64Array
  | Float32Array
  | Int8Array
  | Int16Array
  | Int32Array
  | Uint8Array
  | Uint16Array
  | Uint32Array;
type BigNumbers = BigInt64Array | BigUint64Array;

/** What a build returns: objects by name, with their views. */
type InObjects<S> = S extends object ? { [K in keyof S & string]: InObject<K, S[K]> }[keyof S & string] : never;
type InObject<N extends string, V> = V extends object ? InView<N, V> : never;

/** The variables at and below a view. */
type InView<N extends string, V> = [V] extends [string | null]
  ? Named<N, string extends V ? string : null extends V ? string : Enumeration<V & string>>
  : V extends (...given: never[]) => unknown
    ? never
    : V extends bigint | boolean | number
      ? Named<N, Widened<V>>
      : V extends object
        ? InStructured<N, V>
        : never;

type InStructured<N extends string, V extends object> = V extends Numbers
  ? Listed<N, number>
  : V extends BigNumbers
    ? Listed<N, bigint>
    : V extends Sequence<infer E>
      ? InView<`${N}[${number}]`, E>
      : V extends Iterable<infer E>
        ? InArray<N, E>
        : [keyof V] extends ['value']
          ? InView<N, V['value' & keyof V]>
          : { [K in keyof V & string]: InView<`${N}.${K}`, V[K]> }[keyof V & string];

/** A container or a pointer: only its elements have values. */
type Sequence<E> = Iterable<E> & ({ readonly capacity: number } | { readonly isNull: boolean });
type Listed<N extends string, E> = Named<N, readonly E[]> | Named<`${N}[${number}]`, E>;
type InArray<N extends string, E> =
  | InView<`${N}[${number}]`, E>
  | (Row<E> extends never ? never : Named<N, readonly Row<E>[]>);

/** What the elements of an array are when the array is read as a whole; never for structures. */
type Row<E> = E extends Numbers
  ? number
  : E extends BigNumbers
    ? bigint
    : [E] extends [string]
      ? string extends E
        ? string
        : Enumeration<E>
      : E extends number | bigint | boolean
        ? Widened<E>
        : never;
type Widened<V> = V extends boolean ? boolean : V extends bigint ? bigint : V extends number ? number : string;

/** What `set` takes for a variable of a value type: labels for enumerations, nested lists for arrays. */
export type Settable<V> = [TrickValue] extends [V] ? SettableValue : SettableOf<V>;

type SettableOf<V> =
  V extends Enumeration<infer L>
    ? number | L
    : V extends bigint
      ? bigint | number
      : V extends boolean
        ? boolean
        : V extends readonly (infer E)[]
          ? readonly SettableElement<E>[]
          : V;
type SettableElement<E> = SettableOf<E> | readonly SettableElement<E>[];
