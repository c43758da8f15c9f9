// What a Trick session's blocks can reach: the session's commands, the simulation's variables and functions, stdio.
import { AssignmentError } from '../../model/assign.js';
import type { Part } from '../../model/reach.js';
import { type Value as ModelValue, readValue } from '../../model/read.js';
import { isCharacters, isLeaf, type Type } from '../../model/type.js';
import { locate, type Variable } from '../../model/variable.js';
import { UnknownVariableError } from '../../session/errors.js';
import { type Answer, type Request, RequestError, type Write } from '../../source/source.js';
import { mapTrickUnits, UnitsError } from '../../units/index.js';
import type { Command, CommandContext } from '../commands/command.js';
import { bindArguments } from '../commands/parameter.js';
import { RECORDING_CONSTANTS } from '../commands/recording-value.js';
import { COMMANDS } from '../commands/table.js';
import { valueOfEvent } from '../events/event-value.js';
import { fromModel } from '../interpreter/convert.js';
import { ScriptError } from '../interpreter/error.js';
import { Interpreter } from '../interpreter/interpreter.js';
import { Meter } from '../interpreter/meter.js';
import { fixedModule, mathModule, sysModule } from '../interpreter/modules.js';
import type { IncludedBlock, Surroundings } from '../interpreter/scope.js';
import {
  type Arguments,
  type Callable,
  ListValue,
  type ModuleValue,
  Quantity,
  type Run,
  type Value,
  VariableProxy,
  type Wait,
} from '../interpreter/values.js';
import type { TrickServer } from '../session/server-settings.js';
import type { TrickSession } from '../session/trick-session.js';
import { BlockFailure, runText } from './block-text.js';
import { callResult, callValues } from './function-call.js';

/** What Trick's event viewer sends its events through. */
const INPUT_PROCESSOR = 'trick_ip.ip';
/** A command may take long: the clock is looked at often. */
const COMMAND_STEPS = 16;
/** Assignments that travel in one request. */
const MOST_WRITES = 1000;
/** Requests that a session may have on their way before it waits for them. */
const MOST_REQUESTS = 256;

/** What an assignment may be wrong about. */
const WRITE_ERRORS = [AssignmentError, UnknownVariableError, UnitsError, RequestError];

/** The block goes on where the value was good, but may not be set. */
const isRefusal = (problem: Error): boolean =>
  problem instanceof RequestError || (problem instanceof AssignmentError && problem.isReadOnly);

export class SessionSurroundings implements Surroundings, CommandContext {
  /** Of the block that runs. */
  meter = new Meter();
  readonly modules: ReadonlyMap<string, ModuleValue>;
  private readonly commands = new Map<string, Callable>();
  /** Assignments since the last request; they travel together. */
  private writes: Write[] = [];
  /** Files that blocks may include just now. */
  include?: ((name: string) => IncludedBlock) | undefined;
  /** Requests on their way. */
  private underway = 0;
  /** How many texts run in each other. */
  private parseDepth = 0;
  private readonly inputProcessor = fixedModule(INPUT_PROCESSOR, {
    parse: { kind: 'callable', name: 'parse', call: (args) => this.parse(args) },
  });

  constructor(
    readonly session: TrickSession,
    readonly server: TrickServer,
    readonly names: Map<string, Value>,
  ) {
    this.modules = new Map([
      ['trick', this.trickModule()],
      ['sys', sysModule((stream, text) => this.print(stream, text))],
      ['math', mathModule],
    ]);
  }

  variable(path: string): Value | undefined {
    const { catalog, frame } = this.session.session.source;
    const variable = catalog.find(path);
    if (!variable) return undefined;
    const offset = locate(variable, frame.memory);
    if (offset < 0) return undefined;
    if (!isLeaf(variable.type) && !isCharacters(variable.type)) return new VariableProxy(variable.path, variable);
    return withUnits(fromModel(readValue(variable.type, frame.memory, offset), isWhole(variable.type)), variable);
  }

  elements({ path, variable }: VariableProxy): Value[] | undefined {
    const { memory } = this.session.frame;
    const offset = locate(variable, memory);
    const { type } = variable;
    if (offset < 0 || type.kind === 'struct') return undefined;
    const length =
      type.kind === 'array' ? type.length : memory.view.getUint32(type.kind === 'pointer' ? offset + 4 : offset, true);
    return Array.from({ length }, (_, index) => this.variable(`${path}[${index}]`) ?? null);
  }

  /** Events are known to all sessions by their names. */
  shared(name: string): Value | undefined {
    const event = this.server.events.find(name);
    return event && valueOfEvent(event, this.server.events);
  }

  method(path: string): Value | undefined {
    if (path === INPUT_PROCESSOR) return this.inputProcessor;
    return this.session.session.source.catalog.functions.has(path) ? this.simFunction(path) : undefined;
  }

  explain(path: string): string {
    return this.session.session.source.catalog.explain(path);
  }

  assign(path: string, value: ModelValue, units: string | undefined): void {
    const problem = this.prepare(path, value, units);
    if (!problem) return;
    if (isRefusal(problem)) this.complain(problem.message);
    else
      throw new ScriptError(problem instanceof UnknownVariableError ? 'AttributeError' : 'TypeError', problem.message);
  }

  /** Trick: var_set, which never ends the block. */
  readonly set = (path: string, value: ModelValue, units: string | undefined): void => {
    const problem = this.prepare(path, value, units);
    if (problem) this.complain(problem.message);
  };

  readonly submit = (request: Request): void => {
    this.flush();
    this.send(request).catch((error: Error) => this.complain(error.message));
  };

  /** Within the limits of the block that asks for it. */
  readonly addRead = (atSeconds: number, text: string): boolean =>
    this.server.addRead(atSeconds, text, this.meter.limits);

  private send(request: Request): Promise<Answer> {
    const answer = this.session.session.submit(request);
    this.underway++;
    const done = (): void => {
      this.underway--;
    };
    answer.then(done, done);
    return answer;
  }

  readonly complain = (sentence: string): void => {
    this.session.stdio.write('stderr', `${sentence}\n`);
  };

  canRead(path: string, part: Part): boolean {
    return this.canReadAll([path], part);
  }

  private canReadAll(paths: Iterable<string>, part: Part | undefined): boolean {
    this.flush();
    const { session } = this.session;
    try {
      return !session.settled && session.canRead(paths, part);
    } catch (error) {
      throw new ScriptError('RuntimeError', (error as Error).message);
    }
  }

  mustWait(): Wait | undefined {
    // What has ended does not go on.
    if (this.session.isExited) return 'turn';
    if (this.session.session.outbound.isFull) return 'taken';
    if (this.writes.length >= MOST_WRITES) this.flush();
    return this.underway >= MOST_REQUESTS && this.session.session.settled ? 'settled' : undefined;
  }

  write(stream: 'stdout' | 'stderr', text: string): void {
    this.session.stdio.write(stream, text);
  }

  /** What sys.stdout.write and its sister write is paid for here, print's text where it is made. */
  private print(stream: 'stdout' | 'stderr', text: string): void {
    this.meter.print(text.length);
    this.write(stream, text);
  }

  /** Sends the assignments collected so far, and what has become of events, on their way. */
  flush(): void {
    if (this.writes.length > 0) {
      const writes = this.writes;
      this.writes = [];
      this.send({ kind: 'write', writes }).catch((error: Error) => this.complain(error.message));
    }
    const shown = this.server.events.takeChange();
    if (shown) this.send(shown).catch((error: Error) => this.complain(error.message));
  }

  /** `trick_ip.ip.parse(text)`: runs text as a block of its own; what goes wrong in it does not end this one. */
  private *parse(args: Arguments): Run<Value> {
    const [text] = bindArguments('parse', [{ name: 'in_string', type: 'text' }], args);
    if (this.parseDepth >= this.meter.limits.callDepth) throw new ScriptError('RecursionError', 'parse calls too deep');
    this.parseDepth++;
    try {
      yield* runText(new Interpreter(this, this.meter), text as string);
      return 0n;
    } catch (error) {
      if (!(error instanceof BlockFailure)) throw error;
      this.session.stdio.writeError(error.pieces);
      this.meter.look();
      return -1n;
    } finally {
      this.parseDepth--;
    }
  }

  private prepare(path: string, value: ModelValue, units: string | undefined): Error | undefined {
    try {
      this.writes.push(this.session.session.prepareWrite(path, value, units));
      return undefined;
    } catch (error) {
      if (WRITE_ERRORS.some((known) => error instanceof known)) return error as Error;
      throw error;
    }
  }

  private trickModule(): ModuleValue {
    return {
      kind: 'module',
      name: 'trick',
      attribute: (name) => this.trickAttribute(name),
      names: () => [...COMMANDS.keys(), ...this.session.session.source.catalog.functions.keys(), 'attach_units'],
    };
  }

  private trickAttribute(name: string): Value | undefined {
    const known = this.commands.get(name);
    if (known) return known;
    const command = COMMANDS.get(name);
    if (command) {
      const callable = this.callableOf(command);
      this.commands.set(name, callable);
      return callable;
    }
    const { catalog } = this.session.session.source;
    const label = catalog.labels.get(name) ?? RECORDING_CONSTANTS.get(name);
    if (label !== undefined) return BigInt(label);
    if (catalog.functions.has(name)) return this.simFunction(name);
    return name === 'attach_units' ? ATTACH_UNITS : undefined;
  }

  private callableOf(command: Command): Callable {
    const call = (args: Arguments): Value | Run<Value> => {
      const values = bindArguments(command.name, command.parameters, args);
      this.meter.spend(COMMAND_STEPS);
      const run = () => command.run(this, values) ?? null;
      return this.isReadable(command, values) ? run() : this.onceReadable(command, values, run);
    };
    return { kind: 'callable', name: command.name, call };
  }

  private isReadable(command: Command, values: readonly Value[]): boolean {
    if (!command.reads) return true;
    const { paths, part } = command.reads(this, values);
    return this.canReadAll(paths, part);
  }

  private *onceReadable(command: Command, values: readonly Value[], run: () => Value): Run<Value> {
    while (!this.isReadable(command, values)) yield 'settled';
    return run();
  }

  /** A function that the simulation registered; its result comes back with the frame that shows what it did. */
  private simFunction(name: string): Callable {
    return { kind: 'callable', name, call: (args) => this.callSimulation(name, args) };
  }

  private *callSimulation(name: string, args: Arguments): Run<Value> {
    const { source } = this.session.session;
    const callable = source.catalog.functions.get(name) ?? { name, about: '' };
    this.flush();
    const values = yield* callValues(
      { meter: this.meter, source, canRead: (...asked) => this.canRead(...asked) },
      callable,
      args,
    );
    const outcome: { result?: Value; error?: string } = {};
    const done = this.send({ kind: 'call', name, values });
    done.then(
      (answer) => {
        outcome.result = callResult(callable, answer.value);
      },
      (error: Error) => {
        outcome.error = error.message;
      },
    );
    while (outcome.result === undefined && outcome.error === undefined) yield 'settled';
    if (outcome.error !== undefined) throw new ScriptError('RuntimeError', outcome.error);
    return outcome.result ?? null;
  }
}

/** Trick: attach_units; the units are checked against the variable when they meet it. */
const ATTACH_UNITS: Callable = {
  kind: 'callable',
  name: 'attach_units',
  call: (args) => {
    const [units = '', magnitude = null] = bindArguments(
      'attach_units',
      [
        { name: 'in_units', type: 'text' },
        { name: 'in_object', type: 'value' },
      ],
      args,
    );
    const plain = magnitude instanceof Quantity ? magnitude.magnitude : magnitude;
    if (
      typeof plain !== 'number' &&
      typeof plain !== 'bigint' &&
      typeof plain !== 'boolean' &&
      !(plain instanceof ListValue)
    ) {
      throw new ScriptError('TypeError', 'attach_units() takes units and a number or a list of numbers');
    }
    return new Quantity(plain, mapTrickUnits(units as string));
  },
};

const isWhole = (type: Type): boolean =>
  type.kind === 'bits' ||
  type.kind === 'enumeration' ||
  (type.kind === 'number' && type.name !== 'float' && type.name !== 'double');

/** A number with units keeps them, as Trick's wrapped numbers do. */
function withUnits(value: Value, { units }: Variable): Value {
  const hasUnits = units !== '--' && units !== '1' && units !== '';
  return hasUnits && (typeof value === 'number' || typeof value === 'bigint') ? new Quantity(value, units) : value;
}
