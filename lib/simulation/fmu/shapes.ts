// What an FMU's variables are in the catalog: structures and arrays made of their names.
import { type AnyDeclared, array, struct } from '../../model/state/declare.js';
import { findMember, type StructType, sizeOf, strideOf, type Type } from '../../model/state/type.js';
import type { FmuVariable, ModelDescription } from './description.js';
import { type Leaf, LeafMaker } from './leaves.js';
import { identifier, type Step, stepsOf } from './names.js';

export type VariableShape =
  | Leaf
  | {
      readonly kind: 'struct';
      readonly members: ReadonlyMap<string, VariableShape>;
      readonly declared: AnyDeclared;
      readonly signature: string;
    }
  | {
      readonly kind: 'array';
      readonly items: readonly VariableShape[];
      readonly declared: AnyDeclared;
      readonly signature: string;
    };

/** The components of an object by name, and why variables have none. */
export interface FmuShapes {
  readonly components: ReadonlyMap<string, VariableShape>;
  readonly left: ReadonlyMap<FmuVariable, string>;
}

/** Variables below a name or an index. */
interface Node {
  leaf?: Leaf;
  /** How many more variables have its name. */
  others: number;
  readonly members: Map<string, Node>;
  readonly elements: Map<string, Node>;
}

const node = (): Node => ({ others: 0, members: new Map(), elements: new Map() });

export function shapesOf(description: ModelDescription): FmuShapes {
  const root = node();
  const left = new Map<FmuVariable, string>();
  const leaves = new LeafMaker(description);
  for (const variable of description.variables) {
    const leaf = leaves.leafOf(variable);
    if (typeof leaf === 'string') left.set(variable, leaf);
    else put(root, stepsOf(variable.name), leaf);
  }
  const types = new Types(identifier(description.modelName));
  return { components: types.membersOf(root, []), left };
}

function put(root: Node, steps: readonly Step[], leaf: Leaf): void {
  let at = root;
  for (const step of steps) {
    const [map, key] = typeof step === 'string' ? [at.members, step] : [at.elements, step.join()];
    const next = map.get(key) ?? node();
    map.set(key, next);
    at = next;
  }
  // Two names that differ in signs only.
  if (!at.leaf) at.leaf = leaf;
  else {
    const more = at.others++ === 0 ? '_' : `_${at.others}`;
    put(root, [...steps.slice(0, -1), String(steps.at(-1)) + more], leaf);
  }
}

/** Makes types, the same one for equal structures. */
class Types {
  private readonly structs = new Map<string, AnyDeclared>();
  private readonly names = new Set<string>();

  constructor(private readonly prefix: string) {}

  membersOf({ members }: Node, path: readonly string[]): ReadonlyMap<string, VariableShape> {
    const found = new Map<string, VariableShape>();
    const add = (name: string, shape: VariableShape): void => {
      if (found.has(name)) add(`${name}_`, shape);
      else found.set(name, shape);
    };
    for (const [name, below] of members) {
      if (below.leaf) add(name, below.leaf);
      if (below.members.size > 0) add(name, this.structOf(below, [...path, name]));
      const list = this.arrayOf(below, [...path, name]);
      if (list) add(name, list);
      else
        for (const [indexes, item] of below.elements)
          for (const shape of this.shapesOf(item, [...path, name]))
            add(`${name}_${indexes.replaceAll(',', '_')}`, shape);
    }
    return found;
  }

  /** What stands at an index. */
  private shapesOf(item: Node, path: readonly string[]): VariableShape[] {
    const { members } = item;
    return [...(item.leaf ? [item.leaf] : []), ...(members.size > 0 ? [this.structOf(item, path)] : [])];
  }

  private structOf(below: Node, path: readonly string[]): VariableShape {
    const members = this.membersOf(below, path);
    const signature = `{${[...members].map(([name, shape]) => `${name}:${shape.signature}`).join(';')}}`;
    const declared =
      this.structs.get(signature) ??
      struct(this.nameOf(path), Object.fromEntries([...members].map(([name, shape]) => [name, shape.declared])));
    this.structs.set(signature, declared);
    return { kind: 'struct', members, declared, signature };
  }

  private nameOf(path: readonly string[]): string {
    const name = [this.prefix, ...path].join('_');
    const free = this.names.has(name) ? `${name}_${this.names.size}` : name;
    this.names.add(free);
    return free;
  }

  /** Elements whose indexes are complete and that are of one type. */
  private arrayOf({ elements }: Node, path: readonly string[]): VariableShape | undefined {
    const extents = extentsOf([...elements.keys()]);
    if (!extents) return undefined;
    const items: VariableShape[] = [];
    for (const indexes of extents.indexes) {
      const [shape, another] = this.shapesOf(elements.get(indexes) as Node, path);
      if (!shape || another || (items[0] && shape.signature !== items[0].signature)) return undefined;
      items.push(shape);
    }
    const [first] = items;
    if (!first || (first.kind === 'leaf' && first.variable.extents.length > 0)) return undefined;
    const declared = extents.lengths.reduceRight<AnyDeclared>((inner, length) => array(inner, length), first.declared);
    return { kind: 'array', items, declared, signature: `${first.signature}[${extents.lengths}]` };
  }
}

/** The extents of an array whose elements have these indexes, from 0 or from 1, and the indexes in the order of rows. */
function extentsOf(keys: readonly string[]): { lengths: number[]; indexes: string[] } | undefined {
  const all = keys.map((key) => key.split(',').map(Number));
  const [first] = all;
  if (!first || all.some(({ length }) => length !== first.length)) return undefined;
  const ranges = first.map((_, at) => {
    const numbers = all.map((one) => one[at] as number);
    return { from: Math.min(...numbers), to: Math.max(...numbers) };
  });
  const lengths = ranges.map(({ from, to }) => to - from + 1);
  const isComplete = lengths.reduce((product, length) => product * length, 1) === keys.length;
  if (!isComplete || ranges.some(({ from }) => from > 1)) return undefined;
  const indexes = ranges.reduce<number[][]>(
    (rows, { from, to }) => rows.flatMap((row) => Array.from({ length: to - from + 1 }, (_, i) => [...row, from + i])),
    [[]],
  );
  return { lengths, indexes: indexes.map((row) => row.join()) };
}

/** Calls `visit` for each variable below a shape, with its path and its offset from that of the shape. */
export function walkShape(
  shape: VariableShape,
  path: string,
  offset: number,
  visit: (leaf: Leaf, path: string, offset: number) => void,
): void {
  if (shape.kind === 'leaf') visit(shape, path, offset);
  else if (shape.kind === 'struct') {
    for (const [name, member] of shape.members) {
      const { offsetBytes } = findMember(shape.declared.type as StructType, name) as { offsetBytes: number };
      walkShape(member, `${path}.${name}`, offset + offsetBytes, visit);
    }
  } else {
    const { lengths, stride } = rowsOf(shape.declared.type, shape.items.length);
    for (const [index, item] of shape.items.entries())
      walkShape(item, path + indexText(index, lengths), offset + index * stride, visit);
  }
}

/** The extents of an array type until its elements are single items, and the distance of those. */
function rowsOf(type: Type, count: number): { lengths: number[]; stride: number } {
  const lengths: number[] = [];
  let element = type;
  for (let left = count; left > 1 || lengths.length === 0; ) {
    if (element.kind !== 'array') break;
    lengths.push(element.length);
    left /= element.length;
    element = element.element;
  }
  return { lengths, stride: count === 1 ? sizeOf(element) : strideOf(element) };
}

function indexText(index: number, lengths: readonly number[]): string {
  let text = '';
  let left = index;
  for (const length of [...lengths].reverse()) {
    text = `[${left % length}]${text}`;
    left = Math.floor(left / length);
  }
  return text;
}
