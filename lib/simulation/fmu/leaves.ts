// What a single variable of an FMU is in the catalog: its type, units, range, and who may write it when.
import {
  type AnyDeclared,
  array,
  bool,
  double,
  enumeration,
  float,
  int,
  longLong,
  short,
  text,
  unsignedChar,
  unsignedInt,
  unsignedLongLong,
  unsignedShort,
  type VariableOptions,
} from '../../model/state/declare.js';
import type { FmuType, FmuVariable, ModelDescription } from './description.js';
import { identifier } from './names.js';
import { unitsText } from './units.js';

/** A variable of an FMU with its declaration. */
export interface Leaf {
  readonly kind: 'leaf';
  readonly variable: FmuVariable;
  readonly declared: AnyDeclared;
  /** Equal for variables that can be elements of one array. */
  readonly signature: string;
  readonly extents: readonly number[];
}

/** Who may write a variable when. */
export type Writing = 'always' | 'before the run' | 'never';

export function writingOf({ causality, variability, initial }: FmuVariable): Writing {
  if (causality === 'input') return 'always';
  if (causality === 'parameter') return variability === 'tunable' ? 'always' : 'before the run';
  const isOwn = causality === 'structuralParameter' || causality === 'independent' || variability === 'constant';
  return !isOwn && (initial === 'exact' || initial === 'approx') ? 'before the run' : 'never';
}

type Declarer = (extents: readonly number[], options: VariableOptions) => AnyDeclared;

const NUMBERS: Partial<Record<FmuType, Declarer>> = {
  Float64: double,
  Float32: float,
  // An array of C's char is text.
  Int8: short,
  UInt8: unsignedChar,
  Int16: short,
  UInt16: unsignedShort,
  Int32: int,
  UInt32: unsignedInt,
  Int64: longLong,
  UInt64: unsignedLongLong,
  Boolean: bool,
};

const TEXT_BYTES = 255;
const MOST_TEXT_BYTES = 64 * 1024;
const MOST_ELEMENTS = 10_000_000;

export class LeafMaker {
  private readonly enumerations = new Map<string, AnyDeclared>();
  /** Starts of structural parameters by value reference. */
  private readonly sizes = new Map<number, number>();

  constructor(private readonly description: ModelDescription) {
    for (const { causality, variability, valueReference, start } of description.variables)
      if (causality === 'structuralParameter' || variability === 'constant')
        this.sizes.set(valueReference, Number(start));
  }

  /** Why a variable has no place in the catalog, as text. */
  leafOf(variable: FmuVariable): Leaf | string {
    const { type, about, name } = variable;
    if (type === 'Binary') return 'it holds bytes without a type, for which the catalog has none';
    if (type === 'Clock') return 'it is a clock';
    const extents = this.extentsOf(variable);
    if (!extents) return 'the extents of the array are not known';
    const writing = writingOf(variable);
    const units = unitsText(
      variable.unit === undefined
        ? undefined
        : (this.description.units.get(variable.unit) ?? { name: variable.unit, base: undefined }),
      variable.isRelative,
    );
    const path = identifier(name) === name ? '' : name;
    const options: VariableOptions = {
      units,
      about: [about, pathNote(path, variable)].filter((part) => part !== '').join('; '),
      access: writing === 'never' ? 'read-only' : 'read-write',
      ...(writing === 'before the run' && { fixed: true }),
    };
    const range = writing === 'never' ? {} : rangeOf(variable);
    const signature = [type, variable.declaredType, units, writing, range.min, range.max, extents].join('|');
    return {
      kind: 'leaf',
      variable,
      extents,
      signature,
      declared: this.declaredOf(variable, extents, { ...options, ...range }),
    };
  }

  private extentsOf({ extents }: FmuVariable): readonly number[] | undefined {
    const lengths = extents.map((extent) =>
      typeof extent === 'number' ? extent : this.sizes.get(extent.valueReference),
    );
    const isKnown = lengths.every((length) => Number.isInteger(length) && (length as number) > 0);
    const count = lengths.reduce<number>((product, length) => product * (length as number), 1);
    return isKnown && count <= MOST_ELEMENTS ? (lengths as number[]) : undefined;
  }

  private declaredOf(variable: FmuVariable, extents: readonly number[], options: VariableOptions): AnyDeclared {
    const declarer = NUMBERS[variable.type];
    if (declarer) return declarer(extents, options);
    const one =
      variable.type === 'String' ? text(capacityOf(variable), options) : this.enumerationOf(variable, options);
    return extents.reduceRight<AnyDeclared>((inner, length) => array(inner, length), one);
  }

  private enumerationOf({ declaredType = '', name }: FmuVariable, options: VariableOptions): AnyDeclared {
    const known = this.enumerations.get(declaredType);
    if (known) return { ...known, ...options };
    const labels: Record<string, number> = {};
    for (const item of this.description.enumerations.get(declaredType)?.items ?? []) {
      const label = identifier(item.name);
      labels[label in labels ? `${label}_${item.value}` : label] = item.value;
    }
    const typeName = `${identifier(this.description.modelName)}_${identifier(declaredType || name)}`;
    const made = enumeration(typeName, labels, options);
    this.enumerations.set(declaredType, made);
    return made;
  }
}

/** The name in the FMU where the path does not show it, and the state of a derivative. */
function pathNote(path: string, { derivativeOf }: FmuVariable): string {
  if (path === '' || /^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/.test(path)) return '';
  return derivativeOf === undefined ? `in the FMU ${path}` : `in the FMU ${path}, the derivative of ${derivativeOf}`;
}

function rangeOf({ type, min, max }: FmuVariable): { min?: number; max?: number } {
  if (type === 'Boolean' || type === 'Enumeration' || type === 'String' || type.endsWith('64') !== (type === 'Float64'))
    return {};
  const [least, greatest] = [Number(min ?? Number.NaN), Number(max ?? Number.NaN)];
  if (least > greatest) return {};
  return { ...(Number.isFinite(least) && { min: least }), ...(Number.isFinite(greatest) && { max: greatest }) };
}

const capacityOf = ({ startTexts }: FmuVariable): number =>
  Math.min(MOST_TEXT_BYTES, Math.max(TEXT_BYTES, ...startTexts.map((start) => 2 * Buffer.byteLength(start))));
