// `npm run soak [-- --minutes 20] [--fuzz 120] [--report]`: hostile blocks, then Trick's clients on one server, for long.
import { parseArgs } from 'node:util';
import { SEED } from '../../lib/testing/aids/fuzz-seed.js';
import { fuzzFor } from './fuzz.js';
import { Soak, type Soaked } from './soak.js';

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
    fuzz: { type: 'string', default: '120' },
    report: { type: 'boolean', default: false },
  },
});
const minutes = Number(values.minutes);
if (!(minutes > 0)) throw new Error(`--minutes is a number above 0, not ${values.minutes}`);

const fuzzSeconds = Number(values.fuzz);
if (!(fuzzSeconds >= 0)) throw new Error(`--fuzz is a number of seconds from 0 up, not ${values.fuzz}`);

if (fuzzSeconds > 0) {
  console.log(`fuzzing with VARWIRE_SEED=${SEED}`);
  console.log(await fuzzFor(fuzzSeconds, SEED));
}
const soaked = await Soak.run(minutes, 1, (line) => values.report && console.log(line));
const { failures } = soaked.logbook;
if (soaked.memory.isFlat === false) failures.push(`memory has grown: ${soaked.memory.summary}`);
console.log(summaryOf(soaked));
for (const failure of failures) console.error(`failed: ${failure}`);
console.log(failures.length === 0 ? 'all sessions are alive' : `${failures.length} failures`);
process.exitCode = failures.length === 0 ? 0 : 1;
