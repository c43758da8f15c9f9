// Prints how many lines a second the command language parses: `node build/lib/protocols/python/grammar/parse.bench.js`.
import { parseWithGrammar } from './block-parser.js';
import { parseBlock, parseUncached } from './index.js';

const lineCount = 1000;
const runs = 5;

const block = (line: (index: number) => string) =>
  Array.from({ length: lineCount }, (_, index) => `${line(index)}\n`).join('');

/** The best of some runs, in calls a second. */
function callsPerSecond(call: () => unknown, calls: number): number {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run++) {
    const start = performance.now();
    for (let count = 0; count < calls; count++) call();
    best = Math.min(best, performance.now() - start);
  }
  return (calls / best) * 1000;
}

function report(title: string, perSecond: number): void {
  console.log(`${title.padEnd(52)} ${Math.round(perSecond).toLocaleString('en').padStart(14)} /s`);
}

const additions = block((index) => `trick.var_add("ball.state.output.position[${index}]", "m")`);
const assignments = block((index) => `ball.state.output.position[${index}] = 1.5 + 2 * ${index}`);
const longLists = `x = [${Array.from({ length: 20_000 }, (_, index) => index).join(', ')}]\n`;
const garbage = 'a ) "€ '.repeat(150_000);

report('lines of var_add, different each', callsPerSecond(() => parseUncached(additions), 100) * lineCount);
report('the same by the full grammar', callsPerSecond(() => parseWithGrammar(additions), 5) * lineCount);
report('lines of assignment with arithmetic', callsPerSecond(() => parseUncached(assignments), 5) * lineCount);
report('numbers in one list', callsPerSecond(() => parseUncached(longLists), 5) * 20_000);
report(
  'one line, parsed before',
  callsPerSecond(() => parseBlock('trick.var_send()\n'), 5_000_000),
);
report('megabytes of garbage', callsPerSecond(() => parseUncached(garbage), 3) * (garbage.length / 1e6));
