// Carries out requests on the simulation's thread, between ticks.

import { fitArguments } from '../../model/state/callable.js';
import type { Catalog } from '../../model/state/catalog.js';
import { type Client, type ClientOrOperator, clientOf } from '../../model/state/fair-share.js';
import type { Value } from '../../model/state/read.js';
import type { State } from '../../model/state/state.js';
import { didYouMean, nearestNames } from '../../model/state/suggest.js';
import { thrownText } from '../../model/state/thrown.js';
import { type Checkpointed, restoreCheckpoint, saveCheckpoint } from '../checkpoint/checkpoint.js';
import { changeLayout, LAYOUTS_DIRECTORY } from '../files/layout-files.js';
import type { FrameLog } from '../recording/frame-log.js';
import type { Recording } from '../recording/recording.js';
import { callJob } from './call-job.js';
import { type Conditions, holdFor } from './conditions.js';
import { applyMemory } from './dynamic-memory.js';
import type { Executive } from './executive.js';
import type { RegisteredFunction } from './functions.js';
import type { Holds } from './holds.js';
import type { LogLevel } from './log-level.js';
import type { Moment, Moments } from './moments.js';
import { type Shows, show } from './overlay.js';
import type { Pacer } from './pacer.js';
import { type Control, FunctionError, type Request, RequestError, type ServerControl } from './request.js';
import { returnedValue } from './returned-value.js';
import { applySpawning, despawn, type SpawnLimits } from './spawning.js';
import { refused, WritePlan } from './write.js';

/** What requests change. */
export interface Controlled {
  readonly state: State;
  readonly catalog: Catalog;
  readonly executive: Executive;
  readonly pacer: Pacer;
  readonly functions: ReadonlyMap<string, RegisteredFunction>;
  readonly eventCalls: ReadonlyMap<string, () => unknown>;
  readonly spawnLimits: SpawnLimits;
  readonly desk: Checkpointed['desk'];
  readonly clientFiles: Checkpointed['clientFiles'];
  readonly recording: Recording;
  readonly frameLog: FrameLog;
  readonly nowMillis: () => number;
  /** Whether frames run when a program asks for them, and none may ever come. */
  readonly isCalled: boolean;
  readonly holds: Holds;
  readonly conditions: Pick<Conditions, 'decider'>;
  readonly moments: Moments;
  readonly shows: Shows;
  /** The exit code of the process, unless the run ends with another one. */
  exitCode: number;
  /** Ends the initialization. */
  begin(): void;
  /** Ends the run at the end of this turn; `exitCode` is the exit code of the process, 0 when left out. */
  end(reason: string, exitCode?: number): void;
  say(text: string, level?: LogLevel): void;
}

/** The last part of a request, or its next one. */
export type Finish = () => Value | undefined | Later;

/** A request whose slow part runs elsewhere; it is answered when its last part has been carried out between ticks. */
export class Later {
  constructor(readonly start: (done: (finish: Finish) => void) => void) {}
}

/**
 * Carries out a request, and returns the result of a called function or the number of a spawned object. Throws a
 * RequestError when it cannot; then nothing has been changed, except what a function changed before it threw.
 */
export function applyRequest(running: Controlled, request: Request): Value | undefined | Later {
  switch (request.kind) {
    case 'write':
      new WritePlan(running, request).apply();
      return undefined;
    case 'control':
      return refused(() => applyControl(running, request.control, clientOf(request.by)));
    case 'call':
      return callFunction(running, request.name, request.values);
    case 'despawn':
      return inSteps(despawn(running.state, request));
    case 'spawn':
    case 'insert':
    case 'remove':
    case 'reparent':
      return refused(() => applySpawning(running.state, running.spawnLimits, request));
    case 'declare':
    case 'resize':
    case 'name-memory':
    case 'clear-memory':
    case 'delete-memory':
    case 'aim':
      return inSteps(applyMemory(running, request));
    case 'checkpoint':
      if (!request.isText) refused(() => requireOthersFree(running, request.file, clientOf(request.by)));
      return new Later((done) => saveCheckpoint(running, request, done));
    case 'load-checkpoint':
      return new Later((done) => restoreCheckpoint(running, request, done));
    case 'layout':
      refused(() => changeLayout(clientFilesOf(running, request.by), request));
      return undefined;
    case 'record':
      return refused(() => running.recording.control(request.control, request.by));
    case 'frame-log':
      refused(() => applyFrameLog(running, request));
      return undefined;
    case 'job':
      return refused(() => changeJobs(running, request));
    case 'call-job':
      return callJob(running, request.job);
    case 'look':
      return undefined;
    case 'show':
      return inSteps(refused(() => show(running.shows, request.overlay, request.value)));
    case 'schedule':
      refused(() => schedule(running, request));
      return undefined;
  }
}

/** Does a step; what is left is done after the requests that wait, as long as there is time between ticks. */
function inSteps(steps: Iterator<void, unknown>): Value | undefined | Later {
  const step = refused(() => steps.next());
  if (step.done) return step.value as Value | undefined;
  return new Later((done) => done(() => inSteps(steps)));
}

function applyFrameLog(
  { frameLog, executive }: Controlled,
  { isOn, mostSamples, by }: Extract<Request, { kind: 'frame-log' }>,
): void {
  if (mostSamples !== undefined) frameLog.setMostSamples(mostSamples);
  // What comes before the first frame comes from the operator's input file.
  if (isOn) frameLog.switchOn(!executive.isBeforeStart, clientOf(by));
  else if (isOn === false) frameLog.switchOff();
}

function schedule({ executive }: Controlled, { periodTics, hold }: Extract<Request, { kind: 'schedule' }>): void {
  if (hold) executive.copies.hold(periodTics);
  else executive.copies.letGo(periodTics);
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
    // The answer does not wait for a promise that settles in a later tick.
    returned.catch((error: unknown) => running.say(`function ${name} failed: ${thrownText(error)}`, 'error'));
    return undefined;
  } catch (error) {
    throw new FunctionError(`function ${name} failed: ${thrownText(error)}`, { cause: error });
  }
}

/** The cycle of the chosen job in seconds; infinite for a job that runs at the end of the run. */
function changeJobs(
  { executive, moments }: Controlled,
  { choice, isOn, cycleSeconds }: Extract<Request, { kind: 'job' }>,
): number | undefined {
  const cycle = executive.changeJobs(choice, isOn, cycleSeconds);
  const isAtEnd = ({ moment, name }: { readonly moment: Moment; readonly name: string }) =>
    moment === 'shutdown' && 'job' in choice && name === choice.job;
  return cycle === undefined && moments.all.some(isAtEnd) ? Number.POSITIVE_INFINITY : cycle;
}

const UNPACED =
  'the simulation runs as fast as it can; trick.real_time_enable() in the input file holds it to real time';

function applyControl(
  running: Controlled,
  control: Control | ServerControl,
  client: Client | undefined,
): Later | undefined {
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
      if (control.atSeconds !== undefined) executive.stopAtTics(executive.toTics(control.atSeconds));
      else if (executive.isBeforeStart) executive.endsAtStart = true;
      else running.end('stopped by a client');
      break;
    case 'start':
      if (running.pacer.isUnpacedUnasked) running.say(UNPACED);
      if (running.executive.isBeforeStart) running.begin();
      break;
    case 'failed-tests':
      running.exitCode = 1;
      break;
    case 'hold':
      return new Later((done) => holdFor(running, control, (answer) => done(() => answer)));
    case 'let-go':
      running.holds.letGo(control.id);
      break;
    case 'terminate':
      running.end(`terminated with code ${control.code}: ${control.reason}`, control.code || undefined);
      break;
    case 'seek':
      throw new RequestError('a simulation goes to no other time: load a checkpoint');
    default:
      applyTiming(running, control, client !== undefined);
  }
  return undefined;
}

type TimingControl = Extract<
  Control,
  { readonly action: 'real-time' | 'clock-ratio' | 'software-frame' | 'freeze-frame' }
>;

function applyTiming({ executive, pacer, nowMillis }: Controlled, control: TimingControl, isClients: boolean): void {
  switch (control.action) {
    case 'real-time':
      pacer.setEnabled(control.enabled, nowMillis(), executive.timeTics);
      break;
    case 'clock-ratio':
      pacer.setRatio(control.ratio, nowMillis());
      break;
    case 'software-frame':
      executive.softwareFrame.set(control.seconds, isClients);
      break;
    case 'freeze-frame':
      executive.freezeFrame.set(control.seconds, isClients);
      break;
  }
}

const clientFilesOf = ({ clientFiles }: Controlled, by: ClientOrOperator | undefined) =>
  clientFiles.countedFor(clientFiles.accountOf(clientOf(by)));

/**
 * A client's checkpoints are not among the layouts. A recording makes its files with its first row; their names are
 * reserved before that, also for directories. A client leaves those alone that a later recording or frame log would have.
 */
function requireOthersFree(
  { recording, frameLog, clientFiles }: Controlled,
  file: string,
  client: Client | undefined,
): void {
  // No recording has a file deeper than that, and each of the paths is compared with all files of recordings.
  const paths = clientFiles.beginningsOf(file, LEVELS_OF_RECORDINGS);
  const isTaken = paths.some((path) => recording.owns(path) || frameLog.owns(path));
  if (isTaken || (client && file.split(/[\\/]/).some((part) => OF_RECORDINGS.test(part))))
    throw new Error(`${file.slice(0, SHOWN_CHARACTERS)} cannot be written: it is a file of a recording`);
  if (client && paths[0]?.toLowerCase() === LAYOUTS_DIRECTORY)
    throw new Error(
      `${file.slice(0, SHOWN_CHARACTERS)} cannot be written: only layouts are kept in ${LAYOUTS_DIRECTORY}`,
    );
}

const LEVELS_OF_RECORDINGS = 2;
const SHOWN_CHARACTERS = 300;

/** Names that recordings and frame logs give their files and directories. */
const OF_RECORDINGS = /^(log_.*\.(csv|txt|trk|mcap|header)|S_job_execution|S_run_summary|DP_Product)$/i;
