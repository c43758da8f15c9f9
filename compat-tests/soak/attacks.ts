// Every attack for some seconds, from ten clients: the server lives, answers, keeps its pace, and stays within its memory.
import type { Attack } from '../attacks/attack.js';
import { MissingToolError } from '../attacks/attacked-server.js';
import { ATTACKS } from '../attacks/index.js';
import { attacked, type Outcome } from '../bench/attacks.js';
import { GOALS } from '../bench/witness.js';
import { STANDSTILLS } from './waited.js';

const CLIENTS = 10;
/** Far above what a server keeps at its bounds. */
const MOST_MEGABYTES = 1500;

/** An attack begins all of a sudden; longer than this, besides what the machine makes everybody wait, is a fault. */
const MOST_WAITED_MILLIS = 1000;

const FRAMES_PER_SECOND = 100;
/** Lines without any attack, by the frames a second of those that are compared with them. */
const QUIET: Readonly<Record<number, string>> = { [FRAMES_PER_SECOND]: 'nothing', 1000: 'nothing-kilohertz' };

/** What is measured in a run. */
export type Measured = Pick<Outcome, 'state' | 'megabytes' | 'witnessed' | 'overruns' | 'output'>;

/**
 * One sentence for each goal that was missed. To each goal is added what the machine takes: by the echo beside the bystander,
 * and by a server that nobody attacked on the same machine.
 * @param quiet the run without an attack; undefined for that run itself.
 */
export function faultsOf(
  { framesPerSecond = FRAMES_PER_SECOND }: Pick<Attack, 'framesPerSecond'>,
  seconds: number,
  { state, megabytes, witnessed, overruns = 0, output }: Measured,
  quiet: Measured | undefined,
): readonly string[] {
  const { value, echo } = witnessed;
  const found: string[] = [];
  if (state !== 'alive') found.push(`it ${state === 'ended' ? 'has ended' : 'hangs'}`);
  if (!(megabytes < MOST_MEGABYTES)) found.push(`it had ${megabytes.toFixed(0)} MB`);
  if (output.includes('internal error')) found.push('it has logged an internal error');
  if (value.worstMillis >= MOST_WAITED_MILLIS + echo.worstMillis)
    found.push(`a bystander waited ${value.worstMillis.toFixed(0)} ms`);
  const most = GOALS.p99Millis + echo.p99Millis + serverMillis(quiet);
  if (value.p99Millis > most)
    found.push(`a bystander's p99 was ${value.p99Millis.toFixed(1)} ms, more than ${most.toFixed(1)}`);
  const frames = framesPerSecond * seconds;
  // In a standstill of the machine no frame is in time.
  const still = (STANDSTILLS * echo.worstMillis * framesPerSecond) / 1000;
  const mostLate = GOALS.lateFrames * frames + still + (quiet?.overruns ?? 0);
  if (overruns > mostLate) found.push(`${overruns} frames were late, more than ${mostLate.toFixed(0)} of ${frames}`);
  return found;
}

/** What a server adds to a wait without any attack. */
function serverMillis(quiet: Measured | undefined): number {
  if (!quiet) return 0;
  const { value, echo } = quiet.witnessed;
  return Math.max(0, value.p99Millis - echo.p99Millis);
}

/** The attacks, behind the quiet runs that they are compared with. */
function withQuietRuns(attacks: readonly Attack[]): readonly Attack[] {
  const names = new Set(attacks.map(({ framesPerSecond = FRAMES_PER_SECOND }) => QUIET[framesPerSecond]));
  const quiet = ATTACKS.filter(({ name }) => names.has(name));
  return [...quiet, ...attacks.filter((attack) => !quiet.includes(attack))];
}

/** One sentence for each attack that the server did not stand. */
export async function standAttacks(
  attacks: readonly Attack[],
  seconds: number,
  report: (line: string) => void,
): Promise<readonly string[]> {
  const failures: string[] = [];
  const quiet = new Map<number, Measured>();
  for (const attack of withQuietRuns(attacks)) {
    const outcome = await attacked(attack, CLIENTS, seconds).catch((error: unknown) => {
      if (!(error instanceof MissingToolError)) throw error;
      report(`${attack.name}: skipped, ${error.message}`);
    });
    if (!outcome) continue;
    const { framesPerSecond = FRAMES_PER_SECOND } = attack;
    const faults = faultsOf(attack, seconds, outcome, quiet.get(framesPerSecond));
    if (QUIET[framesPerSecond] === attack.name) quiet.set(framesPerSecond, outcome);
    report(`${attack.name}: ${figuresOf(outcome)}${faults.map((fault) => `; ${fault}`).join('')}`);
    if (faults.length === 0) continue;
    const { name, sends } = attack;
    failures.push(`attack ${name} (${sends}): ${faults.join('; ')}\n${outcome.output.slice(-500)}`);
  }
  return failures;
}

function figuresOf({ state, megabytes, witnessed, overruns }: Measured): string {
  const { p99Millis, worstMillis } = witnessed.value;
  const waited = `the bystander waited ${p99Millis.toFixed(1)} ms at p99, ${worstMillis.toFixed(0)} at worst`;
  return `${state}, ${megabytes.toFixed(0)} MB, ${waited}, ${overruns ?? 'no'} late frames`;
}
