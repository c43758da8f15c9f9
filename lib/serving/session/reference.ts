// A client's reference to a variable with the units it asked for; looks the variable up again when the catalog changes.

import type { Frame, Shown } from '../../model/frame/reader.js';
import type { Catalog } from '../../model/state/catalog.js';
import { readVariable, type Value } from '../../model/state/read.js';
import type { Variable } from '../../model/state/variable.js';
import { type Converter, exactConverter } from '../../model/units/index.js';
import { DerivedSignal, derivedSignal, isExpression } from '../../source/derived/signals.js';
import type { Source } from '../../source/source.js';
import { UnknownVariableError, WriteOnlyError } from './errors.js';
import { unitOf } from './own-units.js';

/** Throws an UnknownVariableError with the nearest names. */
export function findVariable({ catalog }: Pick<Source, 'catalog'>, alias: string): Variable {
  const variable = catalog.find(alias);
  if (variable) return variable;
  const nearest = catalog.nearest(alias);
  throw new UnknownVariableError(catalog.explain(alias, nearest), alias, nearest);
}

/** Where a path is looked up: among what the source has, or among the recordings beside it. */
export function catalogOf({ catalog, references }: Pick<Source, 'catalog' | 'references'>, path: string): Catalog {
  const [top = ''] = references ? (/\w+/.exec(path) ?? []) : [];
  return references?.catalog.hasName(top) ? references.catalog : catalog;
}

/** As `findVariable`, also of the recordings beside a simulation. */
export const findBeside = (source: Source, alias: string): Variable =>
  findVariable({ catalog: catalogOf(source, alias) }, alias);

/** As `findBeside`, and what an expression gives as a variable that lies nowhere. Throws an ExpressionError too. */
export const findReadable = (source: Source, alias: string): Variable =>
  isExpression(alias) ? signalOf(source, alias).variable : findBeside(source, alias);

/**
 * The variables at and below one, or all of them; behind another one, to go on. Throws an UnknownVariableError for either.
 */
export function variablesOf(source: Source, under: string | undefined, after: string | undefined): Iterable<Variable> {
  const behind = after === undefined ? undefined : findBeside(source, after);
  if (under !== undefined) {
    const catalog = catalogOf(source, under);
    const top = findVariable({ catalog }, under);
    return behind ? catalog.withinBehind(top, behind) : catalog.within(top);
  }
  const catalog = behind ? catalogOf(source, behind.path) : source.catalog;
  const rest = behind ? catalog.variablesBehind(behind) : catalog.variables();
  const beside = source.references?.catalog;
  return beside && beside !== catalog ? both(rest, beside.variables()) : rest;
}

function* both<T>(one: Iterable<T>, other: Iterable<T>): Generator<T> {
  yield* one;
  yield* other;
}

const signalOf = (source: Source, alias: string): DerivedSignal =>
  derivedSignal(source, alias, (path) => findBeside(source, path));

/** What has a value that lies in no frame. */
interface Computed {
  readonly variable: Variable;
  isCarriedBy(frame: Frame): boolean;
  valueAt(frame: Frame): Value | undefined;
}

/** Undefined for a variable of the source, and for what there is not. Throws an ExpressionError. */
function computedOf(source: Source, alias: string): Computed | undefined {
  if (isExpression(alias)) return signalOf(source, alias);
  const { references } = source;
  const variable = references && catalogOf(source, alias) === references.catalog && references.catalog.find(alias);
  if (!variable) return undefined;
  const valueAt = ({ header }: Frame): Value | undefined => references.valueAt(variable, header.clockSeconds);
  return { variable, isCarriedBy: () => true, valueAt };
}

/** A reference in all protocols but Trick's, whose references show a missing variable as BAD_REF (lib/protocols/trick/wire). */
export class Reference implements Shown {
  private catalogVersion: number;
  private variable: Variable | undefined;
  /** Of an expression, while its variables are there, and of a recording beside the simulation. */
  private computed: Computed | undefined;
  private keyOfValue: string | undefined;
  /** The alias in its normal spelling. */
  readonly path: string;
  /** Equal for two references only if they give the same values under the same alias. */
  readonly key: string;
  /** Converts from the variable's own units to the requested ones; undefined when they are the same. */
  readonly conversion: Converter | undefined;

  /**
   * Throws an UnknownVariableError, a WriteOnlyError for a variable that clients may not read, or a UnitsError for
   * units that do not convert.
   */
  constructor(
    private readonly source: Source,
    /** The path as the client wrote it; answers carry the same spelling. */
    readonly alias: string,
    /** UDUNITS text; the variable's own units when left out. */
    readonly units?: string,
  ) {
    this.computed = computedOf(source, alias);
    const variable = this.computed?.variable ?? findBeside(source, alias);
    if (variable.access === 'write-only') throw new WriteOnlyError(variable.path);
    this.variable = variable;
    this.path = variable.path;
    this.key = JSON.stringify([alias, units]);
    this.catalogVersion = source.catalog.version;
    const conversion = units === undefined ? undefined : exactConverter(unitOf(variable), units);
    this.conversion = conversion?.isIdentity ? undefined : conversion;
  }

  /** Equal for every spelling of one path, which all give equal values. */
  get valueKey(): string {
    this.keyOfValue ??= this.alias === this.path ? this.key : JSON.stringify([this.path, this.units]);
    return this.keyOfValue;
  }

  isCarriedBy(frame: Frame): boolean {
    const variable = this.current;
    if (this.computed) return this.computed.isCarriedBy(frame);
    return !variable || frame.carries(variable);
  }

  /** The value in the requested units; undefined while the variable is gone or cannot be reached. */
  read(frame: Frame): Value | undefined {
    return this.valueOf(this.current, frame);
  }

  /** What computes an expression. */
  get signal(): DerivedSignal | undefined {
    return this.computed instanceof DerivedSignal ? this.computed : undefined;
  }

  /** The value that lies in no frame, in the requested units; undefined of a variable of the source. */
  computedIn(frame: Frame): Value | undefined {
    return this.computed && this.valueOf(undefined, frame);
  }

  /** As `read`, of a frame that was copied when the variable was this one: the catalog may have changed since. */
  valueOf(variable: Variable | undefined, frame: Frame): Value | undefined {
    const value = this.computed ? this.computed.valueAt(frame) : variable && readVariable(variable, frame.memory);
    return this.conversion && value !== undefined ? convertNumbers(value, this.conversion) : value;
  }

  /** Whether the value lies in no frame: of an expression, or of a recording beside the simulation. */
  get isComputed(): boolean {
    return this.computed !== undefined || isExpression(this.alias);
  }

  /** Whether the values are others than lie in the memory: in other units, or computed. */
  get isConverted(): boolean {
    return this.conversion !== undefined || this.isComputed;
  }

  /** Whether there is such a variable now, and clients may read it. */
  get isReadable(): boolean {
    const { current } = this;
    return current !== undefined && current.access !== 'write-only';
  }

  /** The variable in the current catalog. */
  get current(): Variable | undefined {
    const { catalog } = this.source;
    if (catalog.version !== this.catalogVersion) {
      this.catalogVersion = catalog.version;
      this.lookUp();
    }
    return this.variable;
  }

  private lookUp(): void {
    try {
      this.computed = computedOf(this.source, this.alias);
      this.variable = this.computed?.variable ?? this.source.catalog.find(this.alias);
    } catch {
      this.computed = undefined;
      this.variable = undefined;
    }
  }
}

/**
 * Bytes that are kept of the spellings of these, in references, keys of feeds and messages: each alias can be 4,096
 * characters long, whatever it names.
 */
export const spelledBytes = (references: readonly Reference[]): number =>
  references.reduce((sum, { alias, key }) => sum + 2 * (alias.length + 2 * key.length), 0);

export function convertNumbers(value: Value, conversion: Converter): Value {
  if (typeof value === 'number' || typeof value === 'bigint') return conversion.convert(Number(value));
  return Array.isArray(value) ? value.map((item: Value) => convertNumbers(item, conversion)) : value;
}
