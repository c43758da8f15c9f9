// Nanoseconds a value for number text and list messages: `node build/lib/protocols/trick/wire/encode.bench.js`.
import { formatDouble, formatFloat } from '../../../model/state/number-text.js';
import { createFixture } from '../../../testing/aids/fixture/state.js';
import { listEncoder } from './list-encoder.js';
import { INITIAL_FORMAT, type ListFormat } from './list-format.js';
import { MESSAGES } from './messages.js';
import { ReferenceTable } from './reference.js';

const ROUNDS = 5;
const VALUES = 100_000;

/** The best of some rounds, after one to warm up. */
function report(title: string, valuesARun: number, run: () => void): void {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round <= ROUNDS; round++) {
    const start = performance.now();
    run();
    if (round > 0) best = Math.min(best, performance.now() - start);
  }
  console.log(`${title.padEnd(44)} ${((best * 1e6) / valuesARun).toFixed(0).padStart(6)} ns a value`);
}

const sample = (make: () => number): Float64Array => Float64Array.from({ length: VALUES }, make);

function benchText(title: string, format: (x: number) => string, values: Float64Array): void {
  let characters = 0;
  report(title, values.length, () => {
    for (const x of values) characters += format(x).length;
  });
  if (characters === 0) throw new Error('nothing was formatted');
}

interface ListCase {
  readonly format: ListFormat;
  readonly length: number;
  readonly isChanging: boolean;
}

/** A list as a feed encodes it: the same one frame after frame. */
function benchList(title: string, { format, length, isChanging }: ListCase): void {
  const fixture = createFixture();
  const table = new ReferenceTable(fixture);
  const references = Array.from({ length }, (_, k) => table.hold(`fx.all.big_d[${k}]`));
  const encode = listEncoder(MESSAGES.varList.indicator, references, format);
  const frame = fixture.snapshot();
  const first = references[0]?.leavesIn(frame)?.offsetBytes ?? 0;
  const cells = new Float64Array(frame.memory.buffer, first, length);
  const messages = Math.ceil(VALUES / length);
  report(title, messages * length, () => {
    for (let i = 0; i < messages; i++) {
      frame.header = { ...frame.header, number: frame.header.number + 1 };
      if (isChanging) for (let k = 0; k < length; k++) cells[k] = (cells[k] as number) * 1.0000001 + k;
      encode(frame);
    }
  });
}

const random = sample(() => (Math.random() - 0.5) * 1000);
benchText('%.16g, random doubles', formatDouble, random);
benchText(
  '%.16g, three decimals',
  formatDouble,
  sample(() => Math.round(Math.random() * 1e5) / 1000),
);
benchText(
  '%.16g, integers',
  formatDouble,
  sample(() => Math.floor(Math.random() * 1e6)),
);
benchText('%.16g, random doubles after integers', formatDouble, random);
benchText('%.8g, random floats', formatFloat, random.map(Math.fround));

const text = { format: INITIAL_FORMAT, length: 100, isChanging: true };
const binary = { ...text, format: { form: 'binary', withNames: true, isByteSwapped: false } } as const;
const nameless = { ...binary, format: { ...binary.format, withNames: false } };
benchList('list of 100 doubles, text, all change', text);
benchList('list of 100 doubles, text, none changes', { ...text, isChanging: false });
benchList('list of 100 doubles, binary, names', binary);
benchList('list of 100 doubles, binary, no names', nameless);
benchList('list of 100 doubles, binary, names, swapped', {
  ...binary,
  format: { ...binary.format, isByteSwapped: true },
});
benchList('list of 600 doubles, binary, no names', { ...nameless, length: 600 });
