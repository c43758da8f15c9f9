// Variables of FMUs for jobs: read, assigned, and connected with each other in their units.
import type { Arena } from '../../model/state/arena.js';
import { readLeaf } from '../../model/state/memory.js';
import { didYouMean, nearestNames } from '../../model/state/suggest.js';
import { isLeaf } from '../../model/state/type.js';
import { viewOf } from '../../model/state/view.js';
import { writeValue } from '../../model/state/write.js';
import { type Converter, converter } from '../../model/units/index.js';
import type { Placed } from './cells.js';
import { writingOf } from './leaves.js';
import type { FmuHandle, FmuPort, FmuValue } from './options.js';

/** Inputs of an FMU that get the values of variables of others. */
export class Connections {
  private readonly sources = new Map<Port, Port>();

  get size(): number {
    return this.sources.size;
  }

  /** Throws an Error for an input that is connected already. */
  add(input: Port, source: Port): void {
    const before = this.sources.get(input);
    if (before) throw new Error(`${input.path} is connected with ${before.path} already`);
    this.sources.set(input, source);
  }

  readonly apply = (): void => {
    for (const [input, source] of this.sources) input.assign(source);
  };
}

/** A variable of an FMU. */
export class Port implements FmuPort {
  readonly units: string;
  private view: object | undefined;
  private readonly converters = new Map<string, Converter>();

  constructor(
    private readonly arena: Arena,
    private readonly placed: Placed,
    /** With the name of the object in front. */
    readonly path: string,
    /** Of the inputs of its FMU. */
    readonly connections: Connections,
    /** Of its FMU's steps. */
    readonly periodSeconds: number,
  ) {
    this.units = placed.leaf.declared.units;
  }

  get isInput(): boolean {
    return writingOf(this.placed.leaf.variable) === 'always';
  }

  /** In its own units; an array of 3.0 as a view. */
  get value(): unknown {
    const { type } = this.placed.leaf.declared;
    if (isLeaf(type)) return readLeaf(type, this.arena.memory, this.placed.offsetBytes);
    this.view ??= viewOf(this.arena, type, this.placed.offsetBytes);
    return this.view;
  }

  /** The same, for `2 * engine.out.torque`. */
  valueOf(): unknown {
    return this.value;
  }

  /** Throws an Error for a value that does not fit, and for units that do not convert. */
  assign(given: FmuValue): void {
    const { leaf, offsetBytes } = this.placed;
    writeValue(
      this.arena.memory,
      leaf.declared.type,
      offsetBytes,
      given instanceof Port ? this.from(given) : given,
      this.path,
    );
  }

  /** Makes sure that units convert. */
  requireUnits(other: Port): void {
    this.converterOf(other.units, other.path);
  }

  private from(other: Port): unknown {
    const { value } = other;
    if (other.units === this.units) return value;
    const { convert } = this.converterOf(other.units, other.path);
    return typeof value === 'number'
      ? convert(value)
      : typeof value === 'object'
        ? Array.from(value as Float64Array, convert)
        : value;
  }

  private converterOf(units: string, path: string): Converter {
    const known = this.converters.get(units) ?? converted(units, this.units, `${path} does not fit ${this.path}`);
    this.converters.set(units, known);
    return known;
  }
}

function converted(from: string, to: string, what: string): Converter {
  try {
    return converter(from, to);
  } catch (error) {
    throw new Error(`${what}: ${(error as Error).message}`, { cause: error });
  }
}

/** The handle of an FMU's object. @param name of the object. */
export function handleOf(
  name: string,
  arena: Arena,
  placed: readonly Placed[],
  connections: Connections,
  periodSeconds: number,
): FmuHandle {
  const ports = new Map<string, Port>();
  const inputs = new Map<string, Port>();
  for (const one of placed) {
    const port = new Port(arena, one, `${name}.${one.path}`, connections, periodSeconds);
    const { variable } = one.leaf;
    // Also by the name in the FMU.
    for (const known of [variable.name, one.path]) {
      ports.set(known, port);
      if (writingOf(variable) === 'always') inputs.set(known, port);
    }
  }
  return {
    name,
    in: named(name, 'input or tunable parameter', inputs) as FmuHandle['in'],
    out: named(name, 'variable', ports) as FmuHandle['out'],
  };
}

function named(object: string, what: string, ports: ReadonlyMap<string, Port>): Record<string, Port> {
  const find = (key: string | symbol): Port => {
    const port = ports.get(String(key));
    if (port) return port;
    throw new Error(`${object} has no ${what} ${String(key)}${didYouMean(nearestNames(String(key), ports.keys()))}`);
  };
  return new Proxy<Record<string, Port>>(
    {},
    {
      get: (_, key) => (typeof key === 'symbol' ? undefined : find(key)),
      set: (_, key, value) => {
        find(key).assign(value as FmuValue);
        return true;
      },
      has: (_, key) => ports.has(String(key)),
      ownKeys: () => [...ports.keys()],
      getOwnPropertyDescriptor: (_, key) => ({ enumerable: true, configurable: true, value: ports.get(String(key)) }),
    },
  );
}
