// What a Trick session's blocks can reach: modules, the simulation's variables and functions, shared events, stdio.

import type { Part } from '../../../model/state/reach.js';
import type { Value } from '../../../model/state/read.js';
import { shownParts } from '../../../serving/session/read.js';
import type { Request, Source } from '../../../source/source.js';
import {
  type Arguments,
  arrayModule,
  datetimeModule,
  type Elements,
  futureModule,
  type HostVariable,
  INPUT_LIMITS,
  type Interpreter,
  Meter,
  type ModuleValue,
  mathModule,
  namedModules,
  osPathModule,
  type Run,
  ScriptError,
  type ScriptValue,
  sysModule,
  type TextFiles,
  type Wait,
} from '../../python/index.js';
import type { Reading, RequestResult, Stored } from '../commands/command.js';
import { unitTestModule, unitTestService } from '../commands/unit-tests.js';
import { passiveObject, sayOnce } from '../commands/without-effect.js';
import { valueOfEvent } from '../events/event-value.js';
import type { DeclaredMemory } from '../session/declared-memory.js';
import type { TrickServer } from '../session/server-settings.js';
import type { TrickSession } from '../session/trick-session.js';
import type { Flow } from './flow.js';
import { callResult, callValues } from './function-call.js';
import { functionAt } from './function-paths.js';
import { INPUT_PROCESSOR, inputProcessor, type ParseSurroundings } from './input-processor.js';
import { objectMethods, serviceModules } from './object-methods.js';
import { clientsOs, operatorsModules } from './operators-modules.js';
import { Requests } from './requests.js';
import type { SimulationVariable } from './simulation-variable.js';
import { type CommandSurroundings, TrickModule } from './trick-module.js';
import { storeVariable } from './variable-store.js';
import { elementsAt, valueAt } from './variables.js';

export interface SurroundingsSettings {
  readonly session: TrickSession;
  readonly server: TrickServer;
  readonly flow: Flow;
  /** The names of the session; they live from block to block. */
  readonly names: Map<string, ScriptValue>;
  /** The names of the input file, which events and reads of clients see. */
  readonly inherited?: ReadonlyMap<string, ScriptValue> | undefined;
  /**
   * The owner of the events and reads that run here, an address or empty for the input file; undefined for a client's
   * blocks.
   */
  readonly sharedOwner?: string | undefined;
}

export class SessionSurroundings implements ParseSurroundings, CommandSurroundings {
  /** The meter of the running block. */
  meter = new Meter();
  readonly session: TrickSession;
  readonly server: TrickServer;
  readonly names: Map<string, ScriptValue>;
  readonly inherited: ReadonlyMap<string, ScriptValue> | undefined;
  readonly modules: ReadonlyMap<string, ModuleValue>;
  /** The files that the operator's texts may read. */
  files?: TextFiles | undefined;
  /** The owner of the running texts: an address, or empty for the input file. */
  readonly owner: string;
  /** Whether the server's own texts run here. */
  readonly isShared: boolean;
  /** The input file that runs. */
  input?: { readonly name: string; readonly text: string } | undefined;
  /** Runs the present block. */
  interpreter?: Interpreter;
  /** How deep texts run inside each other. */
  parseDepth = 0;
  private readonly flow: Flow;
  private readonly requests: Requests;
  private readonly trick: TrickModule;
  // Made when they are first needed, because most sessions need none of them.
  private imports: ReadonlyMap<string, ModuleValue> | undefined;
  private objectMethods: ((path: string) => ScriptValue | undefined) | undefined;

  constructor({ session, server, flow, names, inherited, sharedOwner }: SurroundingsSettings) {
    this.session = session;
    this.server = server;
    this.flow = flow;
    this.names = names;
    this.inherited = inherited;
    this.isShared = sharedOwner !== undefined;
    this.owner = sharedOwner ?? session.client.account.network;
    this.requests = new Requests({
      session,
      events: server.events,
      complainHere: () => this.complainHere(),
      isInput: () => this.input !== undefined,
      stores: (bytes) => this.meter.store(bytes),
    });
    const trick = new TrickModule(this);
    this.trick = trick;
    this.modules = new Map<string, ModuleValue>([
      ['trick', trick],
      ['trick_utest', unitTestService],
      ...serviceModules(trick),
      ['sys', sysModule],
      ['math', mathModule],
      ['os', clientsOs],
      ['os.path', osPathModule],
      ['trick.unit_test', unitTestModule],
      ...(sharedOwner === '' ? operatorsModules(() => this.files) : []),
    ]);
  }

  get importable(): ReadonlyMap<string, ModuleValue> {
    this.imports ??= new Map<string, ModuleValue>([
      ['array', arrayModule],
      ['datetime', datetimeModule],
      ['__future__', futureModule],
      ['trick.sim_services', this.trick],
      ...namedModules(['top', 'trick.top'], (name) =>
        sayOnce(this, `import ${name} is taken: the module's name is here, and nothing in it`),
      ),
    ]);
    return this.imports;
  }

  readonly variable = (path: string): ScriptValue | undefined => valueAt(path, this.session.client.source);

  elements(proxy: HostVariable): Elements | undefined {
    return elementsAt(proxy as SimulationVariable, this.session.client.source);
  }

  /** The event of a name, which all sessions know; the simulation's own objects come first. */
  shared(name: string): ScriptValue | undefined {
    const { events } = this.server;
    if (this.isObject(name)) return undefined;
    const { study, web } = this.server;
    if (name === study.module.name && this.isOperators) return study.module;
    if (name === web.name && this.isOperators) return web;
    const event = events.find(name) ?? events.at(name);
    if (event) return valueOfEvent(event, events);
    return passiveObject(this, name) ?? this.functionOfNothing(name);
  }

  /** What has functions and is no object. */
  private functionOfNothing(name: string): ScriptValue | undefined {
    const { catalog } = this.session;
    return catalog.object(name) || catalog.functions.has(name) ? undefined : functionAt(name, catalog.functions);
  }

  /** Objects that clients have added come last, as variables that they declare do: texts were there before them. */
  isObject(name: string): boolean {
    const object = this.session.catalog.object(name);
    return object !== undefined && !object.isAdded;
  }

  /** Whether the running block is the operator's: an input file, or a text that it has added with add_read. */
  get isOperators(): boolean {
    return this.isShared && (this.input !== undefined || this.meter.limits === INPUT_LIMITS);
  }

  /** The names of the server's own session are the operator's while an input file runs. */
  runsForAll(): boolean {
    return this.isShared && this.input === undefined;
  }

  method(path: string): ScriptValue | undefined {
    if (path === INPUT_PROCESSOR) return inputProcessor;
    if (path === this.server.study.master.name && this.isOperators) return this.server.study.master;
    const called = functionAt(path, this.session.catalog.functions);
    if (called) return called;
    const event = this.server.events.at(path);
    if (event) return valueOfEvent(event, this.server.events);
    this.objectMethods ??= objectMethods(this.trick);
    return this.objectMethods(path) ?? passiveObject(this, path);
  }

  explain(path: string): string {
    return this.session.catalog.explain(path);
  }

  assign(path: string, value: Value, units: string | undefined): void {
    this.requests.assign(path, value, units);
  }

  readonly set = (path: string, value: Value, units: string | undefined): Stored =>
    this.requests.set(path, value, units);

  readonly submit = (request: Request): void => {
    this.requests.submit(request);
    // A request, or its refusal, takes longer than its few steps show.
    this.meter.look();
  };

  get isTurnOver(): boolean {
    return this.meter.isTurnOver;
  }

  readonly spend = (steps: number): void => this.meter.spend(steps);

  store(path: string, value: ScriptValue): Run<void> {
    return storeVariable(this, path, value);
  }

  get source(): Source {
    return this.session.client.source;
  }

  get memory(): DeclaredMemory {
    return this.session.memory;
  }

  /** Sends all assignments so far to the simulation. */
  flush(): void {
    this.requests.flush();
  }

  /** Sends the state of events, if it has changed, before others run. */
  showEvents(): void {
    this.requests.showEvents();
  }

  /** The text gets the limits of the block that adds it. */
  readonly addRead = (atSeconds: number, text: string): boolean =>
    this.server.addRead(atSeconds, text, this.meter.limits, this.owner);

  readonly complain = (sentence: string): void => this.complainHere()(sentence);

  /**
   * Makes a function that complains, also later, about the statement that runs now; for an input file it tells the
   * line.
   */
  private complainHere(): (sentence: string) => void {
    const place = this.input && this.interpreter?.placeIn(this.input.name, this.input.text);
    const where = place ? `${place.file}, line ${place.line}: ` : '';
    return (sentence) => this.session.stdio.refuse(`${where}${sentence}`);
  }

  canRead(path: string, part: Part): boolean {
    return this.canReadAll({ paths: [path], part });
  }

  canReadAll({ paths, part, mostBytes }: Reading): boolean {
    this.flush();
    const { client } = this.session;
    try {
      const canRead = !client.settled && this.session.read.ask(shownParts(client.source, paths, part, mostBytes));
      if (canRead) this.session.read.end();
      return canRead;
    } catch (error) {
      this.session.read.end();
      throw new ScriptError('RuntimeError', (error as Error).message);
    }
  }

  mustWait(): Wait | undefined {
    return this.flow.mustWait(this.requests.underway);
  }

  write(stream: 'stdout' | 'stderr', text: string): void {
    this.session.stdio.write(stream, text);
  }

  writeError(pieces: readonly string[]): void {
    this.session.stdio.writeError(pieces);
  }

  readonly allocate = (bytes: number): void => this.meter.allocate(bytes);
  readonly spendOutput = (characters: number): void => this.meter.print(characters);

  *callSimulation(name: string, args: Arguments): Run<ScriptValue> {
    const { source } = this.session.client;
    const callable = source.catalog.functions.get(name) ?? { name, about: '' };
    this.flush();
    const values = yield* callValues(
      { meter: this.meter, source, canRead: (...asked) => this.canRead(...asked) },
      callable,
      args,
    );
    const asked = yield* this.ask({ kind: 'call', name, values });
    if ('refusal' in asked) throw new ScriptError('RuntimeError', asked.refusal);
    return callResult(callable, asked.value);
  }

  readonly ask = (request: Request): Run<RequestResult> => this.asking(request);

  private *asking(request: Request): Run<RequestResult> {
    this.flush();
    const outcome: { asked?: RequestResult } = {};
    this.requests.send(request).then(
      ({ value }) => {
        outcome.asked = { value };
      },
      (error: Error) => {
        outcome.asked = { refusal: error.message };
      },
    );
    while (outcome.asked === undefined) yield 'settled';
    return outcome.asked;
  }
}
