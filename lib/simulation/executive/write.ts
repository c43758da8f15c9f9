// Applies writes to a state: all of them or none.

import { type Assignment, assignAll, convertFor, type Rule } from '../../model/state/assign.js';
import type { Catalog } from '../../model/state/catalog.js';
import type { State } from '../../model/state/state.js';
import { thrownText } from '../../model/state/thrown.js';
import { sizeOf } from '../../model/state/type.js';
import { locate } from '../../model/state/variable.js';
import { withZeros } from '../../model/state/zero.js';
import { type Request, RequestError, type Write } from './request.js';

/** What writes change. */
interface Written {
  readonly state: State;
  readonly catalog: Catalog;
}

/** How many writes are made ready between two looks at the clock. */
const WRITES_PER_LOOK = 64;
/** How often writes are made ready anew when the state's objects change meanwhile; then they are made ready at once. */
const MOST_TRIES = 5;

/** Writes that can be made ready in pieces before they are applied at once. */
export class WritePlan {
  private assignments: Assignment[] = [];
  /** The components that are written, with a variable of each. */
  private components = new Map<string, Assignment['variable']>();
  private catalog: Catalog | undefined;
  private tries = 0;

  constructor(
    private readonly written: Written,
    private readonly request: Pick<Extract<Request, { readonly kind: 'write' }>, 'writes' | 'rule'>,
  ) {}

  /** Makes writes ready until `isOver`; returns whether all are. Throws a RequestError for one that does not fit. */
  prepare(isOver: () => boolean = () => false): boolean {
    const { catalog } = this.written;
    if (this.catalog !== catalog) {
      if (!this.isFoundIn(catalog)) {
        this.assignments = [];
        this.components.clear();
        this.tries++;
      }
      this.catalog = catalog;
    }
    const { assignments, components } = this;
    const { writes, rule } = this.request;
    while (assignments.length < writes.length) {
      const assignment = assignmentOf(catalog, writes[assignments.length] as Write, rule);
      assignments.push(assignment);
      const { variable } = assignment;
      components.set(componentOf(variable.path), variable);
      if (assignments.length % WRITES_PER_LOOK === 0 && this.tries <= MOST_TRIES && isOver()) break;
    }
    return assignments.length === writes.length;
  }

  /** Whether what was found in another version is the same in this one, and does not lie elsewhere. */
  private isFoundIn(catalog: Catalog): boolean {
    return [...this.components.values()].every((variable) => catalog.find(variable.path) === variable);
  }

  /**
   * Applies all writes or, when one does not fit or a setter refuses it, none; the state and the mirrors that had
   * accepted their values are set back. Throws a RequestError.
   * @param accept called last with the writes, their lists as long as their arrays; if it throws, all are undone.
   */
  apply(accept?: (writes: readonly Write[]) => void): void {
    this.prepare();
    const { assignments } = this;
    const { state } = this.written;
    const components = [...this.components.keys()];
    const taken: string[] = [];
    const take = () => {
      for (const component of components) {
        state.pushMirror(component);
        taken.push(component);
      }
      accept?.(assignments.map(({ variable: { path, type }, value }) => ({ path, value: withZeros(type, value) })));
    };
    try {
      // A mirror's setter gets the whole component, so the parts that are not written must be up to date.
      for (const component of components) state.pullMirror(component);
      assignAll(assignments, state.arena.memory, take);
      this.noteWritten();
    } catch (error) {
      for (const component of taken) state.pushMirror(component);
      throw new RequestError(thrownText(error), { cause: error });
    }
  }

  /** Tells who copies memory in steps what has changed in it. */
  private noteWritten(): void {
    const { allocations, arena } = this.written.state;
    const { copied } = allocations;
    if (!copied) return;
    for (const { variable } of this.assignments) copied.note(locate(variable, arena.memory), sizeOf(variable.type));
  }
}

function assignmentOf(catalog: Catalog, { path, value, catalogVersion }: Write, rule: Rule | undefined): Assignment {
  const variable = catalog.find(path);
  if (!variable) throw new RequestError(catalog.explain(path));
  // The session has checked the value. It is checked again only if the catalog has changed since or the request did not
  // come from a session: converting a list of 100,000 numbers takes longer than storing it, and the simulation waits.
  if (catalogVersion === catalog.version) return { variable, value };
  return { variable, value: refused(() => convertFor(variable, value, rule)) };
}

/** Such as `fx.all` for `fx.all.d3[1]`. */
const componentOf = (path: string): string => COMPONENT.exec(path)?.[0] ?? path;
const COMPONENT = /^[^.[]*\.[^.[]*/;

/** Runs `act`; an error becomes a RequestError with the same sentence. */
export function refused<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw new RequestError(thrownText(error), { cause: error });
  }
}
