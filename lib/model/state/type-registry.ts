// Declared types known by name: clients can make components of them and find components by type.
import type { AnyDeclared } from './declare.js';
import { describeType, type Type } from './type.js';

/** How a registered type is called. */
export interface TypeOptions {
  /** The name of the type. Default: the structure's or enumeration's own. */
  readonly name?: string;
  /** Whether clients may make components of it. Default true. */
  readonly spawnable?: boolean;
}

/** A registered type as plain data. */
export interface TypeDescription {
  readonly name: string;
  readonly type: Type;
  /** UDUNITS text; `--` or `1` for none. */
  readonly units: string;
  readonly about: string;
  /** Whether clients may make components of it. */
  readonly isSpawnable: boolean;
}

interface Registered {
  readonly declared: AnyDeclared;
  readonly isSpawnable: boolean;
}

export class TypeRegistry {
  private readonly registered = new Map<string, Registered>();

  /** Returns the declaration for components of the type. Throws an Error for a name that is taken or missing. */
  add<D extends AnyDeclared>(declared: D, { name, spawnable = true }: TypeOptions): D {
    const known = name ?? ownNameOf(declared.type);
    if (!known) throw new Error(`a type ${describeType(declared.type)} needs a name to be registered by`);
    if (this.registered.has(known)) throw new Error(`there is a type ${known} already`);
    const named = known === describeType(declared.type) ? declared : { ...declared, typeName: known };
    this.registered.set(known, { declared: named, isSpawnable: spawnable });
    return named;
  }

  names(): Iterable<string> {
    return this.registered.keys();
  }

  get(name: string): Registered | undefined {
    return this.registered.get(name);
  }

  describe(): TypeDescription[] {
    return [...this.registered].map(([name, { declared, isSpawnable }]) => {
      const { type, units, about } = declared;
      return { name, type, units, about, isSpawnable };
    });
  }
}

const ownNameOf = (type: Type): string | undefined =>
  type.kind === 'struct' || type.kind === 'enumeration' ? type.name : undefined;
