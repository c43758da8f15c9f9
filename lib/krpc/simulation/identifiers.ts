// Names of variables as kRPC's identifiers: letters and digits, each word with a capital.

/** `worst_delay` becomes `WorstDelay`, `dyn.cannon.fire` becomes `DynCannonFire`, `3d` becomes `N3d`. */
export function identifierOf(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return /^[A-Za-z]/.test(joined) ? joined : `N${joined}`;
}

/** Makes names that stay different when a client writes them with small letters and underscores. */
export class Identifiers {
  private readonly taken = new Set<string>();

  /** @param taken names that must not be given again. */
  constructor(...taken: readonly string[]) {
    for (const name of taken) this.taken.add(plain(name));
  }

  /** An identifier for a name; the second one that would be the same gets a number. */
  take(name: string): string {
    const wanted = identifierOf(name);
    let free = wanted;
    for (let count = 2; this.taken.has(plain(free)); count++) free = `${wanted}${count}`;
    this.taken.add(plain(free));
    return free;
  }
}

const plain = (name: string): string => name.toLowerCase();
