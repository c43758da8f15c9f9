// Fuzzes every door of a server for as long as wanted, and makes what it finds small.
import { performance } from 'node:perf_hooks';
import { Chance } from './chance.js';
import type { Door } from './door.js';
import { DOORS } from './doors.js';
import { minimised } from './minimise.js';
import { mutated } from './mutate.js';
import { WatchedServer } from './watched-server.js';

const BATCH = 50;

export interface Fuzzed {
  /** Inputs by door. */
  readonly counts: ReadonlyMap<string, number>;
  /** What was found, ready to be read. */
  readonly findings: readonly string[];
}

function inputOf(door: Door, chance: Chance): Buffer {
  for (;;) {
    const made = chance.oneIn(2) ? undefined : door.generate(chance);
    const input = made && chance.oneIn(2) ? made : mutated(made ? [made] : door.seeds, chance);
    if (door.isAllowed?.(input) ?? true) return input;
  }
}

/** Undefined when all is well. */
async function failureOf(door: Door, server: WatchedServer, inputs: readonly Buffer[]): Promise<string | undefined> {
  try {
    await door.send(server, inputs);
    await server.look();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Whether a fresh server fails of the inputs. */
async function failsAfresh(door: Door, inputs: readonly Buffer[]): Promise<boolean> {
  const server = await WatchedServer.start();
  try {
    return (await failureOf(door, server, inputs)) !== undefined;
  } finally {
    await server.close();
  }
}

const shown = (input: Buffer): string =>
  input.length > 2000
    ? `${JSON.stringify(input.toString('latin1', 0, 2000))}... (${input.length} bytes)`
    : JSON.stringify(input.toString('latin1'));

async function explained(door: Door, failure: string, inputs: readonly Buffer[], output: string): Promise<string> {
  const small = await minimised(inputs, (candidate) => failsAfresh(door, candidate));
  const found = small ?? inputs;
  const note = small ? '' : ' (not with these inputs alone)';
  return [`${door.name}: ${failure}${note}`, ...found.map(shown), output.slice(-1000)].join('\n');
}

/**
 * @param seed of all chance: the same seed sends the same inputs.
 * @param doors names of the doors; all when undefined.
 * @param report hears of what is found at once.
 * @param began is called with a function that returns the server's resident bytes, NaN when there is none, and its port;
 * it is awaited before the first input.
 */
export async function fuzz(
  seconds: number,
  seed: number,
  doors: readonly string[] | undefined,
  report: (text: string) => void,
  began: (residentBytes: () => number, port: number) => Promise<unknown> = async () => undefined,
): Promise<Fuzzed> {
  const chosen = DOORS.filter(({ name }) => doors === undefined || doors.includes(name));
  const chances = chosen.map((_, index) => new Chance(seed + index));
  const counts = new Map(chosen.map(({ name }) => [name, 0]));
  const findings: string[] = [];
  let server = await WatchedServer.start();
  await began(() => server.residentBytes, server.port);
  const end = performance.now() + 1000 * seconds;
  for (let round = 0; performance.now() < end; round++) {
    const door = chosen[round % chosen.length] as Door;
    const chance = chances[round % chosen.length] as Chance;
    const time = Math.floor(round / chosen.length);
    if (chosen.length > 1 && time % (door.everyRounds ?? 1) !== 0) continue;
    const inputs = Array.from({ length: door.batch ?? BATCH }, () => inputOf(door, chance));
    counts.set(door.name, (counts.get(door.name) ?? 0) + inputs.length);
    const failure = await failureOf(door, server, inputs);
    if (failure === undefined) continue;
    const { output } = server;
    report(`${door.name}: ${failure}; ${inputs.length} inputs are made small now`);
    await server.close();
    const finding = await explained(door, failure, inputs, output);
    findings.push(finding);
    report(finding);
    server = await WatchedServer.start();
  }
  await server.close();
  return { counts, findings };
}
