// What the program that serves a simulation can do with it itself: read, write, call and control, without a socket.

import type { Value } from '../../model/state/read.js';
import { Presence } from '../../protocols/json-rpc/presence.js';
import { readOnce } from '../../protocols/json-rpc/reading.js';
import { Reference } from '../../serving/session/reference.js';
import type { SessionRegistry } from '../../serving/session/registry.js';
import type { Session } from '../../serving/session/session.js';
import type { Control } from '../../source/source.js';
import { exactInOwnUnits } from './exact-write.js';
import { controlOf, type ProgramControl } from './program-control.js';

/** Variables by path, for a program that does not name their types. */
export type AnyVariables = Readonly<Record<string, Value>>;

/** `V` maps paths to the types of their values: `serve<{ 'ball.height': number }>('ball.js')`. */
export interface InProcess<V extends object = AnyVariables> {
  /**
   * The value in the latest frame that shows all that this program has changed: 64-bit integers as bigint, arrays as
   * lists, structures as objects, labels of enumerations as numbers; undefined while a pointer on the path is null or
   * an index is too large. Rejects with an UnknownVariableError, a WriteOnlyError or a UnitsError.
   * @param units to convert numbers to, such as `cm`.
   */
  get<N extends keyof V & string>(path: N, units?: string): Promise<V[N] | undefined>;
  /**
   * Writes a variable between two frames; resolves when a frame shows it. Rejects with an UnknownVariableError, an
   * AssignmentError for a value that does not fit (an integer takes whole numbers in its range), a UnitsError, or a
   * RequestError of the simulation's own code.
   * @param units of the given numbers; the variable's own when left out.
   */
  set<N extends keyof V & string>(path: N, value: V[N], units?: string): Promise<void>;
  /**
   * Calls a function of the simulation between two frames, and resolves with its result. Rejects with a RequestError when
   * there is no such function, an argument does not fit, or the function throws.
   */
  call(name: string, ...values: readonly Value[]): Promise<Value | undefined>;
  /** Resolves when a frame shows it; rejects with a RequestError. */
  control(control: 'run' | 'freeze' | 'stop' | Control): Promise<void>;
}

/** No compiler may have checked the program. Throws a TypeError. */
function requireText(what: string, given: unknown): void {
  if (typeof given !== 'string') throw new TypeError(`${what} is a text, not ${String(given)}`);
}

const NOWHERE = { write: () => true, pendingBytes: 0 };

export class InProcessSession implements InProcess {
  private made: Session | undefined;

  constructor(private readonly registry: SessionRegistry) {}

  async get(path: string, units?: string): Promise<Value | undefined> {
    requireText('the path of a variable', path);
    const { source } = this.registry;
    const reference = new Reference(source, path, units);
    const { largeReads } = this.registry;
    const context = { session: this.session, source, largeReads, presence: new Presence() };
    const { value } = await readOnce(context, [reference], (frame) => ({ value: reference.read(frame) }));
    return value;
  }

  async set(path: string, value: Value, units?: string): Promise<void> {
    requireText('the path of a variable', path);
    const variable = this.registry.source.catalog.find(path);
    // The session says what is wrong with an unknown name.
    if (variable) exactInOwnUnits(variable, value, units);
    const write = this.session.prepareWrite(path, value, units);
    await this.session.submit({ kind: 'write', writes: [write] });
  }

  async call(name: string, ...values: readonly Value[]): Promise<Value | undefined> {
    requireText('the name of a function', name);
    const answer = await this.session.submit({ kind: 'call', name, values });
    return answer.value;
  }

  async control(control: ProgramControl): Promise<void> {
    await this.session.submit({ kind: 'control', control: controlOf(control) });
  }

  close(): void {
    this.made?.close();
  }

  private get session(): Session {
    // The program that serves the simulation is its operator.
    const facts = { frontEnd: 'program', peer: 'this program', transport: 'none', owner: '' } as const;
    this.made ??= this.registry.create(facts, NOWHERE);
    return this.made;
  }
}
