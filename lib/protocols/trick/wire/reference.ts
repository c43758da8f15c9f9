// A Trick session's hold on a variable, shared by all sessions that hold the same name in the same units.
import type { Frame, Shown } from '../../../model/frame/reader.js';
import type { Catalog } from '../../../model/state/catalog.js';
import { formatDouble } from '../../../model/state/number-text.js';
import type { Type } from '../../../model/state/type.js';
import { type Leaves, leavesOf, type Variable } from '../../../model/state/variable.js';
import { type Converter, requestUnits } from '../../../model/units/index.js';
import { shownElementBytes, ValueText, valueFormat } from './value-text.js';

/** Where references look names up; a Source is one. */
export interface Names {
  readonly catalog: Catalog;
}

/** The name that means simulation time wherever it is asked for. Trick: VariableReference(name, double *time) */
const TIME = 'time';

const BAD_REF_FIELD = '\tBAD_REF';

/** Units of more characters are not parsed, and the rest of their text is not kept. */
const LONGEST_UNITS = 256;

export class TrickReference implements Shown {
  /** How many holds sessions have on it; ReferenceTable counts them. */
  holders = 0;
  private encodedName: Buffer | undefined;
  private found: Variable | undefined;
  /** So many bytes of elements that lie side by side are shown at most. */
  private mostBytes = 0;
  private shown: string | undefined;
  private conversion: Converter | undefined;
  private problem: string | undefined;
  private version = -1;
  /** The leaves are the same in every frame of this catalog. */
  private isPlaced = false;
  private seenNumber = -1;
  private leaves: Leaves | undefined;
  private text: ValueText | undefined;
  private fieldNumber = -1;
  private field = '';

  /** @param requestedUnits UDUNITS text, `xx` for the declared ones, or undefined. */
  constructor(
    /** Unique in its table; never used again. */
    readonly id: number,
    /** As the client wrote it, without the blanks around it. */
    readonly name: string,
    readonly requestedUnits: string | undefined,
    private readonly names: Names,
    /**
     * The reference to the same path in its usual spelling, which does all the work; undefined if this one has that
     * spelling.
     */
    readonly usual?: TrickReference,
  ) {
    if (!usual) this.lookUp();
  }

  /** The name as binary messages carry it. */
  get nameBytes(): Buffer {
    this.encodedName ??= Buffer.from(this.name);
    return this.encodedName;
  }

  get isTime(): boolean {
    return this.name === TIME;
  }

  /** The variable of this name in the catalog last seen; undefined when there is none, and for `time`. */
  get variable(): Variable | undefined {
    return this.usual ? this.usual.variable : this.found;
  }

  /** Shown in braces after the value; undefined for none. */
  get shownUnits(): string | undefined {
    return this.usual ? this.usual.shownUnits : this.shown;
  }

  /** Converts from the declared to the shown units; undefined when no units are shown. */
  get converter(): Converter | undefined {
    return this.usual ? this.usual.converter : this.conversion;
  }

  /** Why the requested units are not shown, in one sentence. */
  get unitsProblem(): string | undefined {
    return this.usual ? this.usual.unitsProblem : this.problem;
  }

  isCarriedBy(frame: Frame): boolean {
    if (this.usual) return this.usual.isCarriedBy(frame);
    const found = this.variableIn(frame);
    return !found || frame.carries(found, 'leaves', this.mostBytes);
  }

  /** As `variable`, in the catalog of a frame that has come. */
  variableIn(frame: Frame): Variable | undefined {
    if (this.usual) return this.usual.variableIn(frame);
    if (frame.header.catalogVersion !== this.version) this.lookUp();
    return this.found;
  }

  /** The single values in a frame; undefined for a bad reference. The name is looked up again when the catalog changed. */
  leavesIn(frame: Frame): Leaves | undefined {
    if (this.usual) return this.usual.leavesIn(frame);
    const { number, catalogVersion } = frame.header;
    if (number === this.seenNumber) return this.leaves;
    this.seenNumber = number;
    if (catalogVersion !== this.version) this.lookUp();
    if (!this.isPlaced || catalogVersion !== this.version) this.place(frame);
    return this.leaves;
  }

  /** Whether the value lies in the same place and has the same size in every frame of this frame's catalog. */
  isFixedIn(frame: Frame): boolean {
    if (this.usual) return this.usual.isFixedIn(frame);
    const leaves = this.leavesIn(frame);
    return this.isPlaced && leaves?.element.kind !== 'text';
  }

  /** Whether the value may lie elsewhere, or be longer, in another frame of the same catalog. */
  get isMoving(): boolean {
    const { variable } = this;
    return variable !== undefined && !isInPlace(variable);
  }

  /** Finds nothing in a frame that is laid out by another catalog than the present one. */
  private place(frame: Frame): void {
    const { found } = this;
    const isReadable = frame.header.catalogVersion === this.version;
    this.leaves = found && isReadable ? leavesOf(found, frame.memory) : undefined;
    this.isPlaced = isReadable && (!found || isInPlace(found));
  }

  /** A tab and what an ASCII list shows; made at most once a frame. */
  fieldIn(frame: Frame): string {
    if (this.usual) return this.usual.fieldIn(frame);
    if (frame.header.number === this.fieldNumber) return this.field;
    this.fieldNumber = frame.header.number;
    this.field = this.makeField(frame);
    return this.field;
  }

  private makeField(frame: Frame): string {
    if (this.isTime) return `\t${formatDouble(frame.timeSeconds)} {s}`;
    const leaves = this.leavesIn(frame);
    if (!leaves || !this.found) return BAD_REF_FIELD;
    this.text ??= new ValueText(
      valueFormat(this.found.type, this.conversion),
      this.shown === undefined ? '' : ` {${this.shown}}`,
    );
    return this.text.fieldOf(frame.memory, leaves);
  }

  private lookUp(): void {
    const { catalog } = this.names;
    this.version = catalog.version;
    this.text = undefined;
    this.isPlaced = false;
    this.found = this.isTime ? undefined : catalog.find(this.name);
    this.mostBytes = this.found ? shownElementBytes(this.found.type) : 0;
    this.applyUnits();
  }

  private applyUnits(): void {
    this.shown = this.isTime ? 's' : undefined;
    this.conversion = undefined;
    this.problem = undefined;
    if (!this.found || this.requestedUnits === undefined) return;
    const answer = requestUnits(this.found.units, this.requestedUnits);
    if ('unchanged' in answer) {
      this.problem = answer.unchanged;
      return;
    }
    this.shown = answer.shown;
    this.conversion = answer.converter;
  }
}

const isInPlace = ({ hops, type }: Variable): boolean => hops.length === 0 && hasFixedPlace(type);

/** Whether values of a type keep their place and their number. */
function hasFixedPlace(type: Type): boolean {
  if (type.kind === 'sequence' || type.kind === 'pointer') return false;
  return type.kind === 'array' ? hasFixedPlace(type.element) : true;
}

/** The text of units as references keep it; what is too long stays too long to be parsed. */
export const keptUnits = (units: string): string =>
  units.length > LONGEST_UNITS ? ownText(`${units.slice(0, LONGEST_UNITS)}…`) : ownText(units);

/** A copy, because a part of a text keeps the whole text in memory. */
const ownText = (text: string): string => Buffer.from(text, 'utf16le').toString('utf16le');

/** The references of all sessions of a server. */
export class ReferenceTable {
  /** By name, in the variable's own units. */
  private readonly plain = new Map<string, TrickReference>();
  /** By name, then by units: no character of a name can make it look like another's. */
  private readonly inUnits = new Map<string, Map<string, TrickReference>>();
  private count = 0;
  private lastId = 0;

  constructor(private readonly names: Names) {}

  get size(): number {
    return this.count;
  }

  /** The reference to a name in units (`--` and empty text ask for none); every hold needs a release. */
  hold(name: string, units?: string): TrickReference {
    const trimmed = name.trim();
    const requested = trimmed === TIME || !units || units === '--' ? undefined : keptUnits(units);
    const reference = this.find(trimmed, requested) ?? this.add(ownText(trimmed), requested);
    reference.holders++;
    return reference;
  }

  /**
   * A reference to a name for one message, which needs no release: the one that sessions hold, or else one that nobody
   * shares.
   */
  unheld(name: string): TrickReference {
    const trimmed = name.trim();
    return this.plain.get(trimmed) ?? this.create(trimmed, undefined, (path) => this.unheld(path));
  }

  private find(name: string, units: string | undefined): TrickReference | undefined {
    return units === undefined ? this.plain.get(name) : this.inUnits.get(name)?.get(units);
  }

  private add(name: string, units: string | undefined): TrickReference {
    const reference = this.create(name, units, (path) => this.hold(path, units));
    if (units === undefined) this.plain.set(name, reference);
    else this.inUnits.set(name, (this.inUnits.get(name) ?? new Map<string, TrickReference>()).set(units, reference));
    this.count++;
    return reference;
  }

  /** Another spelling of a path shares what is found and shown with the usual one. */
  private create(name: string, units: string | undefined, usualOf: (path: string) => TrickReference): TrickReference {
    const path = name === TIME ? name : (this.names.catalog.find(name)?.path ?? name);
    const usual = path === name ? undefined : usualOf(path);
    return new TrickReference(++this.lastId, name, units, this.names, usual);
  }

  release(reference: TrickReference): void {
    reference.holders--;
    if (reference.holders > 0) return;
    if (this.remove(reference)) this.count--;
    if (reference.usual) this.release(reference.usual);
  }

  private remove({ name, requestedUnits }: TrickReference): boolean {
    if (requestedUnits === undefined) return this.plain.delete(name);
    const ofName = this.inUnits.get(name);
    const isRemoved = ofName?.delete(requestedUnits) ?? false;
    if (ofName?.size === 0) this.inUnits.delete(name);
    return isRemoved;
  }

  /**
   * Exchanges a hold for one on the same variable in other units. When the units cannot be shown, returns the given hold
   * and the reason. Trick: VariableReference::setRequestedUnits
   */
  exchange(reference: TrickReference, units: string): { reference: TrickReference; unchanged?: string } {
    if (reference.isTime) return { reference, unchanged: 'time is always shown in s' };
    // A name without a variable keeps its units until there is such a variable.
    const kept = keptUnits(units);
    const answer = reference.variable && requestUnits(reference.variable.units, kept);
    if (answer && 'unchanged' in answer) return { reference, unchanged: answer.unchanged };
    const exchanged = this.hold(reference.name, kept);
    this.release(reference);
    return { reference: exchanged };
  }
}
