// `npm run soak [-- --minutes 20] [--fuzz 60] [--seed N] [--doors trick,http] [--attacks 3] [--no-tests] [--report]`: the test suite with all of its inputs, fuzzed doors, attacks, Trick's clients on one server, for long.
import { parseArgs } from 'node:util';
import { SEED } from '../../lib/testing/aids/fuzz-seed.js';
import type { Witnessed } from '../attacks/bystander.js';
import { GOALS, witness } from '../bench/witness.js';
import { standAttacks } from './attacks.js';
import { fuzz } from './fuzz/fuzzer.js';
import { Memory } from './memory.js';
import { Soak, type Soaked } from './soak.js';
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
/** A standstill of the machine meets a chain of questions more often than an echo. */
const STANDSTILLS = 2;
const say = (line: string): void => {
  if (values.report) console.log(line);
};

/** What others waited, of the server and of a process that only echoes. */
const waitedText = ({ value, echo }: Witnessed): string =>
  [value, echo]
    .map(({ p50Millis, p99Millis, worstMillis }) =>
      [p50Millis, p99Millis, worstMillis].map((ms) => ms.toFixed(1)).join(', '),
    )
    .map((waits, index) => `${index === 0 ? 'a bystander waited' : 'an echo took'} ${waits} ms (p50, p99, worst)`)
    .join('; ');

/** What a bystander waited beyond its goals and what the machine makes everybody wait. */
function tooLong({ value, echo }: Witnessed): readonly string[] {
  const found: string[] = [];
  if (value.p99Millis > GOALS.p99Millis + echo.p99Millis)
    found.push(`the bystander's p99 was ${value.p99Millis.toFixed(1)} ms`);
  if (value.worstMillis > GOALS.worstMillis + STANDSTILLS * echo.worstMillis)
    found.push(`the bystander waited ${value.worstMillis.toFixed(1)} ms`);
  for (const sentence of found) console.error(sentence);
  return found;
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
  if (witnessed) console.log(waitedText(witnessed));
  const faults = [...findings, ...(witnessed ? tooLong(witnessed) : [])];
  // The inputs make objects, names and events, which stay; a server that ended is replaced by a fresh one.
  if (memory?.isFlat === false) {
    console.log('memory has grown while all doors were fuzzed');
    if (fuzzSeconds >= LONG_SECONDS) faults.push('memory has grown');
  }
  return faults;
}

const findings = fuzzSeconds > 0 ? await fuzzDoors() : [];
const broken = [
  ...(values.tests ? await passWholeSuite(seed) : []),
  ...(attackSeconds > 0 ? await standAttacks(attackSeconds, say) : []),
];
if (minutes === 0) {
  for (const sentence of broken) console.error(sentence);
  process.exit(findings.length + broken.length === 0 ? 0 : 1);
}
const soaked = await Soak.run(minutes, 1, say);
const { failures } = soaked.logbook;
failures.push(...broken);
if (findings.length > 0)
  failures.push(`the fuzzer has ${findings.length} findings or goals missed, again with --seed ${seed}`);
if (soaked.memory.isFlat === false) failures.push(`memory has grown: ${soaked.memory.summary}`);
console.log(summaryOf(soaked));
for (const failure of failures) console.error(`failed: ${failure}`);
console.log(failures.length === 0 ? 'all sessions are alive' : `${failures.length} failures`);
process.exitCode = failures.length === 0 ? 0 : 1;
