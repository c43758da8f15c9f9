// Descriptions of variables for JSON clients: the rows of var/list and the answer of var/describe.
import { z } from 'zod';
import { cNameOf, isCharacters, shapeOf, type Type } from '../../model/state/type.js';
import type { Variable } from '../../model/state/variable.js';
import { unitOf } from '../../serving/session/own-units.js';
import { alias } from './schemas.js';

const KINDS = ['number', 'bits', 'enumeration', 'text', 'struct'] as const;

export const listedVariable = z.object({
  alias,
  type_path: z.string().describe("The type as C names it, without extents: double, std::string, a structure's name"),
  unit: z.string().describe('UDUNITS text, 1 for none'),
  dim: z
    .array(z.number().int())
    .describe('Extents, outermost first; [] for one value; 0 for an extent known at run time only'),
  about: z.string(),
  access: z.enum(['read-write', 'read-only', 'write-only']),
});
export type ListedVariable = z.output<typeof listedVariable>;

export const describedVariable = listedVariable.extend({
  kind: z.enum(KINDS).describe('What one element is'),
  labels: z.record(z.string(), z.number()).optional().describe("An enumeration's labels and their numbers"),
  capacity: z.number().int().optional().describe('Bytes that a text may have, or elements that a sequence may have'),
  bits: z.number().int().optional().describe('Width of a bit field'),
  members: z.array(listedVariable).optional().describe("A structure's members"),
});
export type DescribedVariable = z.output<typeof describedVariable>;

export function listed(variable: Variable): ListedVariable {
  const { path, type, about, access } = variable;
  return { alias: path, type_path: typePathOf(type), unit: unitOf(variable), dim: extentsOf(type), about, access };
}

/**
 * A list of characters is one text and has no extent; the extents of sequences and pointers are not known beforehand.
 */
export function extentsOf(type: Type): number[] {
  if (isCharacters(type)) return [];
  if (type.kind === 'array') return [type.length, ...extentsOf(type.element)];
  if (type.kind === 'sequence') return [0, ...extentsOf(type.element)];
  return type.kind === 'pointer' ? [0, ...extentsOf(type.target)] : [];
}

function typePathOf(type: Type): string {
  return cNameOf(shapeOf(type).element);
}

/** The element type inside arrays, sequences and pointers. */
export function elementOf(type: Type): Type {
  if (isCharacters(type)) return type;
  if (type.kind === 'array' || type.kind === 'sequence') return elementOf(type.element);
  return type.kind === 'pointer' ? elementOf(type.target) : type;
}

/** A line of a tree of variables. */
export const treeRow = listedVariable.extend({
  name: z.string().describe('The last step of the path: position, or [0]'),
  kind: z.enum(KINDS).describe('What one element is'),
  has_children: z.boolean().describe('Whether var/children may answer more'),
  labels: z.record(z.string(), z.number()).optional().describe("An enumeration's labels and their numbers"),
});
export type TreeRow = z.output<typeof treeRow>;

export function treeRowOf(variable: Variable, name = lastStepOf(variable.path)): TreeRow {
  const element = elementOf(variable.type);
  return {
    ...listed(variable),
    name,
    kind: kindOf(element),
    has_children: hasChildren(variable.type),
    ...(element.kind === 'enumeration' && { labels: { ...element.labels } }),
  };
}

const lastStepOf = (path: string): string => /(?:\[\d+\]|[^.[\]]*)$/.exec(path)?.[0] ?? path;

function hasChildren(type: Type): boolean {
  if (type.kind === 'struct') return type.members.length > 0;
  return type.kind === 'pointer' || type.kind === 'sequence' || (type.kind === 'array' && !isCharacters(type));
}

/** @param members the variables directly below a structure. */
export function described(variable: Variable, members: readonly Variable[]): DescribedVariable {
  const element = elementOf(variable.type);
  return {
    ...listed(variable),
    kind: kindOf(element),
    ...(element.kind === 'enumeration' && { labels: { ...element.labels } }),
    ...capacityOf(variable.type, element),
    ...(element.kind === 'bits' && { bits: element.widthBits }),
    ...(members.length > 0 && { members: members.map(listed) }),
  };
}

const kindOf = (element: Type): DescribedVariable['kind'] =>
  isCharacters(element) ? 'text' : (element.kind as DescribedVariable['kind']);

function capacityOf(type: Type, element: Type): { readonly capacity?: number } {
  if (type.kind === 'sequence') return { capacity: type.capacity };
  if (isCharacters(element)) return { capacity: element.length - 1 };
  return element.kind === 'text' ? { capacity: element.capacityBytes } : {};
}
