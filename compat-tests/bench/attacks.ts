// `npm run bench -- --attacks [--seconds 30] [--clients 1,10] [--only A1-array,B-in]`: what a bystander waits while others attack, as a table.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Attack } from '../attacks/attack.js';
import { AttackedServer, MissingToolError } from '../attacks/attacked-server.js';
import type { Waited, Witnessed } from '../attacks/bystander.js';
import { ATTACKS } from '../attacks/index.js';
import { ENGINE_OPTIONS, type LaunchedServer } from '../launch.js';
import { goalsWith, program, run, witness } from './witness.js';

const OVERRUNS = 'trick_real_time.rt_sync.total_overrun';
/** A seventh of how often the job of the target has run, which no checkpoint takes back. */
const RUNS = 'target.position[0]';
const RUNS_PER_SECOND = 100;
/** The warm-up of a server, and what its first frames take. */
const SETTLE_MILLIS = 1500;
/** The attack begins a little after the bystander and ends with it. */
const LEAD_SECONDS = 0.5;
/** After which a server counts as hanging, when the attack is over. */
const PATIENCE_MILLIS = 10_000;
const AGAIN_MILLIS = 100;

const HEAD = [
  '| attack | clients | p50, ms | p99, ms | worst, ms | `/healthz` worst, ms | echo p99, ms | echo worst, ms | overruns | memory, MB | server | |',
  '|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|---|',
];

const pause = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis));

interface Progress {
  readonly overruns: number;
  readonly runs: number;
  readonly atMillis: number;
}

/** Asked in Trick text, which needs no token. */
async function progressOf(server: AttackedServer): Promise<Progress> {
  const client = await server.client();
  client.send(`trick.var_send_once("${OVERRUNS},${RUNS}", 2)\n`);
  const [, overruns, seventh] = (await client.line()).split('\t');
  client.close();
  return { overruns: Number(overruns), runs: 7 * Number(seventh), atMillis: performance.now() };
}

/** Frames that were late, or that never came: a simulation that stands still for seconds counts one frame as late. */
export function lateFrames(before: Progress, after: Progress): number {
  const due = (RUNS_PER_SECOND * (after.atMillis - before.atMillis)) / 1000;
  return Math.max(after.overruns - before.overruns, Math.round(due - (after.runs - before.runs)));
}

/**
 * Undefined when there is no answer within the patience. Who comes while connections of attackers are still being ended may
 * be refused, and comes again.
 */
async function patiently<T>(ask: () => Promise<T>): Promise<T | undefined> {
  const until = performance.now() + PATIENCE_MILLIS;
  for (;;) {
    const leftMillis = until - performance.now();
    if (leftMillis <= 0) return undefined;
    const answer = await Promise.race([ask().catch(() => undefined), pause(leftMillis).then(() => undefined)]);
    if (answer !== undefined) return answer;
    await pause(AGAIN_MILLIS);
  }
}

function peakMegabytes({ processId, isRunning }: LaunchedServer): number {
  if (!isRunning) return Number.NaN;
  const status = readFileSync(`/proc/${processId}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) / 1000;
}

/** What an attack did to a server and to a bystander. */
export interface Outcome {
  readonly witnessed: Witnessed;
  /** Frames that were late or never came; undefined when the server did not answer. */
  readonly overruns: number | undefined;
  /** Most that the server had in memory. */
  readonly megabytes: number;
  readonly state: 'alive' | 'hangs' | 'ended';
  /** What the server printed. */
  readonly output: string;
}

/**
 * Attackers get what the others leave of the processors, as if they were on another machine: what is measured is the
 * server. Without the system's `chrt`, they run at a low priority (`attacker.ts`).
 */
const hasIdleClass = spawnSync('chrt', ['--idle', '0', 'true']).status === 0;
const attackers = (told: readonly string[]) =>
  hasIdleClass
    ? run('chrt', ['--idle', '0', process.execPath, program('attacker'), ...told])
    : run(process.execPath, [program('attacker'), ...told]);

/** One server, attacked for some seconds by so many clients. */
export async function attacked(attack: Attack, clients: number, seconds: number): Promise<Outcome> {
  const directory = mkdtempSync(join(tmpdir(), 'varwire-attack-'));
  let started: AttackedServer | undefined;
  try {
    const target = await AttackedServer.start(attack, directory, { engineOptions: ENGINE_OPTIONS });
    started = target;
    const { server } = target;
    await pause(SETTLE_MILLIS);
    const before = await progressOf(target);
    const watching = witness(seconds + LEAD_SECONDS, target.door, 'target.position[1]');
    await watching.begun;
    await pause(1000 * LEAD_SECONDS);
    const { port, udpPort, krpcPorts } = target.place;
    const told = [
      attack.name,
      clients,
      seconds,
      port,
      udpPort,
      ...(krpcPorts ? [krpcPorts.rpc, krpcPorts.stream] : []),
    ];
    // An attacker that fails ends the run at once.
    const [witnessed] = await Promise.all([watching.witnessed, attackers(told.map(String))]);
    const after = server.isRunning ? await patiently(() => progressOf(target)) : undefined;
    return {
      witnessed,
      overruns: after && lateFrames(before, after),
      megabytes: peakMegabytes(server),
      state: stateOf(server, after !== undefined),
      output: server.output,
    };
  } finally {
    await started?.server.kill();
    rmSync(directory, { recursive: true });
  }
}

function stateOf({ isRunning }: LaunchedServer, hasAnswered: boolean): Outcome['state'] {
  if (!isRunning) return 'ended';
  return hasAnswered ? 'alive' : 'hangs';
}

/** Whether the server, the bystander and the simulation kept within the goals; not where the echo misses them too. */
function verdict({ framesPerSecond = 100 }: Attack, clients: number, seconds: number, outcome: Outcome): string {
  const { state, witnessed, overruns: late = 0 } = outcome;
  const goals = goalsWith(clients);
  const isInTime = ({ p99Millis, worstMillis }: Waited): boolean =>
    p99Millis <= goals.p99Millis && worstMillis <= goals.worstMillis;
  const isOnTime = late <= goals.lateFrames * framesPerSecond * seconds;
  if (state === 'alive' && isInTime(witnessed.value) && isOnTime) return 'met';
  return state === 'alive' && isOnTime && !isInTime(witnessed.echo) ? 'the machine missed' : '**missed**';
}

function line(attack: Attack, clients: number, seconds: number, outcome: Outcome): string {
  const { value, health, echo } = outcome.witnessed;
  const waits = [
    ...[value.p50Millis, value.p99Millis, value.worstMillis, health.worstMillis],
    ...[echo.p99Millis, echo.worstMillis],
  ];
  const cells = [
    attack.name,
    clients,
    ...waits.map((millis) => millis.toFixed(1)),
    outcome.overruns ?? '',
    outcome.megabytes.toFixed(0),
    outcome.state === 'alive' ? 'alive' : `**${outcome.state}**`,
    verdict(attack, clients, seconds, outcome),
  ];
  return `| ${cells.join(' | ')} |`;
}

const legend = (attacks: readonly Attack[]): readonly string[] => [
  '| attack | what each client sends |',
  '|---|---|',
  ...attacks.map(({ name, sends, simArguments = [] }) => {
    const state = simArguments.length === 0 ? '' : ` (the simulation has ${simArguments.join(' ').replace('--', '')})`;
    return `| ${name} | ${sends.replaceAll('|', '\\|')}${state} |`;
  }),
];

/** @param only names with commas between; undefined for all. */
export function selectedAttacks(only: string | undefined): readonly Attack[] {
  if (only === undefined) return ATTACKS;
  return only.split(',').map((name) => {
    const found = ATTACKS.find((attack) => attack.name === name);
    if (found) return found;
    throw new Error(`there is no attack ${name}; there are ${ATTACKS.map((attack) => attack.name).join(', ')}`);
  });
}

function skipped(error: unknown): string {
  if (error instanceof MissingToolError) return `skipped: ${error.message}`;
  throw error;
}

/** Prints each line as it comes; answers with the whole text. @param counts of clients, each in a run of its own. */
export async function attacksText(
  attacks: readonly Attack[],
  seconds: number,
  counts: readonly number[],
): Promise<string> {
  const lines = [...HEAD];
  for (const text of lines) console.log(text);
  for (const attack of attacks) {
    for (const clients of counts) {
      const text = await attacked(attack, clients, seconds).then(
        (outcome) => line(attack, clients, seconds, outcome),
        skipped,
      );
      console.log(text);
      if (text.startsWith('|')) lines.push(text);
    }
  }
  return [...lines, '', ...legend(attacks)].join('\n');
}
