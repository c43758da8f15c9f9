// Checks the units of all variables when a simulation has been built.
import { type Member, shapeOf } from '../../model/state/type.js';
import { mapTrickUnits } from '../../model/units/trick-units.js';
import { findUnit } from '../../model/units/unit-names.js';

/** Products and quotients of names with one-digit powers, such as kg*m2/s: no grammar is needed to check them. */
const PLAIN = /^[A-Za-z]+\d?(?:[*/][A-Za-z]+\d?)*$/;

function isPlainlyValid(units: string): boolean {
  if (units === '1') return true;
  return PLAIN.test(units) && units.split(/[*/]/).every((factor) => findUnit(factor.replace(/\d$/, '')) !== undefined);
}

interface Doubt {
  readonly path: string;
  readonly units: string;
  /** Where it was declared. */
  readonly stack: string | undefined;
}

/** Lengths that need no grammar to be known as such, in metres. */
const LENGTHS: ReadonlyMap<string, number> = new Map([
  ['m', 1],
  ['km', 1000],
  ['cm', 0.01],
  ['mm', 0.001],
  ['ft', 0.3048],
]);

export class DeclaredUnits {
  private readonly seen = new Set<string>();
  private readonly doubts: Doubt[] = [];
  private readonly doubtedLengths: (Doubt & { readonly found: (metres: number) => void })[] = [];
  private isOver = false;

  /** Whether the simulation is still being built. */
  get isOpen(): boolean {
    return !this.isOver;
  }

  /** Looks at the units of a new component, or of a parameter or result of a function. */
  look(path: string, { units, type }: Pick<Member, 'units' | 'type'>): void {
    if (this.isOver) return;
    const mapped = mapTrickUnits(units);
    if (!this.seen.has(mapped)) {
      this.seen.add(mapped);
      if (!isPlainlyValid(mapped)) this.doubts.push({ path, units: mapped, stack: new Error().stack });
    }
    const { element } = shapeOf(type);
    const inner = element.kind === 'sequence' ? element.element : element;
    if (inner.kind === 'struct') for (const member of inner.members) this.look(`${path}.${member.name}`, member);
  }

  /**
   * Looks at the units of what must be a length.
   * @param path what it is, for the sentence.
   * @param found is told how many metres a unit is, at the end of the build at the latest.
   */
  lookLength(path: string, units: string, found: (metres: number) => void): void {
    const mapped = mapTrickUnits(units);
    const metres = LENGTHS.get(mapped);
    if (metres !== undefined) found(metres);
    else this.doubtedLengths.push({ path, units: mapped, stack: new Error().stack, found });
  }

  /** Ends the build. Rejects with an Error that names the first variable or parameter whose units do not exist or do not fit. */
  async require(): Promise<void> {
    this.isOver = true;
    if (this.doubts.length + this.doubtedLengths.length === 0) return;
    // The grammar of units takes a while to load, and most simulations do not need it at their start.
    const { areConvertible, converter } = await import('../../model/units/index.js');
    for (const { path, units, stack } of this.doubts) {
      try {
        converter(units, units);
      } catch (error) {
        const refusal = new Error(`${path} has ${(error as Error).message}`, { cause: error });
        throw Object.assign(refusal, { stack });
      }
    }
    for (const { path, units, stack, found } of this.doubtedLengths) {
      const conversion = areConvertible(units, 'm') ? converter(units, 'm') : undefined;
      if (conversion && !conversion.isReciprocal) {
        found(conversion.slope);
        continue;
      }
      throw Object.assign(new Error(`${path} is a length in units such as m, not ${units}`), { stack });
    }
  }
}
