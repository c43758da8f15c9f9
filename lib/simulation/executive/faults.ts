// What goes wrong in the simulation's own code: in the log, and as the fault that has frozen the run.
import { Mode } from '../../model/frame/header.js';
import type { Executive } from './executive.js';
import { outsideStack, reasonOf } from './outside-stack.js';
import type { RunningEvents } from './running-options.js';

export class Faults {
  private isFaulty = false;

  constructor(
    private readonly running: { readonly executive: Executive },
    private readonly events: Pick<RunningEvents, 'say' | 'failed' | 'faulty'>,
  ) {}

  /** With which a run ends as a rule. */
  get exitCode(): number {
    return this.isFaulty ? 1 : 0;
  }

  say(error: Error): void {
    const { mode, timeSeconds } = this.running.executive;
    const isFrozen = mode === Mode.freeze;
    const text = isFrozen ? `${error.message}; the simulation is frozen` : error.message;
    this.events.say('error', text, timeSeconds, outsideStack(error));
    this.events.failed?.(error);
    if (isFrozen) this.set(reasonOf(error));
  }

  /** The run goes on. */
  clear(): void {
    if (this.isFaulty) this.set(undefined);
  }

  private set(reason: string | undefined): void {
    this.isFaulty = reason !== undefined;
    this.events.faulty?.(reason);
  }
}
