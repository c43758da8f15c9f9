// The catalog of a state as it is now, on the simulation's thread.
import { Catalog } from '../../model/state/catalog.js';
import type { State } from '../../model/state/state.js';

/** With so many changes the catalog is brought up to date before anybody asks; the state remembers twice as many. */
const MANY_CHANGES = 2000;

export class CurrentCatalog {
  private known: Catalog | undefined;

  constructor(private readonly state: State) {}

  get latest(): Catalog {
    const { known, state } = this;
    if (known?.version === state.version) return known;
    const changes = known && state.changesSince(known.version);
    this.known = changes ? new Catalog(changes, known) : new Catalog(state.describe());
    return this.known;
  }

  /** Call it often: who asks for the catalog after clients have made many objects must not wait until all are found. */
  keepUp(): void {
    if (!this.known || this.state.version - this.known.version >= MANY_CHANGES) void this.latest;
  }
}
