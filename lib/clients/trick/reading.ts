// Reads values: the questions, and what is made of their replies.

import { meantWhere } from '../../model/units/usual-spellings.js';
import type { Field } from './ascii-decoder.js';
import type { Decoded } from './binary-decoder.js';
import type { Channel } from './channel.js';
import type { Description } from './connect-options.js';
import { askSizes, type Elementwise, type Extents, elementsIn, elementwise, requireFewElements } from './containers.js';
import { BadReferenceError, UnitsError, ValueTooLargeError } from './errors.js';
import { fieldTypeOf } from './list-assembler.js';
import { askAscii, askBinary, askInUnits, type Form } from './questions.js';
import type { Shapes } from './shapes.js';
import type { Measured, TrickValue } from './value.js';
import type { VariableDetails } from './variable-details.js';

export interface ReadingParts {
  readonly form: Form;
  readonly shapes: Shapes;
  readonly channel: () => Promise<Channel>;
  /** The form in which the session is left between questions. */
  readonly resting: () => Form;
  /** Whether a subscription uses the session's list. */
  readonly isListTaken: () => boolean;
  /** What the server's description says. */
  readonly details: (names: readonly string[]) => Promise<(VariableDetails | undefined)[]>;
}

const OWN_UNITS = 'xx';

type Read = (names: readonly string[]) => Promise<Measured[]>;

export class Reading {
  constructor(private readonly parts: ReadingParts) {}

  /** Rejects with a BadReferenceError, a ValueTooLargeError or a UnitsError. */
  async values(names: readonly string[], units: string | undefined): Promise<Measured[]> {
    if (units !== undefined) this.requireList();
    if (units === OWN_UNITS) return this.withOwnUnits(names);
    const read: Read = (asked) => (units === undefined ? this.plain(asked) : this.inUnits(asked, units));
    const { parts, values } = await this.byElements(names, read);
    return parts.joined(values);
  }

  /** What the variables are. Rejects with a BadReferenceError or a ValueTooLargeError. */
  async described(names: readonly string[]): Promise<Description[]> {
    const channel = await this.parts.channel();
    const decoded = await askBinary(channel, names, this.parts.resting());
    // What is too large for a message is of the type of its first element.
    const extents = await this.extentsOf(names.filter((name) => !decoded.has(name)));
    const firsts = [...extents].map(([name, own]) => name + '[0]'.repeat(own.length));
    const inside = firsts.length === 0 ? undefined : await askBinary(channel, firsts, this.parts.resting());
    for (const [index, [name, own]] of [...extents].entries()) {
      const first = inside?.get(firsts[index] as string);
      if (first) decoded.set(name, { ...first, name, elements: elementsIn(own) });
    }
    return known(names, decoded).map(({ name, type, elements }) => ({ name, type, elements }));
  }

  /** A variable with its exact value, also one that no message holds; undefined where nothing can be read. */
  async decoded(name: string): Promise<Decoded | undefined> {
    const found = (await askBinary(await this.parts.channel(), [name], this.parts.resting())).get(name);
    if (found) return found;
    try {
      const [[description], [measured]] = await Promise.all([this.described([name]), this.values([name], undefined)]);
      return description && { ...description, value: measured?.value };
    } catch (error) {
      if (error instanceof ValueTooLargeError) return undefined;
      throw error;
    }
  }

  /** The extents of arrays, as the server's description tells them; none for names that it does not have. */
  async extentsOf(names: readonly string[]): Promise<Extents> {
    const details = names.length === 0 ? [] : await this.parts.details(names);
    return new Map(
      details.flatMap((found, index) => {
        const { dimensions = [] } = found ?? {};
        return dimensions.length > 0 && !dimensions.includes(0) ? [[names[index] as string, dimensions] as const] : [];
      }),
    );
  }

  /** Reads by its elements what cannot be read as a whole. */
  private async byElements(
    names: readonly string[],
    read: Read,
  ): Promise<{ parts: Elementwise<{ name: string }, Measured>; values: Measured[] }> {
    // In ASCII a container as a whole is memory.
    let extents: Extents = this.parts.form === 'ascii' ? await this.sizes(names) : new Map();
    for (;;) {
      const parts = elementwise(
        names.map((name) => ({ name })),
        extents,
        together,
      );
      const asked = parts.entries.map(({ name }) => name);
      try {
        return { parts, values: asked.length === 0 ? [] : await read(asked) };
      } catch (error) {
        const more = await this.extentsBehind(error, names);
        if (more.size === 0) throw error;
        requireFewElements(more);
        extents = new Map([...extents, ...more]);
      }
    }
  }

  /** What has to be read by its elements because of an error. */
  private async extentsBehind(error: unknown, names: readonly string[]): Promise<Extents> {
    if (error instanceof BadReferenceError) return this.sizes(error.names.filter((name) => names.includes(name)));
    if (error instanceof ValueTooLargeError) return this.extentsOf(error.names.filter((name) => names.includes(name)));
    return new Map();
  }

  /** A container as a whole is BAD_REF in binary. */
  private async sizes(names: readonly string[]): Promise<Extents> {
    if (names.length === 0) return new Map();
    const sizes = await askSizes(await this.parts.channel(), names, this.parts.resting());
    const extents = new Map([...sizes].map(([name, size]) => [name, [size]] as const));
    requireFewElements(extents);
    return extents;
  }

  private async plain(names: readonly string[]): Promise<Measured[]> {
    const { form, shapes, resting } = this.parts;
    const channel = await this.parts.channel();
    const values =
      form === 'ascii'
        ? measured(names, await askAscii(channel, names))
        : known(names, await askBinary(channel, names, resting())).map(
            ({ value }) => ({ value, units: undefined }) as Measured,
          );
    return shapes.of(channel, names, values, resting());
  }

  /** A value in its own units needs no conversion, so it is as exact as without; the first element of an array tells them. */
  private async withOwnUnits(names: readonly string[]): Promise<Measured[]> {
    const { parts, values } = await this.byElements(names, (asked) => this.plain(asked));
    const whole = parts.joined(values);
    const tellers = parts.elements.map(([first], index) => {
      const isWholeArray = first?.name === names[index] && Array.isArray(whole[index]?.value);
      return isWholeArray ? `${names[index]}[0]` : first?.name;
    });
    const listed = tellers.flatMap((name) => (name === undefined ? [] : [{ name, units: OWN_UNITS }]));
    const channel = await this.parts.channel();
    const fields = listed.length === 0 ? [] : await askInUnits(channel, listed, this.parts.resting());
    const units = new Map(listed.map(({ name }, index) => [name, fields[index]?.units]));
    return whole.map(({ value }, index) => ({ value, units: units.get(tellers[index] as string) }));
  }

  private async inUnits(names: readonly string[], units: string): Promise<Measured[]> {
    const { form, shapes, resting } = this.parts;
    const channel = await this.parts.channel();
    const decoded = form === 'binary' ? known(names, await askBinary(channel, names, resting())) : undefined;
    const listed = names.map((name, index) => ({ name, units, type: fieldTypeOf(decoded?.[index]) }));
    const fields = measured(names, await askInUnits(channel, listed, resting()));
    for (const [index, { units: shown }] of fields.entries())
      if (shown === undefined && units !== '--')
        throw new UnitsError(`${names[index]} cannot be shown in ${units}${meantWhere(units)}`);
    return shapes.of(channel, names, fields, resting());
  }

  /** Throws an Error when a subscription uses the session's list: Trick converts units in lists alone. */
  private requireList(): void {
    if (this.parts.isListTaken())
      throw new Error('a UDP session has one list: units can be asked for when its subscription is closed');
  }
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

/** The value of a container or an array, of those of its elements. */
const together = (values: readonly Measured[]): Measured => ({
  value: values.flatMap(({ value }) => value) as TrickValue,
  units: values[0]?.units,
});
