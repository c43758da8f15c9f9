// What a checkpoint says about memory outside objects: allocations, variables of their own, elements of containers.
import type { Assignment, Declaration } from '../../../grammar/checkpoint/index.js';
import type { Catalog } from '../../model/state/catalog.js';
import { type Shape, shapeOfDeclaration } from '../../model/state/named-type.js';

/** Trick's name for memory that has none. */
export const isUnnamed = (name: string): boolean => /^trick_anon_local_\d+$/.test(name);

/** All that a file says about one name. */
export class Outside {
  declaration: Declaration | undefined;
  readonly assignments: Assignment[] = [];
  private reached = 0;
  private hasMembers = false;

  constructor(
    readonly name: string,
    /** Offset of its first statement in the file. */
    readonly at: number,
  ) {}

  add(assignment: Assignment): void {
    const { target, value } = assignment;
    const [first] = target.steps;
    if (typeof first === 'string') this.hasMembers = true;
    const reached = typeof first === 'number' ? first + 1 : value.kind === 'list' ? value.items.length : 1;
    this.reached = Math.max(this.reached, reached);
    this.assignments.push(assignment);
  }

  /** Number of elements: of its declaration, or as many as its assignments reach. */
  get count(): number {
    return Math.max(this.declaration?.extents[0] ?? (this.declaration ? 1 : 0), this.reached);
  }

  get isSingle(): boolean {
    return this.declaration ? this.declaration.extents.length === 0 : this.hasMembers;
  }

  /** What its declaration means here; undefined without one, or for a type that is not known. */
  shapeIn(catalog: Catalog): Shape | undefined {
    return this.declaration && shapeOf(catalog, this.declaration);
  }
}

/** What a file's declaration means in a catalog; undefined for a type that it does not have. */
export function shapeOf(
  catalog: Catalog,
  { typeName, extents }: Pick<Declaration, 'typeName' | 'extents'>,
): Shape | undefined {
  const stars = typeName.split('*').length - 1;
  return shapeOfDeclaration(catalog, { typeName: typeName.replaceAll('*', '').trim(), stars, extents });
}
