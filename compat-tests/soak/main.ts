// `npm run soak [-- --minutes 20] [--fuzz 60] [--seed N] [--doors trick,http] [--attacks 3] [--only A1-array,B-in] [--no-tests] [--report]`: the test suite with all of its inputs, fuzzed doors, attacks, all clients on one server with a bystander, for long.
import { parseArgs } from 'node:util';
import { SEED } from '../../lib/testing/aids/fuzz-seed.js';
import type { Witnessed } from '../attacks/bystander.js';
import { selectedAttacks } from '../bench/attacks.js';
import { type Witness, witness } from '../bench/witness.js';
import { standAttacks } from './attacks.js';
import { fuzz } from './fuzz/fuzzer.js';
import { Memory } from './memory.js';
import { Soak, type Soaked } from './soak.js';
import { tooLong, waitedText } from './waited.js';
import { passWholeSuite } from './whole-suite.js';

function summaryOf({ logbook, memory, rounds, seconds }: Soaked): string {
  const streams = [...logbook.streams].map(
    ([name, { connections, messages, longestGapMillis }]) =>
      `  ${name.padEnd(28)}${`${messages}`.padStart(8)} messages in ${connections} connections, longest gap ${longestGapMillis.toFixed(0)} ms`,
  );
  const deeds = [...logbook.deeds].map(([deed, times]) => `  ${deed.padEnd(28)}${`${times}`.padStart(8)}`);
  const head = `${rounds} rounds in ${seconds.toFixed(0)} s`;
  return [head, ...streams, ...deeds, `  resident memory: ${memory.summary}`].join('\n');
}

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '20' },
    fuzz: { type: 'string', default: '60' },
    seed: { type: 'string', default: `${SEED}` },
    doors: { type: 'string' },
    attacks: { type: 'string', default: '3' },
    only: { type: 'string' },
    tests: { type: 'boolean', default: true },
    report: { type: 'boolean', default: false },
  },
  allowNegative: true,
});
const numberOf = (option: 'minutes' | 'fuzz' | 'seed' | 'attacks'): number => {
  const number = Number(values[option]);
  if (number >= 0) return number;
  throw new Error(`--${option} is a number from 0 up, not ${values[option]}`);
};
const [minutes, fuzzSeconds, seed] = [numberOf('minutes'), numberOf('fuzz'), numberOf('seed')];
const attackSeconds = numberOf('attacks');
/** From this time on, memory that has grown is a fault: in less, the engine still warms up. */
const LONG_SECONDS = 1800;
const say = (line: string): void => {
  if (values.report) console.log(line);
};

/** Prints what a bystander waited. Returns what of it was too long. */
function faultsOf(witnessed: Witnessed | undefined): readonly string[] {
  if (!witnessed) return [];
  console.log(waitedText(witnessed));
  return tooLong(witnessed);
}

async function fuzzDoors(): Promise<readonly string[]> {
  console.log(`fuzzing for ${fuzzSeconds} s with --seed ${seed}`);
  let memory: Memory | undefined;
  let watching: Promise<Witnessed> | undefined;
  const { counts, findings } = await fuzz(fuzzSeconds, seed, values.doors?.split(','), console.error, (bytes, port) => {
    memory = new Memory(bytes);
    const { begun, witnessed } = witness(fuzzSeconds, { port }, 'guard.numbers[0]');
    watching = witnessed;
    return begun;
  });
  memory?.stop();
  const told = [...counts].map(([door, count]) => `${count} of ${door}`).join(', ');
  console.log(`${told}; ${findings.length} findings`);
  console.log(`resident memory: ${memory?.summary}`);
  const witnessed = await watching;
  const waits = faultsOf(witnessed);
  for (const sentence of waits) console.error(sentence);
  const faults = [...findings, ...waits];
  // The inputs make objects, names and events, which stay; a server that ended is replaced by a fresh one.
  if (memory?.isFlat === false) {
    console.log('memory has grown while all doors were fuzzed');
    if (fuzzSeconds >= LONG_SECONDS) faults.push('memory has grown');
  }
  return faults;
}

/** All clients on one server, with a bystander beside them. */
async function soakClients(): Promise<{ readonly soaked: Soaked; readonly waited: Witnessed | undefined }> {
  let watching: Witness | undefined;
  const began = (port: number): Promise<unknown> => {
    watching = witness(60 * minutes, { port }, 'fx.all.d_third');
    return watching.begun;
  };
  const soaked = await Soak.run(minutes, { report: say, began });
  if (soaked.seconds >= 60 * minutes) return { soaked, waited: await watching?.witnessed };
  // It has failed, and the bystander would wait for a server that has gone.
  watching?.stop();
  return { soaked, waited: undefined };
}

async function attackAll(): Promise<readonly string[]> {
  const attacks = selectedAttacks(values.only);
  const { failures, unjudged } = await standAttacks(attacks, attackSeconds, say);
  console.log(`${attacks.length} attacks, ${failures.length} not stood`);
  if (unjudged.length > 0)
    console.log(`the machine was too busy to say whether the goals are met in ${unjudged.join(', ')}`);
  return failures;
}

const findings = fuzzSeconds > 0 ? await fuzzDoors() : [];
const broken = [...(values.tests ? await passWholeSuite(seed) : []), ...(attackSeconds > 0 ? await attackAll() : [])];
if (minutes === 0) {
  for (const sentence of broken) console.error(sentence);
  process.exit(findings.length + broken.length === 0 ? 0 : 1);
}
const { soaked, waited } = await soakClients();
const { failures } = soaked.logbook;
failures.push(...broken, ...faultsOf(waited));
if (findings.length > 0)
  failures.push(`the fuzzer has ${findings.length} findings or goals missed, again with --seed ${seed}`);
if (soaked.memory.isFlat === false) failures.push(`memory has grown: ${soaked.memory.summary}`);
console.log(summaryOf(soaked));
for (const failure of failures) console.error(`failed: ${failure}`);
console.log(failures.length === 0 ? 'all sessions are alive' : `${failures.length} failures`);
process.exitCode = failures.length === 0 ? 0 : 1;
