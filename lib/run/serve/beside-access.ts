// What a program can do with the simulation that it keeps on its thread while it is served from another one.

import { convertFor } from '../../model/state/assign.js';
import { readVariable, type Value } from '../../model/state/read.js';
import { exactConverter } from '../../model/units/index.js';
import { WriteOnlyError } from '../../serving/session/errors.js';
import { unitOf } from '../../serving/session/own-units.js';
import { convertNumbers, findVariable } from '../../serving/session/reference.js';
import { type Request, RequestError } from '../../simulation/executive/request.js';
import type { RunningSimulation } from '../../simulation/executive/running-simulation.js';
import { exactInOwnUnits } from './exact-write.js';
import type { InProcess } from './in-process.js';
import { controlOf, type ProgramControl } from './program-control.js';

export class BesideAccess implements InProcess {
  private readonly waiting = new Set<(error: Error) => void>();

  /** @param requested applies what has been submitted, or has it applied soon. */
  constructor(
    private readonly running: RunningSimulation,
    private readonly requested: () => void,
  ) {}

  async get(path: string, units?: string): Promise<Value | undefined> {
    const { running } = this;
    const variable = findVariable(running, path);
    if (variable.access === 'write-only') throw new WriteOnlyError(variable.path);
    const conversion = units === undefined ? undefined : exactConverter(unitOf(variable), units);
    const value = readVariable(variable, running.state.arena.memory);
    return conversion && value !== undefined ? convertNumbers(value, conversion) : value;
  }

  async set(path: string, value: Value, units?: string): Promise<void> {
    const variable = findVariable(this.running, path);
    const own = convertFor(variable, exactInOwnUnits(variable, value, units));
    await this.ask({ kind: 'write', writes: [{ path: variable.path, value: own }] });
  }

  call(name: string, ...values: readonly Value[]): Promise<Value | undefined> {
    return this.ask({ kind: 'call', name, values });
  }

  async control(control: ProgramControl): Promise<void> {
    await this.ask({ kind: 'control', control: controlOf(control) });
  }

  /** Refuses all further requests. */
  end(reason: string): void {
    for (const reject of this.waiting) reject(new RequestError(`the simulation has ended: ${reason}`));
    this.waiting.clear();
  }

  private ask(request: Request): Promise<Value | undefined> {
    return new Promise((resolve, reject) => {
      if (this.running.isOver) throw new RequestError('the simulation has ended');
      this.waiting.add(reject);
      this.running.submit(request, (outcome) => {
        this.waiting.delete(reject);
        if ('error' in outcome) reject(new RequestError(outcome.error));
        else resolve(outcome.value);
      });
      // Done later, because a job that asks for something is in the middle of a frame.
      queueMicrotask(this.requested);
    });
  }
}
