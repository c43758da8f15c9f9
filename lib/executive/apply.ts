// Requests carried out on the simulation's own thread, between ticks.
import { assign, convertFor } from '../model/assign.js';
import type { Catalog } from '../model/catalog.js';
import type { Value } from '../model/read.js';
import type { State } from '../model/state.js';
import { didYouMean, nearestNames } from '../model/suggest.js';
import type { Executive } from './executive.js';
import type { Pacer } from './pacer.js';
import { type Control, type Request, RequestError, type Write } from './request.js';
import type { SimFunction } from './simulation.js';

/** What requests act on. */
export interface Controlled {
  readonly state: State;
  readonly catalog: Catalog;
  readonly executive: Executive;
  readonly pacer: Pacer;
  readonly functions: ReadonlyMap<string, SimFunction>;
  nowMillis(): number;
  /** Counts real time from now. */
  restartPacing(): void;
  /** Ends the run at the end of this turn. */
  end(reason: string): void;
}

/** Carries out a request and returns what a called function returned. Throws a RequestError that changed nothing. */
export function applyRequest(running: Controlled, request: Request): Value | undefined {
  switch (request.kind) {
    case 'write':
      applyWrites(running, request.writes);
      return undefined;
    case 'control':
      applyControl(running, request.control);
      return undefined;
    case 'call':
      return callFunction(running, request.name, request.values);
    case 'schedule':
      running.executive.copies.hold(request.periodTics, request.hold);
      return undefined;
  }
}

function applyWrites(running: Controlled, writes: readonly Write[]): void {
  const { catalog, state } = running;
  const checked = writes.map(({ path, value }) => {
    const variable = catalog.find(path);
    if (!variable) throw new RequestError(catalog.explain(path));
    return { variable, value: refused(() => convertFor(variable, value)) };
  });
  for (const { variable, value } of checked) refused(() => assign(variable, state.arena.memory, value));
  const components = new Set(checked.map(({ variable }) => componentOf(variable.path)));
  for (const component of components) refused(() => state.pushMirror(component));
}

/** `fx.all` of `fx.all.d3[1]`. */
const componentOf = (path: string): string => path.match(/^[^.[]*\.[^.[]*/)?.[0] ?? path;

/** Runs, and turns what is thrown into a RequestError with the same sentence. */
function refused<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw new RequestError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function callFunction(running: Controlled, name: string, values: readonly Value[]): Value | undefined {
  const call = running.functions.get(name);
  if (!call) {
    throw new RequestError(`there is no function ${name}${didYouMean(nearestNames(name, running.functions.keys()))}`);
  }
  return refused(() => call(...(values as never[])) as Value | undefined);
}

function applyControl(running: Controlled, control: Control): void {
  const { executive } = running;
  switch (control.action) {
    case 'run':
      executive.run();
      running.restartPacing();
      break;
    case 'freeze':
      if (control.atSeconds === undefined) executive.freeze();
      else executive.freezeAtTics(future(running, control.atSeconds, 'freeze'));
      break;
    case 'step':
      executive.step(whole(control.frames));
      running.restartPacing();
      break;
    case 'stop':
      if (control.atSeconds === undefined) running.end('stopped by a client');
      else executive.stopAtTics(future(running, control.atSeconds, 'stop'));
      break;
    case 'terminate':
      running.end(`terminated with code ${control.code}: ${control.reason}`);
      break;
    default:
      applyTiming(running, control);
  }
}

type TimingControl = Exclude<Control, { readonly action: 'run' | 'freeze' | 'step' | 'stop' | 'terminate' }>;

function applyTiming(running: Controlled, control: TimingControl): void {
  const { executive, pacer } = running;
  const now = running.nowMillis();
  switch (control.action) {
    case 'real-time':
      pacer.setEnabled(control.enabled, now, executive.timeTics);
      break;
    case 'clock-ratio':
      pacer.setRatio(positive(control.ratio, 'a clock ratio'), now, executive.timeTics);
      break;
    case 'software-frame':
      executive.setSoftwareFrame(frameLength(control.seconds, 'a software frame'));
      break;
    case 'freeze-frame':
      executive.setFreezeFrame(frameLength(control.seconds, 'a freeze frame'));
      break;
  }
}

function future(running: Controlled, seconds: number, what: string): number {
  const tics = running.executive.toTics(seconds);
  if (!(tics >= running.executive.timeTics)) {
    throw new RequestError(`cannot ${what} at ${seconds} s, simulation time is ${running.executive.timeSeconds} s already`);
  }
  return tics;
}

function whole(frames: number): number {
  if (!Number.isInteger(frames) || frames < 1) throw new RequestError(`a step is a whole number of frames from 1 up, not ${frames}`);
  return frames;
}

function positive(value: number, what: string): number {
  if (!(value > 0 && value < Number.POSITIVE_INFINITY)) throw new RequestError(`${what} is a number above 0, not ${value}`);
  return value;
}

/** A frame has at least one tic and less than a million seconds. */
function frameLength(seconds: number, what: string): number {
  if (!(seconds >= 1e-6 && seconds < 1e6)) throw new RequestError(`${what} is a time in seconds from 1e-6 up, not ${seconds}`);
  return seconds;
}
