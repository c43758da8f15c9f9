// Writes a state as a checkpoint in Trick's text form. Trick: MemoryManager::write_checkpoint, ClassicCheckPointAgent
import { Catalog, type SimObject } from '../model/catalog.js';
import type { Memory } from '../model/memory.js';
import { didYouMean, nearestNames } from '../model/suggest.js';
import { type ArrayType, cNameOf, SEQUENCE_HEADER_BYTES, type Type } from '../model/type.js';
import {
  type Block,
  blocksOf,
  ContainerNames,
  elementsOf,
  type Held,
  isContainer,
  isEntered,
  MemoryMap,
  partsOf,
} from './memory-map.js';
import type { StateModel } from './plan.js';
import { isCleared, ValueSpeller } from './value.js';

/** The first line of every checkpoint. */
export const CHECKPOINT_HEAD = '// Variable Declarations.';

/**
 * The text of a checkpoint, one character per byte. Values that are zero are left out. Throws an Error that names an
 * unknown object.
 * @param names the objects to write; all when left out.
 */
export function writeCheckpoint(model: StateModel, memory: Memory, names?: readonly string[]): string {
  const { objects } = new Catalog(model.catalog);
  for (const name of names ?? []) requireObject(objects, name);
  const chosen = names === undefined ? objects : objects.filter(({ name }) => names.includes(name));
  return new CheckpointWriter(model, memory, objects).write(chosen, names === undefined);
}

function requireObject(objects: readonly SimObject[], name: string): void {
  if (objects.some((object) => object.name === name)) return;
  const near = nearestNames(
    name,
    objects.map((object) => object.name),
  );
  throw new Error(`there is no object ${name}${didYouMean(near)}`);
}

class CheckpointWriter {
  private readonly allocations: readonly Block[];
  private readonly map: MemoryMap;
  private readonly speller: ValueSpeller;
  private readonly names: ContainerNames;
  private readonly declarations: string[] = [];
  private readonly assignments: string[] = [];
  /** Allocations that a written pointer points at. */
  private readonly reached = new Set<Block>();
  /** Targets of pointers and elements of containers that must still be written. */
  private readonly pointed: Block[] = [];
  private readonly containers: Block[] = [];

  constructor(
    { allocated }: StateModel,
    private readonly memory: Memory,
    objects: readonly SimObject[],
  ) {
    this.allocations = blocksOf(allocated);
    this.map = new MemoryMap(objects, this.allocations);
    this.speller = new ValueSpeller(this.memory, this.map);
    this.names = new ContainerNames(objects.map(({ name }) => name));
  }

  write(objects: readonly SimObject[], isWhole: boolean): string {
    for (const object of objects) this.writeObject(object);
    for (let block = this.nextBlock(); block; block = this.nextBlock()) this.writeBlock(block);
    const clear = isWhole ? '\n\n// Clear all allocations to 0.\nclear_all_vars();\n' : '';
    const declared = this.declarations.join('');
    return `${CHECKPOINT_HEAD}\n${declared}${clear}\n\n// Variable Assignments.\n${this.assignments.join('')}`;
  }

  private nextBlock(): Block | undefined {
    return this.pointed.shift() ?? this.containers.shift();
  }

  /** Every object has at least one line, so that a reader knows that it is included. Trick: SimObject::name, id */
  private writeObject({ name, number, type }: SimObject): void {
    const has = (member: string) => type.members.some((one) => one.name === member);
    if (!has('name')) this.assignments.push(`${name}.name = "${name}";\n`);
    if (!has('id')) this.assignments.push(`${name}.id = ${number};\n`);
    for (const part of partsOf({ name, type, offsetBytes: 0 })) this.writeHeld(part);
  }

  /** Puts a container in the queue; returns its name in the checkpoint. */
  private meetContainer({ name, type, offsetBytes }: Held): string {
    if (type.kind !== 'sequence') {
      const { element, length } = type as ArrayType;
      return this.meet(name, element, offsetBytes, length);
    }
    const count = this.memory.view.getUint32(offsetBytes, true);
    return this.meet(name, type.element, offsetBytes + SEQUENCE_HEADER_BYTES, count);
  }

  private writeHeld(held: Held): void {
    const { name, type, offsetBytes } = held;
    if (isContainer(type)) this.meetContainer(held);
    else if (isEntered(type)) {
      for (const part of partsOf(held)) this.writeHeld(part);
    } else if (!isCleared(type, this.memory, offsetBytes)) {
      this.assignments.push(`${name}${this.speller.assigned(type, offsetBytes)};\n`);
      this.reach(type, offsetBytes);
    }
  }

  private meet(path: string, element: Type, offsetBytes: number, count: number): string {
    const name = this.names.take(path);
    if (count > 0) this.containers.push({ name, element, offsetBytes, count });
    return name;
  }

  private writeBlock(block: Block): void {
    const { name, element, offsetBytes, count } = block;
    const parts = elementsOf(name, element, offsetBytes, count);
    if (isContainer(element)) {
      // Trick saves a container of containers as the names of its elements' blocks.
      const names = parts.map((part) => `"${this.meetContainer(part)}"`);
      this.declarations.push(`std::string ${name}[${count}];\n`);
      this.assignments.push(`${name} = \n    {${names.join(', \n     ')}};\n`);
      return;
    }
    this.declarations.push(`${declared(element, name, count)};\n`);
    if (isEntered(element)) for (const part of parts) this.writeHeld(part);
    else if (parts.some((part) => !isCleared(element, this.memory, part.offsetBytes))) {
      this.assignments.push(`${name}${this.speller.list(element, offsetBytes, count)};\n`);
      for (const part of parts) this.reach(element, part.offsetBytes);
    }
  }

  /** Records the allocation that a written pointer points at. */
  private reach(type: Type, offsetBytes: number): void {
    if (type.kind === 'array') {
      if (type.element.kind !== 'pointer' && type.element.kind !== 'array') return;
      for (const part of partsOf({ name: '', type, offsetBytes })) this.reach(part.type, part.offsetBytes);
    } else if (type.kind === 'pointer') {
      const aimed = this.map.blockAt(this.memory.view.getUint32(offsetBytes, true));
      if (!aimed || this.reached.has(aimed)) return;
      this.reached.add(aimed);
      this.pointed.push(aimed);
    }
  }
}

/** Such as `double name[2][3]` for two `double[3]`. */
function declared(element: Type, name: string, count: number): string {
  let extents = `[${count}]`;
  let stars = '';
  let type = element;
  for (; (type.kind === 'array' && !type.isContainer) || type.kind === 'pointer'; ) {
    if (type.kind === 'array') extents += `[${type.length}]`;
    else stars += '*';
    type = type.kind === 'array' ? type.element : type.target;
  }
  if (type.kind === 'text' && type.form !== 'string') stars += '*';
  return `${cNameOf(type)}${stars} ${name}${extents}`;
}
