// The values of an FMU and their places in the state: read from replies into the state, and from it into requests when they have
// been changed there.
import type { Arena } from '../../model/state/arena.js';
import { type LeafValue, readLeaf, writeText } from '../../model/state/memory.js';
import { FORMS } from '../../model/state/packed-numbers.js';
import {
  cellOf,
  type EnumerationType,
  NUMBER_FACTS,
  type NumberName,
  type TextType,
  type Type,
} from '../../model/state/type.js';
import type { Leaf } from './leaves.js';
import { writingOf } from './leaves.js';
import {
  blockOf,
  type Family,
  familyOf,
  HEAD_BYTES,
  type Message,
  type NumberFamily,
  type Numbers,
  numbersClass,
  type ReadGroup,
  rounded,
  SAME_TEXTS,
} from './messages.js';
import { WRITE_FAMILIES } from './write-families.js';

/** A variable of an FMU at its place in the state. */
export interface Placed {
  readonly leaf: Leaf;
  readonly path: string;
  readonly offsetBytes: number;
}

type Storage = { [index: number]: number | bigint };

interface Run {
  readonly from: number;
  readonly to: number;
  readonly length: number;
}

/** The values of one family: where each stands in a reply, and where in the state. */
interface Column {
  readonly family: Family;
  /** The number type in the state. */
  readonly cell: NumberName | 'text';
  readonly group: number;
  /** Places among the values of a reply, and in the state in units of the cell. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** Values that stand side by side in both. */
  readonly runs: readonly Run[];
  readonly texts: readonly TextType[];
  /** Its place in the last reply. */
  source?: Numbers;
}

/** A variable that may be written. */
interface Written {
  readonly reference: number;
  readonly family: Family;
  readonly cell: NumberName | 'text';
  readonly type: Type;
  /** In the state, in units of the cell. */
  readonly at: number;
  readonly count: number;
  readonly isStart: boolean;
  /** Whether it may be set within a step, without an event. */
  readonly isContinuous: boolean;
  last: LeafValue[];
  /** Of all numbers of the cell's kind. */
  storage?: Storage;
}

/** The single value in a leaf's type, below its arrays. */
function singleOf(type: Type): Type {
  return type.kind === 'array' ? singleOf(type.element) : type;
}

function cellNameOf(type: Type): NumberName | 'text' {
  if (type.kind === 'text') return 'text';
  return type.kind === 'enumeration' ? cellOf(type as EnumerationType) : (type as { name: NumberName }).name;
}

const countOf = ({ extents }: Leaf): number => extents.reduce((product, length) => product * length, 1);

export class FmuCells {
  readonly reads: readonly ReadGroup[];
  private readonly columns: readonly Column[];
  private readonly written: readonly Written[];
  private readonly offsets: readonly number[];
  private readonly blockBytes: number;
  private readonly storages = new Map<NumberName, Storage>();
  private bufferBytes = 0;

  constructor(
    private readonly arena: Arena,
    placed: readonly Placed[],
    private readonly generation: 2 | 3,
  ) {
    const { reads, columns } = columnsOf(placed, generation);
    this.reads = reads;
    this.columns = columns;
    const { offsets, bytes } = blockOf(reads, generation);
    this.offsets = offsets;
    this.blockBytes = bytes;
    const seen = new Set<string>();
    this.written = placed.flatMap((one) => {
      const written = writtenOf(one, generation);
      // Of variables with one value, the first is written; the others show it.
      const key = `${written?.family} ${written?.reference}`;
      if (!written || seen.has(key)) return [];
      seen.add(key);
      return [written];
    });
  }

  /** Where the states of model exchange begin in a reply. */
  get statesAt(): number {
    return this.blockBytes;
  }

  /** Takes what is in the state as known to the FMU. */
  noteAll(): void {
    for (const one of this.written) one.last = this.valuesOf(one);
  }

  /**
   * Puts what has been changed in the state since the last time behind so many bytes of a request.
   * @param isStart whether also what is writable before the run only.
   * @returns the bytes of all numbers, the texts, and whether something was written that is an event.
   */
  write(request: Message, from: number, isStart = false): { bytes: number; texts: string[]; isEvent: boolean } {
    const changed: { one: Written; values: LeafValue[] }[] = [];
    this.follow();
    for (const one of this.written) {
      if (one.isStart && !isStart) continue;
      if (one.count === 1 && one.storage) {
        const value = one.storage[one.at] as LeafValue;
        if (value === one.last[0]) continue;
        one.last[0] = value;
        changed.push({ one, values: [value] });
      } else {
        const values = this.valuesOf(one);
        if (values.every((value, i) => value === one.last[i])) continue;
        one.last = values;
        changed.push({ one, values });
      }
    }
    if (changed.length === 0) return { bytes: from, texts: [], isEvent: false };
    const isEvent = changed.some(({ one }) => !one.isContinuous);
    return { ...this.sections(request, from, changed), isEvent };
  }

  private sections(request: Message, from: number, changed: readonly { one: Written; values: LeafValue[] }[]) {
    let bytes = from;
    const texts: string[] = [];
    for (const [number, family] of WRITE_FAMILIES.entries()) {
      const own = changed.filter(({ one }) => one.family === family);
      if (own.length === 0) continue;
      const values = own.flatMap((each) => each.values);
      const size = family === 'String' ? 0 : numbersClass(family, this.generation).BYTES_PER_ELEMENT;
      request.ensure(HEAD_BYTES + bytes + 16 + rounded(4 * own.length) + rounded(size * values.length));
      (request.numbers('UInt32', 3, bytes, 3) as Uint32Array).set([number, own.length, values.length]);
      const references = own.map(({ one }) => one.reference);
      (request.numbers('UInt32', 3, bytes + 16, own.length) as Uint32Array).set(references);
      bytes += 16 + rounded(4 * own.length);
      if (family === 'String') texts.push(...(values as string[]));
      else {
        const target = request.numbers(family, this.generation, bytes, values.length) as Storage;
        const isBig = family === 'Int64' || family === 'UInt64';
        for (const [i, value] of values.entries()) target[i] = isBig ? BigInt(value as bigint) : Number(value);
        bytes += rounded(size * values.length);
      }
    }
    return { bytes, texts };
  }

  /** Stores the values of a reply in the state. Aliases show what was read once. */
  read(reply: Message): void {
    this.follow();
    let given: readonly string[] | undefined;
    const areKnown = (reply.flags & SAME_TEXTS) !== 0;
    for (const column of this.columns) {
      const { family, cell, group, from, to, texts } = column;
      if (family === 'String' || cell === 'text') {
        if (areKnown) continue;
        given ??= reply.texts;
        for (let i = 0; i < to.length; i++)
          writeText(texts[i] as TextType, this.arena.memory, to[i] as number, given[from[i] as number] ?? '');
        continue;
      }
      if (column.source?.buffer !== reply.bytes.buffer) {
        const { values } = this.reads[group] as ReadGroup;
        column.source = reply.numbers(family as NumberFamily, this.generation, this.offsets[group] as number, values);
      }
      copy(column.source, this.storages.get(cell) as Storage, column, cell);
    }
    // What the FMU says of what may be written is what it knows.
    for (const one of this.written) {
      if (one.storage && one.count === 1) one.last[0] = one.storage[one.at] as LeafValue;
      else one.last = this.valuesOf(one);
    }
  }

  private valuesOf({ cell, type, at, count }: Written): LeafValue[] {
    this.follow();
    if (cell === 'text') return [readLeaf(type as TextType, this.arena.memory, at)];
    const storage = this.storages.get(cell) as Storage;
    return Array.from({ length: count }, (_, i) => storage[at + i] as number | bigint);
  }

  /** The state's memory may have grown. */
  private follow(): void {
    const { buffer } = this.arena.memory;
    if (buffer.byteLength === this.bufferBytes) return;
    this.bufferBytes = buffer.byteLength;
    const names = new Set([...this.columns, ...this.written].map(({ cell }) => cell));
    for (const name of names) {
      if (name === 'text') continue;
      const Form = FORMS[name];
      this.storages.set(
        name,
        new Form(buffer, 0, Math.floor(buffer.byteLength / NUMBER_FACTS[name].sizeBytes)) as Storage,
      );
    }
    for (const one of this.written) {
      const storage = one.cell === 'text' ? undefined : this.storages.get(one.cell);
      if (storage) one.storage = storage;
    }
  }
}

/** Fewer values are copied faster one by one. */
const LONG_RUN = 16;

function copy(source: Numbers, target: Storage, { from, to, runs }: Column, cell: NumberName): void {
  const { length } = to;
  if (source instanceof Float64Array && target instanceof Float64Array) {
    for (const run of runs) {
      if (run.length < LONG_RUN)
        for (let i = 0; i < run.length; i++) target[run.to + i] = source[run.from + i] as number;
      else target.set(source.subarray(run.from, run.from + run.length), run.to);
    }
  } else if (cell === 'bool') {
    for (let i = 0; i < length; i++) target[to[i] as number] = source[from[i] as number] ? 1 : 0;
  } else if (source instanceof BigInt64Array && !(target instanceof BigInt64Array)) {
    for (let i = 0; i < length; i++) target[to[i] as number] = Number(source[from[i] as number]);
  } else {
    for (let i = 0; i < length; i++) target[to[i] as number] = source[from[i] as number] as number;
  }
}

function writtenOf({ leaf, offsetBytes }: Placed, generation: 2 | 3): Written | undefined {
  const { variable } = leaf;
  const writing = writingOf(variable);
  if (writing === 'never') return undefined;
  const type = singleOf(leaf.declared.type);
  const cell = cellNameOf(type);
  const count = countOf(leaf);
  return {
    ...{ reference: variable.valueReference, family: familyOf(variable.type, generation), cell, type, count },
    at: cell === 'text' ? offsetBytes : offsetBytes / NUMBER_FACTS[cell].sizeBytes,
    isStart: writing === 'before the run',
    isContinuous: variable.causality === 'input' && variable.variability === 'continuous',
    last: [],
  };
}

function columnsOf(placed: readonly Placed[], generation: 2 | 3): { reads: ReadGroup[]; columns: Column[] } {
  const groups = new Map<Family, { references: Map<number, number>; values: number }>();
  const columns = new Map<
    string,
    { family: Family; cell: NumberName | 'text'; from: number[]; to: number[]; texts: TextType[] }
  >();
  for (const { leaf, offsetBytes } of placed) {
    const family = familyOf(leaf.variable.type, generation);
    const type = singleOf(leaf.declared.type);
    const cell = cellNameOf(type);
    const group = groups.get(family) ?? { references: new Map<number, number>(), values: 0 };
    groups.set(family, group);
    const count = countOf(leaf);
    const { valueReference } = leaf.variable;
    let first = group.references.get(valueReference);
    if (first === undefined) {
      first = group.values;
      group.references.set(valueReference, first);
      group.values += count;
    }
    const column = columns.get(`${family} ${cell}`) ?? { family, cell, from: [], to: [], texts: [] };
    columns.set(`${family} ${cell}`, column);
    const size = cell === 'text' ? 1 : NUMBER_FACTS[cell].sizeBytes;
    const stride = type.kind === 'text' ? textStride(type) : 1;
    for (let i = 0; i < count; i++) {
      column.from.push(first + i);
      column.to.push(offsetBytes / size + i * stride);
      if (type.kind === 'text') column.texts.push(type);
    }
  }
  // Texts come last, behind the block of numbers.
  const families = [...groups.keys()].sort((one, other) => Number(one === 'String') - Number(other === 'String'));
  const reads = families.map((family) => {
    const { references, values } = groups.get(family) as { references: Map<number, number>; values: number };
    return { family, references: [...references.keys()], values };
  });
  return {
    reads,
    columns: [...columns.values()].map((column) => ({
      ...column,
      group: families.indexOf(column.family),
      from: Int32Array.from(column.from),
      to: Int32Array.from(column.to),
      runs: runsOf(column.from, column.to),
    })),
  };
}

function runsOf(from: readonly number[], to: readonly number[]): Run[] {
  const runs: { from: number; to: number; length: number }[] = [];
  for (const [i, target] of to.entries()) {
    const last = runs.at(-1);
    const source = from[i] as number;
    if (last && source === last.from + last.length && target === last.to + last.length) last.length++;
    else runs.push({ from: source, to: target, length: 1 });
  }
  return runs;
}

const textStride = ({ capacityBytes }: TextType): number => rounded4(4 + capacityBytes + 1);
const rounded4 = (bytes: number): number => Math.ceil(bytes / 4) * 4;
