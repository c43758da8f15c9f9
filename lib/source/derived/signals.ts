// Derived signals of a source: each expression is computed once for all who read it, of every row when it needs those before.

import { Reason } from '../../model/frame/header.js';
import type { Frame } from '../../model/frame/reader.js';
import { readVariable } from '../../model/state/read.js';
import type { NumberType } from '../../model/state/type.js';
import type { Variable } from '../../model/state/variable.js';
import type { Source } from '../source.js';
import { type Compiled, compile, ExpressionError, type FormulaRow, rowIn } from './compile.js';

/** An alias that begins so is an expression. */
const MARK = '=';
export const isExpression = (alias: string): boolean => alias.startsWith(MARK);

/** Signals of one server; one that nobody has read for a while gives way. */
const MOST_SIGNALS = 200;
const IDLE_MILLIS = 60_000;
/** Values of the latest frames, for who reads a little later. */
const KEPT_VALUES = 256;
const DOUBLE: NumberType = { kind: 'number', name: 'double' };
/** It lies nowhere in a memory. */
const NOWHERE = -1;

export class DerivedSignal {
  /** As a variable that clients may read. */
  readonly variable: Variable;
  private readonly values = new Map<number, number>();
  private lastNumber = -1;
  private jumps: number | undefined;
  private unfollow: (() => void) | undefined;
  private readMillis: number;
  /** Whether rows before its first frame are being computed. */
  private isFilling = false;

  constructor(
    private readonly source: Source,
    path: string,
    private readonly compiled: Compiled,
  ) {
    const { units } = compiled;
    this.variable = {
      path,
      type: DOUBLE,
      units,
      about: 'computed by the server',
      access: 'read-only',
      offsetBytes: NOWHERE,
      hops: [],
    };
    this.readMillis = source.frame.header.wallMillis;
  }

  isCarriedBy(frame: Frame): boolean {
    let isWhole = true;
    for (const input of this.compiled.inputs) isWhole = (isBeside(input) || frame.carries(input)) && isWhole;
    return isWhole;
  }

  /** Whether it is computed of one of these objects. */
  readsAny(objects: ReadonlySet<string>): boolean {
    for (const { path } of this.compiled.inputs)
      for (const name of objects) if (path === name || path.startsWith(`${name}.`)) return true;
    return false;
  }

  /** Whether nobody has read it for a while. */
  get isIdle(): boolean {
    return this.source.frame.header.wallMillis - this.readMillis > IDLE_MILLIS;
  }

  /** NaN where it is not known: before there were rows enough, and of a frame that has gone by. */
  valueAt(frame: Frame): number {
    this.readMillis = this.source.frame.header.wallMillis;
    const { compute, overRows } = this.compiled;
    if (overRows.length === 0) return compute(this.rowOf(frame));
    if (this.isFilling) return Number.NaN;
    this.unfollow ??= this.source.onFrame((each) => this.follow(each));
    return this.step(frame);
  }

  /** Of what it is computed. */
  get inputs(): readonly Variable[] {
    return this.compiled.inputs;
  }

  /** Begins to compute rows of the past, in order, before its first frame; false for one that has looked at rows already. */
  beginFilling(): boolean {
    if (this.compiled.overRows.length === 0) return true;
    if (this.unfollow || this.isFilling) return false;
    this.isFilling = true;
    return true;
  }

  /** Undefined for a time at which it is not known, after which all begins anew. */
  fill(row: FormulaRow | undefined): number {
    if (row) return this.compiled.compute(row);
    this.reset();
    return Number.NaN;
  }

  endFilling(): void {
    this.isFilling = false;
  }

  end(): void {
    this.unfollow?.();
    this.unfollow = undefined;
    this.values.clear();
    this.reset();
  }

  private follow(frame: Frame): undefined {
    if (this.isIdle) this.end();
    else if (frame.header.reason !== Reason.scheduled) this.step(frame);
  }

  private step(frame: Frame): number {
    const { number, jumps } = frame.header;
    const known = this.values.get(number);
    if (known !== undefined) return known;
    if (number <= this.lastNumber || !this.isCarriedBy(frame)) return Number.NaN;
    if (this.jumps !== undefined && this.jumps !== jumps) this.reset();
    this.jumps = jumps;
    this.lastNumber = number;
    const value = this.compiled.compute(this.rowOf(frame));
    this.values.set(number, value);
    if (this.values.size > KEPT_VALUES) this.values.delete(this.values.keys().next().value as number);
    return value;
  }

  private rowOf({ memory, header }: Frame): FormulaRow {
    const { references } = this.source;
    const seconds = header.clockSeconds;
    return rowIn(seconds, (variable) =>
      isBeside(variable) ? references?.valueAt(variable, seconds) : readVariable(variable, memory),
    );
  }

  private reset(): void {
    for (const rows of this.compiled.overRows) rows.reset();
  }
}

/** Whether a variable is of a recording beside the source, and lies in no frame. */
const isBeside = ({ offsetBytes }: Variable): boolean => offsetBytes < 0;

class Signals {
  private readonly all = new Map<string, DerivedSignal>();
  private catalogVersion: number;

  constructor(private readonly source: Source) {
    this.catalogVersion = source.catalog.version;
  }

  of(alias: string, find: (path: string) => Variable): DerivedSignal {
    this.keepUp();
    const text = alias.slice(MARK.length).trim();
    const path = `${MARK}${text.replaceAll(/\s+/g, ' ')}`;
    const known = this.all.get(path);
    if (known) return known;
    const made = new DerivedSignal(this.source, path, compile(text, find));
    this.makeRoom();
    this.all.set(path, made);
    return made;
  }

  private makeRoom(): void {
    if (this.all.size < MOST_SIGNALS) return;
    for (const [path, signal] of this.all) {
      if (!signal.isIdle) continue;
      signal.end();
      this.all.delete(path);
    }
    if (this.all.size >= MOST_SIGNALS)
      throw new ExpressionError(
        `${MOST_SIGNALS} derived signals are computed already; wait until some are not read any more`,
      );
  }

  /** Signals of objects that have changed begin anew; those of others go on. */
  private keepUp(): void {
    const { catalog } = this.source;
    if (catalog.version === this.catalogVersion) return;
    const changed = catalog.changedSince(this.catalogVersion);
    this.catalogVersion = catalog.version;
    for (const [path, signal] of this.all) {
      if (changed && !signal.readsAny(changed)) continue;
      signal.end();
      this.all.delete(path);
    }
  }
}

const signalsOf = new WeakMap<Source, Signals>();

/**
 * The signal of an alias that is an expression. Throws an ExpressionError, or what `find` throws for a path without a
 * variable.
 */
export function derivedSignal(source: Source, alias: string, find: (path: string) => Variable): DerivedSignal {
  const known = signalsOf.get(source);
  const signals = known ?? new Signals(source);
  if (!known) signalsOf.set(source, signals);
  return signals.of(alias, find);
}
