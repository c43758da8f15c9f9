// Every attack for some seconds, from ten clients: the server lives, answers, keeps its pace, and stays within its memory.
import type { Attack } from '../attacks/attack.js';
import { MissingToolError } from '../attacks/attacked-server.js';
import { ATTACKS } from '../attacks/index.js';
import { attacked, type Outcome } from '../bench/attacks.js';
import { GOALS } from '../bench/witness.js';
import { Busy } from './busy.js';
import { STANDSTILLS } from './waited.js';

const CLIENTS = 10;
/** Far above what a server keeps at its bounds. */
const MOST_MEGABYTES = 1500;

/** An attack begins all of a sudden; longer than this, besides what the machine makes everybody wait, is a fault. */
const MOST_WAITED_MILLIS = 1000;

const FRAMES_PER_SECOND = 100;
/** Lines without an attack, by their frames a second. */
const QUIET: Readonly<Record<number, string>> = { [FRAMES_PER_SECOND]: 'nothing', 1000: 'nothing-kilohertz' };

/** What is measured in a run. */
export type Measured = Pick<Outcome, 'state' | 'megabytes' | 'witnessed' | 'overruns' | 'output'>;

/** What measures; tests give others. */
export interface Measures {
  readonly run: (attack: Attack, clients: number, seconds: number) => Promise<Measured>;
  /** Begins to watch the machine; `stop` says whether other programs have computed meanwhile. */
  readonly watch: () => { stop(): boolean };
}

const MEASURES: Measures = { run: attacked, watch: () => new Busy() };

/** What no attack may do, however busy the machine is: one sentence for each. */
export function faultsOf({ state, megabytes, witnessed, output }: Measured): readonly string[] {
  const { value, echo } = witnessed;
  const found: string[] = [];
  if (state !== 'alive') found.push(`the server ${state === 'ended' ? 'has ended' : 'hangs'}`);
  if (!(megabytes < MOST_MEGABYTES)) found.push(`it had ${megabytes.toFixed(0)} MB`);
  if (output.includes('internal error')) found.push('it has logged an internal error');
  if (value.worstMillis >= MOST_WAITED_MILLIS + echo.worstMillis)
    found.push(`a bystander waited ${value.worstMillis.toFixed(0)} ms`);
  return found;
}

/**
 * One sentence for each goal of the bench that was missed. To each is added what the machine takes: by the echo beside the
 * bystander, and by a server that nobody attacked, which counts for as much as the goal at most.
 * @param quiet the run without an attack; undefined for that run itself.
 */
export function missedGoals(
  { framesPerSecond = FRAMES_PER_SECOND }: Pick<Attack, 'framesPerSecond'>,
  seconds: number,
  { witnessed, overruns = 0 }: Measured,
  quiet: Measured | undefined,
): readonly string[] {
  const { value, echo } = witnessed;
  const found: string[] = [];
  const mostMillis = GOALS.p99Millis + echo.p99Millis + Math.min(addedMillis(quiet), GOALS.p99Millis);
  if (value.p99Millis > mostMillis)
    found.push(`a bystander's p99 was ${value.p99Millis.toFixed(1)} ms, more than ${mostMillis.toFixed(1)}`);
  const frames = framesPerSecond * seconds;
  const goal = GOALS.lateFrames * frames;
  // In a standstill of the machine no frame is in time.
  const still = (STANDSTILLS * echo.worstMillis * framesPerSecond) / 1000;
  const mostLate = goal + still + Math.min(quiet?.overruns ?? 0, goal);
  if (overruns > mostLate) found.push(`${overruns} frames were late, more than ${mostLate.toFixed(0)} of ${frames}`);
  return found;
}

/** What a server adds to a wait without any attack. */
function addedMillis(quiet: Measured | undefined): number {
  if (!quiet) return 0;
  const { value, echo } = quiet.witnessed;
  return Math.max(0, value.p99Millis - echo.p99Millis);
}

export interface Stood {
  /** One sentence for each attack that the server did not stand. */
  readonly failures: readonly string[];
  /** Attacks of which nothing is known but that the server lives: the machine was too busy for the goals. */
  readonly unjudged: readonly string[];
}

/**
 * Tries each attack. One that misses a goal is tried again behind a run without an attack. When other programs compute during
 * that run, or it misses a goal too, nothing is said of the attack: it may be the machine that is slow.
 * @param report gets a line for each run.
 */
export async function standAttacks(
  attacks: readonly Attack[],
  seconds: number,
  report: (line: string) => void,
  measures = MEASURES,
): Promise<Stood> {
  const stand = new Stand(seconds, report, measures);
  for (const attack of attacks) {
    await stand.tryOut(attack).catch((error: unknown) => {
      if (!(error instanceof MissingToolError)) throw error;
      report(`${attack.name}: skipped, ${error.message}`);
    });
  }
  return stand;
}

class Stand implements Stood {
  readonly failures: string[] = [];
  readonly unjudged: string[] = [];
  /** The latest runs without an attack, by frames a second. */
  private readonly quiet = new Map<number, Measured>();

  constructor(
    private readonly seconds: number,
    private readonly report: (line: string) => void,
    private readonly measures: Measures,
  ) {}

  async tryOut(attack: Attack): Promise<void> {
    const { framesPerSecond = FRAMES_PER_SECOND } = attack;
    const quiet = this.quiet.get(framesPerSecond) ?? (await this.quietRun(framesPerSecond));
    const first = await this.measured(attack);
    if (this.hasFaults(attack, first) || this.missed(attack, first, quiet).length === 0) return;
    const watch = this.measures.watch();
    const quietNow = await this.quietRun(framesPerSecond).finally(() => watch.stop());
    if (watch.stop() || this.missed(attack, quietNow, undefined).length > 0) {
      this.unjudged.push(attack.name);
      return;
    }
    const again = await this.measured(attack);
    if (!this.hasFaults(attack, again)) this.fail(attack, again, this.missed(attack, again, quietNow));
  }

  private async quietRun(framesPerSecond: number): Promise<Measured> {
    const attack = ATTACKS.find(({ name }) => name === QUIET[framesPerSecond]);
    if (!attack) throw new Error(`there is no line without an attack at ${framesPerSecond} frames a second`);
    const quiet = await this.measured(attack);
    this.quiet.set(framesPerSecond, quiet);
    return quiet;
  }

  private async measured(attack: Attack): Promise<Measured> {
    const outcome = await this.measures.run(attack, CLIENTS, this.seconds);
    const { state, megabytes, witnessed, overruns = 'no' } = outcome;
    const { p99Millis, worstMillis } = witnessed.value;
    const waited = `the bystander waited ${p99Millis.toFixed(1)} ms at p99, ${worstMillis.toFixed(0)} at worst`;
    this.report(`${attack.name}: ${state}, ${megabytes.toFixed(0)} MB, ${waited}, ${overruns} late frames`);
    return outcome;
  }

  private missed(attack: Attack, outcome: Measured, quiet: Measured | undefined): readonly string[] {
    return missedGoals(attack, this.seconds, outcome, quiet);
  }

  private hasFaults(attack: Attack, outcome: Measured): boolean {
    const faults = faultsOf(outcome);
    this.fail(attack, outcome, faults);
    return faults.length > 0;
  }

  private fail({ name, sends }: Attack, { output }: Measured, faults: readonly string[]): void {
    if (faults.length > 0) this.failures.push(`attack ${name} (${sends}): ${faults.join('; ')}\n${output.slice(-500)}`);
  }
}
