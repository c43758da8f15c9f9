// Writes a state as a checkpoint in Trick's text form. Trick: MemoryManager::write_checkpoint, ClassicCheckPointAgent
import type { SimObject } from '../../model/state/catalog.js';
import type { Memory } from '../../model/state/memory.js';
import { isOverlayObject } from '../../model/state/reserved-names.js';
import { didYouMean, nearestNames } from '../../model/state/suggest.js';
import { cNameOf, isNullableText, type Type } from '../../model/state/type.js';
import {
  type Block,
  blocksOf,
  ContainerNames,
  eachElement,
  isContainer,
  isEntered,
  listsOf,
  MemoryMap,
  type NamedValue,
  offsetOfElement,
  partsOf,
} from './memory-map.js';
import type { StateModel } from './plan.js';
import { leadsToTime } from './saved-times.js';
import { isCleared, ValueSpeller } from './value-text.js';

/** The first line of every checkpoint. */
export const CHECKPOINT_HEAD = '// Variable Declarations.';

/**
 * The text of a checkpoint, one character per byte. Values that are zero are left out. Throws an Error that names an
 * unknown object.
 * @param names the objects to write; all when left out.
 */
export function writeCheckpoint(model: StateModel, memory: Memory, names?: readonly string[]): string {
  const { objects } = model.catalog;
  const chosen = names === undefined ? objects : chosenOf(objects, names);
  return new CheckpointWriter(model, memory, objects).write(chosen, names === undefined);
}

/** The objects of these names. Both may be thousands, so none is looked for one by one. */
function chosenOf(objects: readonly SimObject[], names: readonly string[]): readonly SimObject[] {
  const known = new Set(objects.map(({ name }) => name));
  const unknown = names.find((name) => !known.has(name));
  if (unknown !== undefined)
    throw new Error(`there is no object ${unknown}${didYouMean(nearestNames(unknown, known))}`);
  const wanted = new Set(names);
  return objects.filter(({ name }) => wanted.has(name));
}

class CheckpointWriter {
  private readonly map: MemoryMap;
  private readonly speller: ValueSpeller;
  private readonly names: ContainerNames;
  private readonly declarations: string[] = [];
  private readonly assignments: string[] = [];
  private readonly locals: readonly Block[];
  /** Allocations that are written, in the order in which pointers at them were met. */
  private readonly met = new Set<Block>();
  /** The elements of containers that were met and are not written yet. */
  private containers: Block[] = [];

  constructor(
    { allocated }: StateModel,
    private readonly memory: Memory,
    objects: readonly SimObject[],
  ) {
    this.locals = blocksOf(allocated);
    this.map = new MemoryMap(objects, this.locals);
    this.speller = new ValueSpeller(this.memory, this.map);
    this.names = new ContainerNames([...objects, ...this.locals].map(({ name }) => name));
  }

  write(objects: readonly SimObject[], isWhole: boolean): string {
    for (const object of objects) this.writeObject(object);
    for (const block of isWhole ? this.locals : this.met) this.writeBlock(block);
    this.writeContainers();
    const clear = isWhole ? '\n\n// Clear all allocations to 0.\nclear_all_vars();\n' : '';
    const declared = this.declarations.join('');
    return `${CHECKPOINT_HEAD}\n${declared}${clear}\n\n// Variable Assignments.\n${this.assignments.join('')}`;
  }

  /** Every object has at least one line, so that a reader knows that it is included. Trick: SimObject::name, id */
  private writeObject({ name, number, type }: SimObject): void {
    if (isOverlayObject(name)) {
      this.writeTimes({ name, type, offsetBytes: 0 });
      if (leadsToTime(name)) this.assignments.push('\n');
      return;
    }
    const has = (member: string) => type.members.some((one) => one.name === member);
    if (!has('name')) this.assignments.push(`${name}.name = "${name}";\n`);
    if (!has('id')) this.assignments.push(`${name}.id = ${number};\n`);
    for (const part of partsOf({ name, type, offsetBytes: 0 })) this.writeHeld(part);
    this.assignments.push('\n');
  }

  /** Writes the times of Trick's own objects; nothing else of them is saved. */
  private writeTimes(held: NamedValue): void {
    if (!leadsToTime(held.name)) return;
    if (isEntered(held.type)) for (const part of partsOf(held)) this.writeTimes(part);
    else this.writeHeld(held);
  }

  private writeHeld(held: NamedValue): void {
    const { name, type, offsetBytes, io } = held;
    if (io && !io.isSaved) return;
    const isRestored = !io || io.isRestored;
    if (isContainer(type)) {
      this.assignments.push(line(`// STL: ${name}`, isRestored));
      this.meet(this.names.take(name), held);
    } else if (isEntered(type)) {
      for (const part of partsOf(held)) this.writeHeld(part);
    } else if (!isCleared(type, this.memory, offsetBytes)) {
      this.assignments.push(line(`${name}${this.speller.assigned(type, offsetBytes)};`, isRestored));
      this.reach(type, offsetBytes);
    }
  }

  /** Puts the elements of a container in the queue. */
  private meet(name: string, held: NamedValue): void {
    const { type, offsetBytes } = held;
    const count = type.kind === 'array' ? type.length : this.memory.view.getUint32(offsetBytes, true);
    if (type.kind !== 'struct' && count === 0) return;
    this.containers.push(...listsOf(this.names, name, held, count));
  }

  private writeBlock(block: Block): void {
    if (isContainer(block.element)) this.writeNames(block);
    else {
      this.declarations.push(`${declared(block)};\n`);
      this.writeElements(block);
    }
    this.assignments.push('\n');
  }

  /** Containers within a container come right after it, in the order in which Trick writes them. */
  private writeContainers(): void {
    const blocks = this.containers;
    this.containers = [];
    for (const block of blocks) {
      this.writeBlock(block);
      this.writeContainers();
    }
  }

  /** Writes a container of containers as the list of their names. Trick: checkpoint_sequence_s */
  private writeNames(block: Block): void {
    const { name, count, innerName } = block;
    const names = Array.from(eachElement(block), (part, index) => {
      const own = innerName ? this.names.take(`${name}_${innerName}`) : this.names.takeElement(name, index);
      this.meet(own, part);
      return `"${innerName ?? own}"`;
    });
    this.declarations.push(`std::string ${name}[${count}];\n`);
    this.assignments.push(`${name} = \n    {${names.join(', \n     ')}};\n`);
  }

  private writeElements(block: Block): void {
    const { name, element, offsetBytes, isSingle } = block;
    if (isSingle) {
      this.writeHeld({ name, type: element, offsetBytes });
      return;
    }
    if (isEntered(element)) for (const part of eachElement(block)) this.writeHeld(part);
    else if (this.isAnySet(block)) {
      this.assignments.push(`${name}${this.speller.list(block)};\n`);
      if (element.kind !== 'pointer' && element.kind !== 'array') return;
      for (let index = 0; index < block.count; index++) this.reach(element, offsetOfElement(block, index));
    }
  }

  private isAnySet(block: Block): boolean {
    for (let index = 0; index < block.count; index++)
      if (!isCleared(block.element, this.memory, offsetOfElement(block, index))) return true;
    return false;
  }

  /** Notes the allocation that a written pointer points at. */
  private reach(type: Type, offsetBytes: number): void {
    if (type.kind === 'array') {
      if (type.element.kind !== 'pointer' && type.element.kind !== 'array') return;
      for (const part of partsOf({ name: '', type, offsetBytes })) this.reach(part.type, part.offsetBytes);
    } else if (type.kind === 'pointer') {
      const aimed = this.map.blockAt(this.memory.view.getUint32(offsetBytes, true));
      if (aimed) this.met.add(aimed);
    }
  }
}

/** A line that loading reads, or one that only shows what it says. Trick: assign_rvalue */
const line = (text: string, isRestored: boolean): string =>
  isRestored ? `${text}\n` : `/* OUTPUT-ONLY: ${text.replaceAll('*/', '*\\057')}*/\n`;

/** Such as `double name[2][3]` for two `double[3]`, or `Point name` for a single one. */
export function declared({
  name,
  element,
  count,
  isSingle,
}: Pick<Block, 'name' | 'element' | 'count'> & { readonly isSingle?: boolean }): string {
  let extents = isSingle ? '' : `[${count}]`;
  let stars = '';
  let type = element;
  for (; (type.kind === 'array' && !type.isContainer) || type.kind === 'pointer'; ) {
    if (type.kind === 'array') extents += `[${type.length}]`;
    else stars += '*';
    type = type.kind === 'array' ? type.element : type.target;
  }
  if (isNullableText(type)) stars += '*';
  return `${cNameOf(type)}${stars} ${name}${extents}`;
}
