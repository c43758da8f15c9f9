// Events that a simulation makes, as plain data: conditions and actions are texts of the command language, or functions by name.

/** How many events there may be, and conditions or actions of one. */
export const EVENT_CAPACITY = { events: 1000, listed: 100 } as const;
/** The most characters of a condition, an action or a comment. */
export const LONGEST_EVENT_TEXT = 10_000;

/** A condition or an action. */
export interface EventItemDescription {
  /** The text; of a function, the name by which it is called. */
  readonly text: string;
  readonly isFunction: boolean;
  readonly comment: string;
}

export interface EventDescription {
  /** The name that texts use: `ev.event0`, or a single word. */
  readonly path: string;
  /** The name that viewers show and commands use. */
  readonly name: string;
  readonly conditions: readonly EventItemDescription[];
  readonly actions: readonly EventItemDescription[];
  readonly needsAll: boolean;
  /** Simulation time between evaluations; undefined for Trick's. */
  readonly cycleSeconds: number | undefined;
  readonly isActive: boolean;
  readonly isAdded: boolean;
}

/** The events that a simulation has made. */
export class DeclaredEvents {
  private readonly byPath = new Map<string, EventDescription>();
  private version = 0;

  /** @param changed returns the version of a catalog that has changed. */
  constructor(private readonly changed: () => number) {}

  get size(): number {
    return this.byPath.size;
  }

  /** Throws an Error, and then changes nothing, when its path or its name is another's, or there is no room. */
  add(event: EventDescription): void {
    const { path, name } = event;
    for (const other of this.byPath.values())
      if ([other.path, other.name].some((taken) => taken === path || taken === name))
        throw new Error(`there is an event ${other.path} named ${other.name} already`);
    const { events: most } = EVENT_CAPACITY;
    if (this.byPath.size >= most) throw new RangeError(`a simulation makes at most ${most} events`);
    this.byPath.set(path, event);
    this.version = this.changed();
  }

  /** All events if one was added after a version of the catalog, otherwise nothing. */
  since(version: number): { readonly events?: readonly EventDescription[] } {
    return this.version > version ? { events: [...this.byPath.values()] } : {};
  }
}
