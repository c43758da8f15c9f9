// Requests carried out on the simulation's own thread, between ticks.

import { restoreCheckpoint, saveCheckpoint } from '../checkpoint/checkpoint.js';
import type { RunDirectory } from '../files/run-directory.js';
import { assignAll, convertFor } from '../model/assign.js';
import { fitArguments } from '../model/callable.js';
import type { Catalog } from '../model/catalog.js';
import type { Value } from '../model/read.js';
import type { State } from '../model/state.js';
import { didYouMean, nearestNames } from '../model/suggest.js';
import type { Recording } from '../recording/recording.js';
import type { MessageAddress } from '../trick/catalog/client-objects.js';
import type { ShownEvents } from '../trick/catalog/event-objects.js';
import type { Executive } from './executive.js';
import type { RegisteredFunction } from './functions.js';
import type { Holds } from './holds.js';
import type { Pacer } from './pacer.js';
import { type Control, type Request, RequestError, type Write } from './request.js';
import { returnedValue } from './returned-value.js';
import { applySpawning, type SpawnLimits } from './spawning.js';

/** What requests act on. */
export interface Controlled {
  readonly state: State;
  readonly catalog: Catalog;
  readonly executive: Executive;
  readonly pacer: Pacer;
  readonly functions: ReadonlyMap<string, RegisteredFunction>;
  readonly spawnLimits: SpawnLimits;
  readonly files: RunDirectory;
  readonly recording: Recording;
  readonly nowMillis: () => number;
  readonly holds: Holds;
  readonly showEvents: (shown: ShownEvents) => void;
  showMessageAddress: (address: MessageAddress) => void;
  /** Ends the initialization. */
  begin(): void;
  /** Ends the run at the end of this turn; the code is what the process should exit with, 0 when left out. */
  end(reason: string, exitCode?: number): void;
  say(text: string, level: 'error' | 'informational'): void;
}

/** A function that threw: unlike a refused request, it may have changed something before. */
export class FunctionError extends RequestError {}

/**
 * Carries out a request and returns what a called function returned, or the number of a spawned object. Throws a RequestError when it cannot; nothing has
 * been changed then, but for what a function did before it threw.
 */
export function applyRequest(running: Controlled, request: Request): Value | undefined {
  switch (request.kind) {
    case 'write':
      applyWrites(running, request.writes);
      return undefined;
    case 'control':
      refused(() => applyControl(running, request.control));
      return undefined;
    case 'call':
      return callFunction(running, request.name, request.values);
    case 'spawn':
    case 'despawn':
    case 'insert':
    case 'remove':
    case 'reparent':
      return refused(() => applySpawning(running.state, running.spawnLimits, request));
    case 'checkpoint':
      refused(() => saveCheckpoint(running, request.file, request.objects));
      return undefined;
    case 'load-checkpoint':
      refused(() => restoreCheckpoint(running, request.file));
      return undefined;
    case 'record':
      refused(() => running.recording.control(request.control));
      return undefined;
    case 'look':
      return undefined;
    case 'message-port':
      running.showMessageAddress({ hostname: request.hostname, port: request.port });
      return undefined;
    case 'events':
      running.showEvents(request.shown);
      return undefined;
    case 'hold':
      running.holds.hold(request.id, request.atTics);
      return undefined;
    case 'let-go':
      running.holds.letGo(request.id);
      return undefined;
    case 'start':
      running.begin();
      return undefined;
    case 'schedule':
      running.executive.copies.hold(request.periodTics, request.hold);
      return undefined;
  }
}

/** What one write's setter refuses undoes all of them, for the state and for the mirrors that had taken theirs. */
function applyWrites({ catalog, state }: Controlled, writes: readonly Write[]): void {
  const assignments = writes.map(({ path, value, catalogVersion }) => {
    const variable = catalog.find(path);
    if (!variable) throw new RequestError(catalog.explain(path));
    // Checked at the door already, for an early sentence; again only if the catalog has changed since, or for a request
    // from elsewhere: converting a list of 100,000 numbers takes longer than storing it, and the simulation waits.
    if (catalogVersion === catalog.version) return { variable, value };
    return { variable, value: refused(() => convertFor(variable, value)) };
  });
  const components = [...new Set(assignments.map(({ variable }) => componentOf(variable.path)))];
  const taken: string[] = [];
  const pushMirrors = () => {
    for (const component of components) {
      taken.push(component);
      state.pushMirror(component);
    }
  };
  try {
    // A mirror's setter gets the whole component: what is not written must be up to date.
    for (const component of components) state.pullMirror(component);
    assignAll(assignments, state.arena.memory, pushMirrors);
  } catch (error) {
    for (const component of taken.slice(0, -1)) state.pushMirror(component);
    throw new RequestError(sentenceOf(error), { cause: error });
  }
}

/** `fx.all` of `fx.all.d3[1]`. */
const componentOf = (path: string): string => path.match(/^[^.[]*\.[^.[]*/)?.[0] ?? path;

const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Runs, and turns what is thrown into a RequestError with the same sentence. */
function refused<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw new RequestError(sentenceOf(error), { cause: error });
  }
}

function callFunction(running: Controlled, name: string, values: readonly Value[]): Value | undefined {
  const called = running.functions.get(name);
  if (!called) {
    throw new RequestError(`there is no function ${name}${didYouMean(nearestNames(name, running.functions.keys()))}`);
  }
  const fitted = refused(() => fitArguments(called.described, values));
  try {
    const returned: unknown = called.call(...(fitted as never[]));
    if (!(returned instanceof Promise)) return returnedValue(returned);
    // Answers do not wait for what ends in some later tick.
    returned.catch((error: unknown) => running.say(`function ${name} failed: ${sentenceOf(error)}`, 'error'));
    return undefined;
  } catch (error) {
    throw new FunctionError(`function ${name} failed: ${sentenceOf(error)}`, { cause: error });
  }
}

function applyControl(running: Controlled, control: Control): void {
  const { executive } = running;
  switch (control.action) {
    case 'run':
      executive.run();
      break;
    case 'freeze':
      if (control.atSeconds === undefined) executive.freeze();
      else executive.freezeAtTics(executive.toTics(control.atSeconds));
      break;
    case 'step':
      executive.step(control.frames);
      break;
    case 'debug-pause':
      executive.setDebugPause(control.isOn);
      break;
    case 'debug-signal':
      executive.debugSignal();
      break;
    case 'stop':
      if (control.atSeconds === undefined) running.end('stopped by a client');
      else executive.stopAtTics(executive.toTics(control.atSeconds));
      break;
    case 'terminate':
      running.end(`terminated with code ${control.code}: ${control.reason}`, control.code);
      break;
    default:
      applyTiming(running, control);
  }
}

type TimingControl = Exclude<
  Control,
  { readonly action: 'run' | 'freeze' | 'step' | 'debug-pause' | 'debug-signal' | 'stop' | 'terminate' }
>;

function applyTiming({ executive, pacer, nowMillis }: Controlled, control: TimingControl): void {
  switch (control.action) {
    case 'real-time':
      pacer.setEnabled(control.enabled, nowMillis(), executive.timeTics);
      break;
    case 'clock-ratio':
      pacer.setRatio(control.ratio, nowMillis());
      break;
    case 'software-frame':
      executive.setSoftwareFrame(control.seconds);
      break;
    case 'freeze-frame':
      executive.setFreezeFrame(control.seconds);
      break;
  }
}
