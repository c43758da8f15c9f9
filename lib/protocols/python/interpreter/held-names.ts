// The names that a session keeps from block to block; their values are bounded and share no memory with past blocks.
import { DefinedClass, Instance, Method } from './defined-class.js';
import { FileModule } from './file-module.js';
import {
  BoundMethod,
  Bytes,
  DefinedFunction,
  DictionaryValue,
  ExceptionValue,
  isObject,
  ListValue,
  type ModuleScope,
  Quantity,
  RangeValue,
  type ScriptValue,
  TupleValue,
} from './values.js';

const SLOT_BYTES = 16;
const ENTRY_BYTES = 128;
const NAME_BYTES = 64;
/** Bytes that the tree of a function takes, for each character of the block that defines it. */
const TREE_BYTES = 32;
/** A longer text is copied once, however often it is held. */
const LONG_TEXT = 64;
/** After so many counted bytes there is a look at the clock. */
const BYTES_PER_LOOK = 64 * 1024;

/** Work in steps; yields when it is others' turn. */
type Steps<Result> = Generator<void, Result>;

export class HeldNames {
  readonly names = new Map<string, ScriptValue>();
  private mostBytes = 0;
  /** What all texts so far have made: others may run with these names while they are counted. */
  private everMade = 0;
  /** Characters of the blocks in which functions were defined. */
  private readonly functionSources = new WeakMap<object, number>();

  constructor(private readonly limitBytes: number) {}

  /** An upper bound of the bytes that the names hold. */
  get bytes(): number {
    return this.mostBytes;
  }

  forget(): void {
    this.names.clear();
    this.mostBytes = 0;
  }

  /**
   * Notes that a block has run. When the names hold more than half of the limit, forgets them all and returns true.
   * @param allocatedBytes what the block made.
   * @param blockLength characters of the block, because texts in it may share its memory.
   */
  settle(allocatedBytes: number, blockLength: number): boolean {
    return this.settling(allocatedBytes, blockLength, () => false).next().value === true;
  }

  /** As `settle`, in steps: yields whenever `isTimeUp`, because comparing long texts takes long. */
  *settling(allocatedBytes: number, blockLength: number, isTimeUp: () => boolean): Steps<boolean> {
    const madeBytes = allocatedBytes > 0 ? allocatedBytes + 2 * blockLength : 0;
    this.mostBytes += madeBytes;
    this.everMade += madeBytes;
    if (this.mostBytes <= this.limitBytes) return false;
    const madeBefore = this.everMade;
    // Counted first and copied afterwards: most of what is too much is forgotten without a copy.
    const isTooMuch = (yield* this.counted(blockLength, false, isTimeUp)) > this.limitBytes / 2;
    if (isTooMuch) this.forget();
    else {
      const bytes = yield* this.counted(blockLength, true, isTimeUp);
      this.mostBytes = bytes + this.everMade - madeBefore;
    }
    return isTooMuch;
  }

  /** Bytes that the names hold; half of the limit is too much, so that names close to it are not counted after every block. */
  private *counted(blockLength: number, isCopied: boolean, isTimeUp: () => boolean): Steps<number> {
    const census = new Census(blockLength, this.functionSources, this.limitBytes / 2, isCopied, isTimeUp);
    for (const [name, value] of this.names) {
      if (census.isOver) break;
      const kept = yield* census.take(value);
      // Another text may have assigned or forgotten it meanwhile.
      if (this.names.get(name) === value) this.names.set(name, kept);
    }
    return census.bytes + NAME_BYTES * this.names.size;
  }
}

/** What is counted once. */
type Counted = ScriptValue | ModuleScope;

/** Goes through values once each, counts them, and may replace texts by copies that share no memory. */
class Census {
  bytes = 0;
  private readonly seen = new Set<Counted>();
  /** Copies of texts that may occur many times. */
  private readonly copies = new Map<string, string>();
  private bytesAtLook = 0;

  constructor(
    private readonly blockLength: number,
    private readonly functionSources: WeakMap<object, number>,
    private readonly limitBytes: number,
    private readonly isCopied: boolean,
    private readonly isTimeUp: () => boolean,
  ) {}

  /** Whether the count has reached the limit, so that counting can stop. */
  get isOver(): boolean {
    return this.bytes > this.limitBytes;
  }

  *take(value: ScriptValue): Steps<ScriptValue> {
    if (this.mustGiveWay) yield;
    if (typeof value === 'string') return this.copy(value);
    this.bytes += typeof value === 'bigint' ? 16 + value.toString(16).length / 2 : SLOT_BYTES;
    // A loop and no recursion, because lists may lie in lists without bound.
    const waiting: Counted[] = [value];
    for (let next = waiting.pop(); next !== undefined && !this.isOver; next = waiting.pop()) {
      if (next === null || typeof next !== 'object' || this.seen.has(next)) continue;
      this.seen.add(next);
      if (next instanceof ListValue || next instanceof TupleValue)
        yield* this.enterList(next.items as ScriptValue[], waiting);
      else if (next instanceof DictionaryValue) yield* this.enterDictionary(next, waiting);
      else if ('kind' in next && next.kind === 'module-scope') yield* this.enterScope(next, waiting);
      else this.enter(next, waiting);
    }
    return value;
  }

  private get mustGiveWay(): boolean {
    if (this.bytes < this.bytesAtLook + BYTES_PER_LOOK) return false;
    this.bytesAtLook = this.bytes;
    return this.isTimeUp();
  }

  private copy(text: string): string {
    const isLong = text.length > LONG_TEXT;
    const known = isLong ? this.copies.get(text) : undefined;
    if (known !== undefined) {
      // Finding out that it is known reads all of it.
      this.bytes += text.length / 2;
      return known;
    }
    this.bytes += 2 * text.length;
    const copy = this.isCopied ? Buffer.from(text, 'utf16le').toString('utf16le') : text;
    if (isLong) this.copies.set(text, copy);
    return copy;
  }

  private *enterList(items: ScriptValue[], waiting: Counted[]): Steps<void> {
    for (let index = 0; index < items.length && !this.isOver; index++) {
      items[index] = this.leaf(items[index] as ScriptValue, waiting);
      if (this.mustGiveWay) yield;
    }
  }

  private *enterDictionary({ entries }: DictionaryValue, waiting: Counted[]): Steps<void> {
    for (const [filed, entry] of entries) {
      if (this.isOver) return;
      this.bytes += ENTRY_BYTES + 2 * filed.length;
      entry.value = this.leaf(entry.value, waiting);
      this.leaf(entry.key, waiting);
      if (this.mustGiveWay) yield;
    }
  }

  private *enterScope({ names }: ModuleScope, waiting: Counted[]): Steps<void> {
    for (const [name, value] of names) {
      if (this.isOver) return;
      this.bytes += NAME_BYTES;
      names.set(name, this.leaf(value, waiting));
      if (this.mustGiveWay) yield;
    }
  }

  private enter(holder: object, waiting: Counted[]): void {
    if (holder instanceof Quantity) this.leaf(holder.magnitude, waiting);
    else if (holder instanceof Bytes) this.bytes += 2 * holder.text.length;
    else if (holder instanceof RangeValue) this.bytes += holder.heldBytes;
    else if (holder instanceof DefinedFunction) this.enterFunction(holder, waiting);
    else this.enterObject(holder as ScriptValue, waiting);
  }

  private enterObject(holder: ScriptValue, waiting: Counted[]): void {
    if (holder instanceof BoundMethod) this.leaf(holder.self, waiting);
    if (holder instanceof Method) this.leaf(holder.called, waiting);
    if (holder instanceof FileModule) waiting.push(holder.scope);
    if (holder instanceof DefinedClass || holder instanceof Instance) this.enterClass(holder, waiting);
    if (holder instanceof ExceptionValue) {
      this.bytes += ENTRY_BYTES + 2 * holder.error.message.length;
      this.leaf(holder.args, waiting);
    } else if (isObject(holder)) this.bytes += holder.heldBytes ?? 0;
  }

  private enterClass(holder: DefinedClass | Instance, waiting: Counted[]): void {
    const names = holder.attributes;
    this.bytes += ENTRY_BYTES;
    waiting.push({ kind: 'module-scope', names });
    const others = holder instanceof Instance ? [holder.type, holder.self] : [holder.base];
    for (const other of others) if (other) waiting.push(other);
  }

  private enterFunction({ definition, defaults, origin }: DefinedFunction, waiting: Counted[]): void {
    const known = this.functionSources.get(definition) ?? this.blockLength;
    this.functionSources.set(definition, known);
    this.bytes += TREE_BYTES * known;
    if (origin.scope) waiting.push(origin.scope);
    if (origin.owner) waiting.push(origin.owner);
    for (const value of defaults) if (value !== undefined) this.leaf(value, waiting);
  }

  private leaf(value: ScriptValue, waiting: Counted[]): ScriptValue {
    if (typeof value === 'string') {
      this.bytes += SLOT_BYTES;
      return this.copy(value);
    }
    this.bytes += typeof value === 'bigint' ? 16 + value.toString(16).length / 2 : SLOT_BYTES;
    if (typeof value === 'object' && value !== null) waiting.push(value);
    return value;
  }
}
