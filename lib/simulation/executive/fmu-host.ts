// What an FMU gets of the simulation of which it is an object.

import type { State } from '../../model/state/state.js';
import type { FmuHost } from '../fmu/object.js';
import type { FmuValue } from '../fmu/options.js';
import type { Port } from '../fmu/ports.js';
import { DEFAULT_ORDER } from './job-classes.js';
import type { LogLevel } from './log-level.js';
import type { Moment, SimulationEnd } from './moments.js';
import type { JobHandle, JobOptions } from './simulation.js';

/** What is used of a running simulation. */
interface Hosting {
  readonly state: State;
  readonly executive: {
    readonly timeSeconds: number;
    readonly softwareFrameTics: number;
    readonly ticsPerSecond: number;
  };
  readonly nowMillis: () => number;
  say(text: string, level?: LogLevel): void;
  end(reason: string): void;
}

/** How jobs are added. */
export interface AddParts {
  job(periodSeconds: number, run: (deltaSeconds: number) => void, options: JobOptions): JobHandle;
  moment(moment: Moment, run: (end: SimulationEnd) => void, options: JobOptions): JobHandle;
}

/** FMUs are initialized after the simulation's own jobs, which may give them values. */
const AFTER_OTHERS = DEFAULT_ORDER + 1;

export function fmuHostOf(hosting: Hosting, { job, moment }: AddParts): FmuHost {
  const { state, executive, nowMillis } = hosting;
  return {
    state,
    nowMillis,
    say: (text, level) => hosting.say(text, level),
    end: (reason) => hosting.end(reason),
    get timeSeconds() {
      return executive.timeSeconds;
    },
    frameSeconds: executive.softwareFrameTics / executive.ticsPerSecond,
    addJob: (periodSeconds, name, run) => job(periodSeconds, run, { class: 'integration', name }),
    addMoment: (at, name, run) => moment(at, run, { name, order: AFTER_OTHERS }),
  };
}

/** Has an output assigned to an input before each step of the input's FMU. */
export function connect(from: FmuValue | undefined, to: FmuValue | undefined, { job }: AddParts): void {
  const [source, target] = [portOf(from), portOf(to)];
  if (!source || !target)
    throw new TypeError('sim.connect takes an output and an input of FMUs: sim.connect(a.out.x, b.in.y)');
  if (!target.isInput) throw new Error(`${target.path} is no input, so nothing can be connected to it`);
  target.requireUnits(source);
  const { connections, periodSeconds } = target;
  // One job for all inputs of an FMU, the last one of the simulation's jobs before the steps.
  if (connections.size === 0)
    job(periodSeconds, connections.apply, {
      class: 'effector',
      order: AFTER_OTHERS,
      name: `inputs of ${target.path.split('.')[0]}`,
    });
  connections.add(target, source);
}

const portOf = (given: FmuValue | undefined): Port | undefined =>
  typeof given === 'object' && 'requireUnits' in given ? (given as Port) : undefined;
