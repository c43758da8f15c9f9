// A client's hold on a variable, with the units it asked for: finds it anew when the catalog changes.
import type { Frame, Shown } from '../frame/reader.js';
import { type JsonValue, toJson } from '../json-rpc/json-value.js';
import { RpcCode, RpcError } from '../json-rpc/rpc-error.js';
import type { Value } from '../model/read.js';
import { readVariable } from '../model/read.js';
import type { Variable } from '../model/variable.js';
import type { Source } from '../source/source.js';
import { type Converter, converter } from '../units/index.js';

/** UDUNITS text of a variable's units; 1 where Trick writes `--`. */
export const unitOf = (variable: Variable): string => (variable.units === '--' ? '1' : variable.units);

/** Throws an RpcError with the nearest names. */
export function findVariable(source: Source, alias: string): Variable {
  const variable = source.catalog.find(alias);
  if (variable) return variable;
  const nearest = source.catalog.nearest(alias);
  throw new RpcError(RpcCode.unknownVariable, source.catalog.explain(alias), { alias, nearest });
}

export class Reference implements Shown {
  private catalogVersion: number;
  private variable: Variable | undefined;
  private readonly conversion: Converter | undefined;

  /** Throws an RpcError for an unknown or write-only variable, a UnitsError for units that do not convert. */
  constructor(
    private readonly source: Source,
    /** As the client wrote it; answers carry the same spelling. */
    readonly alias: string,
    readonly units: string | undefined,
  ) {
    const variable = findVariable(source, alias);
    if (variable.access === 'write-only') throw new RpcError(RpcCode.notReadable, `${variable.path} is write-only`);
    this.variable = variable;
    this.catalogVersion = source.catalog.version;
    const conversion = units === undefined ? undefined : converter(unitOf(variable), units);
    this.conversion = conversion?.isIdentity ? undefined : conversion;
  }

  /** Tells two references apart that do not give the same values. */
  get key(): string {
    return JSON.stringify([this.alias, this.units]);
  }

  isShownIn(frame: Frame): boolean {
    const variable = this.current;
    return !variable || frame.shows(variable);
  }

  /** In the requested units; undefined while the variable is gone or cannot be reached. */
  read(frame: Frame): Value | undefined {
    const variable = this.current;
    const value = variable && readVariable(variable, frame.memory);
    return this.conversion && value !== undefined ? convertNumbers(value, this.conversion) : value;
  }

  /** Whether the values are in other units than the variable's own. */
  get isConverted(): boolean {
    return this.conversion !== undefined;
  }

  json(frame: Frame): JsonValue {
    return toJson(this.read(frame));
  }

  /** The variable as the present catalog has it. */
  get current(): Variable | undefined {
    const { catalog } = this.source;
    if (catalog.version !== this.catalogVersion) {
      this.catalogVersion = catalog.version;
      this.variable = catalog.find(this.alias);
    }
    return this.variable;
  }
}

function convertNumbers(value: Value, conversion: Converter): Value {
  if (typeof value === 'number' || typeof value === 'bigint') return conversion.convert(Number(value));
  return Array.isArray(value) ? value.map((item: Value) => convertNumbers(item, conversion)) : value;
}

/** Units for all aliases, or by alias. */
export type RequestedUnits = string | Readonly<Record<string, string>> | undefined;

/** One reference an alias, each once. Throws what a Reference throws, before any is used. */
export function createReferences(source: Source, aliases: readonly string[], units: RequestedUnits): Reference[] {
  const unique = [...new Set(aliases)];
  if (units !== undefined && typeof units !== 'string') checkUnitAliases(unique, units);
  return unique.map((alias) => new Reference(source, alias, unitsFor(units, alias)));
}

export function unitsFor(units: RequestedUnits, alias: string): string | undefined {
  if (units === undefined || typeof units === 'string') return units;
  return Object.hasOwn(units, alias) ? units[alias] : undefined;
}

export function checkUnitAliases(aliases: readonly string[], units: Readonly<Record<string, string>>): void {
  const stray = Object.keys(units).find((alias) => !aliases.includes(alias));
  if (stray !== undefined) {
    throw new RpcError(RpcCode.invalidParams, `units are given for ${JSON.stringify(stray)}, which is not asked for`);
  }
}

export interface SimTime {
  readonly sec_si: number;
  readonly label: string;
}

/** The simulation time of a frame by the simulation's own clock. */
export const simTimeOf = (source: Source, { header }: Frame): SimTime => ({
  sec_si: header.clockSeconds,
  label: source.info.clockLabel,
});
