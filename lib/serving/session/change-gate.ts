// Decides whether values have changed enough since the last message to send another one.
import type { Frame } from '../../model/frame/reader.js';
import type { Value } from '../../model/state/read.js';
import type { Account } from '../scheduling/account.js';
import { Held } from '../scheduling/held.js';
import { bytesIn, KeptValue } from './kept-value.js';
import type { Reference } from './reference.js';
import { valuesOf, valuesShownIn, withPointers } from './value-count.js';

/**
 * How far a number may change without a message, in the requested units: one band for all aliases, or one per alias.
 */
export type DeadBands = number | Readonly<Record<string, number>>;

/** So many values are compared, and written, in one step; of more, only the bytes are compared. */
export const MOST_COMPARED = 5000;

/** Whether values are compared with dead bands that are wider than nothing. */
export const haveDeadBands = (deadBands: DeadBands): boolean =>
  typeof deadBands === 'number' ? deadBands > 0 : Object.values(deadBands).some((band) => band > 0);

export interface ChangeGate {
  /** Whether it reads each value, however many there are. */
  readonly isByValue: boolean;
  /** True for the first frame, and then whenever values differ from those sent last. */
  opensFor(frame: Frame): boolean;
  /** Makes the next frame pass, whether or not a value has changed. */
  reopen(): void;
  /** Remembers the values of a frame that is sent without asking the gate; does nothing once it has values. */
  prime(frame: Frame): void;
  /** Gives back to the account what it has taken. */
  release(): void;
}

abstract class CountedGate implements ChangeGate {
  abstract readonly isByValue: boolean;
  private readonly held: Held;
  /** Takes from the account what is kept of the values; `release` gives it back. Throws an OverBoundError. */
  constructor(
    private readonly account: Account,
    protected readonly references: readonly Reference[],
    private readonly declaredBytes = bytesOf(references),
  ) {
    this.held = new Held(account);
    this.held.set('keptBytes', this.declaredBytes);
  }

  abstract opensFor(frame: Frame): boolean;

  abstract reopen(): void;

  abstract prime(frame: Frame): void;

  release(): void {
    this.held.release();
  }

  /**
   * Takes what more than the declared bytes is needed, for values behind pointers or that have grown; false when that is
   * too much.
   */
  protected mayKeep(bytes: number): boolean {
    const { declaredBytes } = this;
    this.held.set('keptBytes', declaredBytes);
    if (bytes <= declaredBytes) return true;
    if (!this.account.canTake('keptBytes', bytes - declaredBytes)) return false;
    this.held.set('keptBytes', bytes);
    return true;
  }
}

const bytesOf = (references: readonly Reference[]): number =>
  references.reduce((sum, { current }) => sum + (current ? bytesIn(current.type) : 0), 0);

/** The gate of a subscription; undefined when it sends whether or not values have changed. Throws an OverBoundError. */
export function changeGate(
  account: Account,
  references: readonly Reference[],
  deadBands: DeadBands | undefined,
): ChangeGate | undefined {
  if (deadBands === undefined) return undefined;
  if (haveDeadBands(deadBands)) return new ValueGate(account, references, deadBands);
  if (valuesOf(references) > MOST_COMPARED) return new ByteGate(account, references);
  const hasPointers = withPointers(references).length > 0;
  return hasPointers ? new PointerGate(account, references) : new ValueGate(account, references, deadBands);
}

/** Compares values one by one, and lets those pass that lie outside their dead band. */
class ValueGate extends CountedGate {
  readonly isByValue = true;
  private last: readonly (Value | undefined)[] | undefined;
  /** By the place of the reference: bands of other aliases are not kept. */
  private readonly bands: readonly number[];

  constructor(account: Account, references: readonly Reference[], deadBands: DeadBands) {
    super(account, references);
    this.bands = references.map(({ alias }) => bandOf(deadBands, alias));
  }

  opensFor(frame: Frame): boolean {
    const values = this.references.map((reference) => reference.read(frame));
    const { last } = this;
    const isOpen = !last || values.some((value, i) => differ(value, last[i], this.bands[i] as number));
    if (isOpen) this.last = values;
    return isOpen;
  }

  reopen(): void {
    this.last = undefined;
  }

  prime(frame: Frame): void {
    this.last ??= this.references.map((reference) => reference.read(frame));
  }
}

function bandOf(deadBands: DeadBands, alias: string): number {
  if (typeof deadBands === 'number') return deadBands;
  return Object.hasOwn(deadBands, alias) ? (deadBands[alias] as number) : 0;
}

/** Compares the bytes of many values at once, which takes about as long as copying them. */
class ByteGate extends CountedGate {
  readonly isByValue = false;
  private readonly last: readonly KeptValue[];
  private hasLast = false;

  constructor(account: Account, references: readonly Reference[], declaredBytes?: number) {
    super(account, references, declaredBytes);
    this.last = references.map((reference) => new KeptValue(reference));
  }

  opensFor(frame: Frame): boolean {
    if (this.hasLast && this.last.every((one) => one.isIn(frame))) return false;
    this.keep(frame);
    return true;
  }

  reopen(): void {
    this.hasLast = false;
  }

  prime(frame: Frame): void {
    if (!this.hasLast) this.keep(frame);
  }

  forget(): void {
    this.hasLast = false;
    for (const one of this.last) one.forget();
    this.mayKeep(0);
  }

  /** Values that are too large to keep pass at every frame. */
  private keep(frame: Frame): void {
    this.hasLast = this.mayKeep(this.last.reduce((sum, one) => sum + one.sizeIn(frame), 0));
    for (const one of this.last) {
      if (this.hasLast) one.keep(frame);
      else one.forget();
    }
  }
}

/** Compares values while there are few behind the pointers of a frame, and bytes while there are many. */
class PointerGate implements ChangeGate {
  readonly isByValue = false;
  private readonly few: ValueGate;
  private readonly many: ByteGate;

  constructor(
    account: Account,
    private readonly references: readonly Reference[],
  ) {
    this.few = new ValueGate(account, references, 0);
    this.many = new ByteGate(account, references, 0);
  }

  opensFor(frame: Frame): boolean {
    return this.gateFor(frame).opensFor(frame);
  }

  reopen(): void {
    this.few.reopen();
    this.many.reopen();
  }

  prime(frame: Frame): void {
    this.gateFor(frame).prime(frame);
  }

  release(): void {
    this.few.release();
    this.many.release();
  }

  /** The other gate forgets what it has kept: between few values and many there is a change. */
  private gateFor(frame: Frame): ChangeGate {
    if (valuesShownIn(frame, this.references) > MOST_COMPARED) {
      this.few.reopen();
      return this.many;
    }
    this.many.forget();
    return this.few;
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
