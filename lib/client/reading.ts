// Reads values: the questions, and what is made of their replies.
import { meantWhere } from '../units/usual-spellings.js';
import type { Field } from './ascii-decoder.js';
import type { Decoded } from './binary-decoder.js';
import type { Channel } from './channel.js';
import { askSizes, elementwise } from './containers.js';
import { BadReferenceError, UnitsError, ValueTooLargeError } from './errors.js';
import { fieldTypeOf } from './list-assembler.js';
import { askAscii, askBinary, askInUnits, type Form } from './questions.js';
import type { Shapes } from './shapes.js';
import type { Measured, TrickValue } from './value.js';

export interface ReadingParts {
  readonly form: Form;
  readonly shapes: Shapes;
  readonly channel: () => Promise<Channel>;
  /** The form in which the session is left between questions. */
  readonly resting: () => Form;
  /** Whether a subscription uses the session's list. */
  readonly isListTaken: () => boolean;
}

const OWN_UNITS = 'xx';

export class Reading {
  constructor(private readonly parts: ReadingParts) {}

  /** A container as a whole is BAD_REF in binary and memory in ASCII, so its elements are read. */
  async values(names: readonly string[], units: string | undefined): Promise<Measured[]> {
    const isAscii = this.parts.form === 'ascii';
    const read = (asked: readonly string[]) => (units === undefined ? this.plain(asked) : this.inUnits(asked, units));
    const first = isAscii ? undefined : await read(names).catch(orBadReference);
    if (Array.isArray(first)) return first;
    const sizes = await askSizes(await this.parts.channel(), first?.names ?? names, this.parts.resting());
    if (first && sizes.size === 0) throw first;
    const elements = elementwise(names, sizes);
    return elements.joined(elements.names.length === 0 ? [] : await read(elements.names));
  }

  private async plain(names: readonly string[]): Promise<Measured[]> {
    const channel = await this.parts.channel();
    const values =
      this.parts.form === 'ascii'
        ? measured(names, await askAscii(channel, names))
        : known(names, await askBinary(channel, names, this.parts.resting())).map(
            ({ value }) => ({ value, units: undefined }) as Measured,
          );
    return this.parts.shapes.of(channel, names, values);
  }

  private async inUnits(names: readonly string[], units: string): Promise<Measured[]> {
    if (this.parts.isListTaken())
      throw new Error('a UDP session has one list: units can be asked for when its subscription is closed');
    const channel = await this.parts.channel();
    const isBinary = this.parts.form === 'binary';
    const decoded = isBinary ? known(names, await askBinary(channel, names, this.parts.resting())) : undefined;
    const listed = names.map((name, index) => ({ name, units, type: fieldTypeOf(decoded?.[index]) }));
    const fields = measured(names, await askInUnits(channel, listed, this.parts.resting()));
    for (const [index, { units: shown }] of fields.entries())
      if (shown === undefined && units !== OWN_UNITS && units !== '--')
        throw new UnitsError(`${names[index]} cannot be shown in ${units}${meantWhere(units)}`);
    if (!decoded || units !== OWN_UNITS) return this.parts.shapes.of(channel, names, fields);
    // A value in its own units needs no conversion, so the exact binary one is given.
    const exact = fields.map(({ units: own }, index) => ({ value: decoded[index]?.value as TrickValue, units: own }));
    return this.parts.shapes.of(channel, names, exact);
  }
}

/** The error if it is a BadReferenceError; throws any other. */
function orBadReference(error: unknown): BadReferenceError {
  if (error instanceof BadReferenceError) return error;
  throw error;
}

/** The decoded variables in the order of the names. Throws a BadReferenceError or a ValueTooLargeError. */
export function known(names: readonly string[], decoded: ReadonlyMap<string, Decoded>): Decoded[] {
  const bad = names.filter((name) => decoded.has(name) && decoded.get(name)?.value === undefined);
  if (bad.length > 0) throw new BadReferenceError(bad);
  const leftOut = names.filter((name) => !decoded.has(name));
  if (leftOut.length > 0) throw new ValueTooLargeError(leftOut);
  return names.map((name) => decoded.get(name) as Decoded);
}

/** The values with their units. Throws a BadReferenceError or a ValueTooLargeError. */
export function measured(names: readonly string[], fields: readonly Field[]): Measured[] {
  const cut = names.filter((_, index) => fields[index]?.isCut);
  if (cut.length > 0) throw new ValueTooLargeError(cut);
  const bad = names.filter((_, index) => fields[index]?.value === undefined);
  if (bad.length > 0) throw new BadReferenceError(bad);
  return fields.map(({ value, units }) => ({ value: value as TrickValue, units }));
}
