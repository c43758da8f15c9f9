// What a simulation's build function gets: it adds objects, jobs, integrators and functions to a running simulation.

import { placeOf } from '../../model/state/callable.js';
import { unsignedInt } from '../../model/state/declare.js';
import { requireOptions } from '../../model/state/option-names.js';
import type { State } from '../../model/state/state.js';
import { Integrator } from '../integration/integrator.js';
import { RandomStream, requireSeed, seeded } from '../integration/random.js';
import type { RecordOptions } from '../recording/record-options.js';
import type { DeclaredUnits } from './declared-units.js';
import type { Executive } from './executive.js';
import { type AddParts, connect, fmuHostOf } from './fmu-host.js';
import { type FunctionForms, type RegisteredFunction, registerFunction, requireFunction } from './functions.js';
import { DEFAULT_ORDER, isMover, rankOf } from './job-classes.js';
import type { LogLevel } from './log-level.js';
import { addEvent } from './model-events.js';
import { MOMENTS, type Moment, type Moments, type SimulationEnd } from './moments.js';
import { addPose } from './poses.js';
import { recordedPaths } from './recorded-variables.js';
import type {
  IntegrateOptions,
  JobClass,
  JobHandle,
  JobOptions,
  Sim,
  SimRecordOptions,
  StopOptions,
} from './simulation.js';
import type { Vitals } from './vitals.js';

/** What a build adds to. */
export interface Built {
  readonly state: State;
  readonly executive: Executive;
  readonly functions: Map<string, RegisteredFunction>;
  /** Functions of events by the name that conditions and actions have. */
  readonly eventCalls: Map<string, () => unknown>;
  readonly units: DeclaredUnits;
  readonly recording: { add(name: string, options: RecordOptions): void };
  readonly moments: Moments;
  readonly vitals: Vitals;
  readonly nowMillis: () => number;
  /** The arguments after `--`. */
  readonly arguments: readonly string[];
  readonly seed: number;
  say(text: string, level?: LogLevel): void;
  end(reason: string, exitCode?: number): void;
}

const RANDOM_OBJECT = 'random';

const OF_A_JOB = { name: true, phaseSeconds: true, class: true, order: true } satisfies Record<keyof JobOptions, true>;
const JOB_OPTIONS = Object.keys(OF_A_JOB);
const INTEGRATE_OPTIONS = Object.keys({
  ...OF_A_JOB,
  method: true,
  tolerance: true,
  absoluteTolerance: true,
  normalize: true,
  events: true,
  denseOutput: true,
  periodSeconds: true,
} satisfies Record<keyof IntegrateOptions, true>);
const RECORD_OPTIONS = Object.keys({
  format: true,
  encoding: true,
  cycleSeconds: true,
  moreCyclesSeconds: true,
  variables: true,
  unknown: true,
  changes: true,
  isSinglePrecision: true,
  delimiter: true,
  when: true,
  enabled: true,
  maxFileBytes: true,
} satisfies Record<keyof SimRecordOptions, true>);

export function builder(built: Built): Sim {
  const { executive, state } = built;
  return {
    arguments: built.arguments,
    get timeSeconds() {
      return executive.timeSeconds;
    },
    object: (name, options) => state.addObject(name, options),
    removeObject: (name) => state.removeObject(name),
    job: (when: number | Moment, run: (given: never) => void, options: JobOptions = {}) => {
      requireJob(run, options);
      return typeof when === 'number'
        ? addJob(built, when, run as (deltaSeconds: number) => void, options)
        : addMoment(built, when, run as (end: SimulationEnd) => void, options);
    },
    integrate: (views, derivative, options) => addIntegrator(built, views, derivative, options),
    random: (name, seed) => addStream(built, name, seed),
    type: (declared, options = {}) => state.addType(declared, options),
    function: (name: string, ...given: FunctionForms) => addFunction(built, name, given),
    event: (path, options) => addEvent(built, path, options),
    pose: (name, options) => addPose(built, name, options),
    record: (name, options) => {
      requireOptions(`recording ${name}`, options, RECORD_OPTIONS);
      built.recording.add(name, { ...options, variables: recordedPaths(state, options.variables) });
    },
    fmu: async (name, file, options) => {
      const { addFmu } = await import('../fmu/object.js');
      return addFmu(fmuHostOf(built, addParts(built)), name, file, options);
    },
    connect: (from, to) => connect(from, to, addParts(built)),
    say: (text, level) => built.say(text, level),
    freeze: () => executive.freeze(),
    run: () => executive.run(),
    stop: (options) => stop(built, options),
  };
}

const addParts = (built: Built): AddParts => ({
  job: (periodSeconds, run, options) => addJob(built, periodSeconds, run, options),
  moment: (moment, run, options) => addMoment(built, moment, run, options),
});

/** A job that waits would end in another frame, where nothing would know of its errors. */
function requireJob(run: unknown, options: JobOptions): void {
  if (typeof run !== 'function') {
    throw new TypeError('a job needs a period in seconds, or a moment such as initialization, and then its function');
  }
  const { name = run.name || 'without a name' } = options;
  if (run.constructor.name === 'AsyncFunction') {
    throw new TypeError(`job ${name} cannot be async: it ends within its frame`);
  }
  requireOptions(`job ${name}`, options, JOB_OPTIONS);
}

function addFunction({ functions, state, units }: Built, name: string, given: FunctionForms): void {
  // After the build a function may replace another, because an object that is made again brings its functions again.
  if (units.isOpen && functions.has(name)) throw new Error(`there is a function ${name} already`);
  const registered = registerFunction(name, ...given);
  const { takes = [], gives } = registered.described;
  for (const parameter of takes) units.look(placeOf(registered.described, parameter), parameter);
  if (gives) units.look(`what ${name}() gives`, gives);
  functions.set(name, registered);
  state.addFunction(registered.described);
}

function stop(built: Built, { code = 0, reason = 'stopped by the simulation' }: StopOptions = {}): void {
  if (!(Number.isInteger(code) && code >= 0 && code <= 255)) {
    throw new RangeError(`an exit code is a whole number from 0 to 255, not ${code}`);
  }
  built.end(reason, code);
}

function addJob(
  { executive, vitals }: Built,
  periodSeconds: number,
  run: (deltaSeconds: number) => void,
  options: JobOptions,
): JobHandle {
  const { name = run.name || 'without a name', phaseSeconds = 0 } = options;
  const periodTics = executive.toTics(periodSeconds);
  if (!(periodTics >= 1 && Number.isSafeInteger(periodTics))) {
    throw new RangeError(`job ${name} needs a period in seconds from 1e-6 up, not ${periodSeconds}`);
  }
  if (!(phaseSeconds >= 0 && Number.isFinite(phaseSeconds))) {
    throw new RangeError(`job ${name} needs a phase in seconds from 0 up, not ${phaseSeconds}`);
  }
  const rank = rankOf(name, options);
  const number = vitals.nameJob(name, { class: options.class ?? 'scheduled', rank });
  const firstTics = executive.timeTics + executive.toTics(phaseSeconds);
  // When a checkpoint takes time back to before a job was added, the job continues on its grid all the same.
  const gridTics = executive.timeTics === 0 ? firstTics : firstTics % periodTics;
  const queue = isMover(rank) ? executive.movers : executive.jobs;
  const { class: jobClass = 'scheduled', order = DEFAULT_ORDER } = options;
  const job = { name, number, rank, jobClass, order, periodTics, run: timed(executive, jobClass, run) };
  const remove = queue.add(job, firstTics, gridTics);
  return handleOf(remove, vitals, number);
}

/** What a job of a class calls, so that all see the time of the state that they see. */
function timed(
  executive: Executive,
  jobClass: JobClass,
  run: (deltaSeconds: number) => void,
): (deltaSeconds: number) => void {
  if (jobClass === 'post_integration') return (deltaSeconds) => executive.moved.see(() => run(deltaSeconds));
  if (jobClass !== 'integration') return run;
  return (deltaSeconds) => {
    // A job may return something to an event beside it.
    const returned = run(deltaSeconds);
    executive.moved.moveTo(executive.timeTics + executive.toTics(deltaSeconds));
    return returned;
  };
}

function addMoment(
  { moments, vitals }: Built,
  moment: Moment,
  run: (end: SimulationEnd) => void,
  options: JobOptions,
): JobHandle {
  const { name = run.name || moment } = options;
  if (!MOMENTS.includes(moment)) {
    throw new RangeError(`job ${name} runs every so many seconds, or at one of ${MOMENTS.join(', ')}, not ${moment}`);
  }
  const rank = rankOf(name, options);
  const number = vitals.nameJob(name, { class: moment, rank });
  const { order = DEFAULT_ORDER } = options;
  return handleOf(moments.add(moment, { name, number, rank, order, run }), vitals, number);
}

const handleOf = (remove: () => boolean, vitals: Vitals, number: number): JobHandle => ({
  remove: () => {
    if (remove()) vitals.forgetJob(number);
  },
});

function addIntegrator(
  built: Built,
  views: object,
  derivative: (timeSeconds: number) => unknown,
  options: IntegrateOptions,
): JobHandle {
  const { executive } = built;
  requireFunction(derivative, 'sim.integrate');
  if (!options?.method) throw new TypeError("sim.integrate needs a method, such as { method: 'rk4' }");
  requireOptions('sim.integrate', options, INTEGRATE_OPTIONS);
  const {
    name = derivative.name || 'integrate',
    periodSeconds = executive.softwareFrameTics / executive.ticsPerSecond,
  } = options;
  const integrator = new Integrator(views, derivative, options);
  const run = (deltaSeconds: number): void => {
    const { timeTics, timeSeconds, ticsPerSecond } = executive;
    integrator.advance(timeSeconds, (timeTics + executive.toTics(deltaSeconds)) / ticsPerSecond);
  };
  return addJob(built, periodSeconds, run, { class: 'integration', ...options, name });
}

function addStream({ state, seed: runSeed }: Built, name: string, seed = 0): RandomStream {
  const own = requireSeed(seed, `the seed of random stream ${name}`);
  const isThere = state.hasObject(RANDOM_OBJECT) && !state.isOfClient(RANDOM_OBJECT);
  const object = isThere ? state.object(RANDOM_OBJECT) : state.addObject(RANDOM_OBJECT);
  // Clients may not write it: a stream whose state is zero gives no random numbers.
  const declared = unsignedInt(4, { about: `state of the stream ${name}`, access: 'read-only' });
  return new RandomStream(object.component(name, declared, seeded(name, [own, runSeed])));
}
