// Decides whether values have changed enough since the last message to send another one.
import type { Frame } from '../frame/reader.js';
import type { Value } from '../model/read.js';
import type { Reference } from './reference.js';

/**
 * How far a number may change without a message, in the requested units: one band for all aliases, or one per alias.
 */
export type DeadBands = number | Readonly<Record<string, number>>;

export class ChangeGate {
  private last: readonly (Value | undefined)[] | undefined;

  constructor(
    private readonly references: readonly Reference[],
    private readonly deadBands: DeadBands,
  ) {}

  /** True for the first frame, and then whenever a value lies outside its dead band around the value sent last. */
  opensFor(frame: Frame): boolean {
    const values = this.references.map((reference) => reference.read(frame));
    const { last } = this;
    const isOpen = !last || values.some((value, i) => differ(value, last[i], this.bandOf(i)));
    if (isOpen) this.last = values;
    return isOpen;
  }

  /** Makes the next frame pass, whether or not a value has changed. */
  reopen(): void {
    this.last = undefined;
  }

  /** Remembers the values of a frame that is sent without asking the gate; does nothing once it has values. */
  prime(frame: Frame): void {
    this.last ??= this.references.map((reference) => reference.read(frame));
  }

  private bandOf(index: number): number {
    const { alias } = this.references[index] as Reference;
    if (typeof this.deadBands === 'number') return this.deadBands;
    return Object.hasOwn(this.deadBands, alias) ? (this.deadBands[alias] as number) : 0;
  }
}

function differ(a: Value | undefined, b: Value | undefined, band: number): boolean {
  if (typeof a === 'number' && typeof b === 'number') return !Object.is(a, b) && !(Math.abs(a - b) <= band);
  if (typeof a === 'bigint' && typeof b === 'bigint') return a !== b && Math.abs(Number(a - b)) > band;
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return a !== b;
  const [left, right] = [Object.entries(a), b as Readonly<Record<string, Value>>];
  if (left.length !== Object.keys(b).length) return true;
  return left.some(([name, item]) => differ(item as Value, right[name], band));
}
