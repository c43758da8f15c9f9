// `varwire watch`: shows values as they change, as a table on a terminal and as lines elsewhere.
import { type Update, withLabels } from '../trick/index.js';
import {
  CONNECTION_OPTIONS,
  connect,
  jsonClient,
  OUTPUT_OPTIONS,
  parseSeconds,
  TRICK_OPTIONS,
} from './client-options.js';
import { type CommandLine, type GivenLine, parseLine, textOf } from './command-line.js';
import { labelsOfTrick, rowsOfTrick } from './get.js';
import { type AskedName, askedName, expandNames, namesOfTrick, suggesting, unitsByName } from './names.js';
import { csvLine, type OutputForm, outputForm, plain } from './rows.js';
import { parseServer, splitServer } from './server-name.js';
import { UsageError } from './usage.js';
import { formatValue, jsonText } from './value-text.js';
import { CLOSE_TABLE, OPEN_TABLE, plainLine, WatchTable } from './watch-table.js';
import { factsOfWeb, type LabelsByName, labelsIn, namesOfWeb } from './web-names.js';

const LINE: CommandLine = {
  name: 'watch',
  takes: '<server> <name>...',
  about:
    'Shows values as they change. On a terminal they stand in a table; elsewhere each update is a line: simulation time, then the values. A lost connection is made again. Ctrl-C ends.',
  options: [
    ['--units <units>', 'units to show the values in (their own)'],
    ['--cycle <seconds>', 'time between updates (0.1)'],
    ['--count <n>', 'end after so many updates'],
    ...OUTPUT_OPTIONS,
    ...TRICK_OPTIONS,
    ...CONNECTION_OPTIONS,
  ],
};
const ADVICE = 'varwire watch takes a server and names, such as localhost:7000 trick_sys.sched.time_tics';

interface Wish {
  readonly server: string;
  readonly asked: readonly AskedName[];
  readonly cycleSeconds: number;
  /** Infinity to continue until it is interrupted. */
  readonly count: number;
  readonly form: OutputForm;
}

export async function watchCommand(args: readonly string[]): Promise<void> {
  const given = parseLine(LINE, args);
  if (!given) return;
  const [server, ...words] = splitServer(given.words, ADVICE);
  if (words.length === 0) throw new UsageError(ADVICE);
  const wish: Wish = {
    server,
    asked: words.map((word) => askedName(word, textOf(given, 'units'))),
    cycleSeconds: parseSeconds('cycle', textOf(given, 'cycle') ?? '0.1'),
    count: countOf(textOf(given, 'count')),
    form: outputForm(given),
  };
  if (parseServer(server).kind === 'http') await watchWeb(wish, given);
  else await watchTrick(wish, given);
}

function countOf(text: string | undefined): number {
  if (text === undefined) return Number.POSITIVE_INFINITY;
  if (!/^[1-9]\d*$/.test(text)) throw new UsageError(`--count takes a whole number above 0, not ${text}`);
  return Number(text);
}

async function watchTrick(wish: Wish, given: GivenLine): Promise<void> {
  let screen: Screen | undefined;
  const client = await connect('watch', wish.server, given, {
    reconnect: true,
    onState: (state) => screen?.note(state === 'reconnecting' ? '(connecting again)' : ''),
  });
  let isLeft = false;
  // Also before the first values come: a simulation of Trick keeps the session of a client that does not say goodbye.
  atInterrupt(() => {
    isLeft = true;
    client.close();
  });
  try {
    const names = await expandNames(namesOfTrick(client), wish.asked);
    // An unknown name is an error now; a name that disappears later shows as BAD_REF.
    await suggesting(client, () => rowsOfTrick(client, names));
    screen = new Screen(wish, names, await labelsOfTrick(client, names));
    let shown = 0;
    for await (const update of client.subscribe(names, { cycleSeconds: wish.cycleSeconds })) {
      screen.show(update);
      if (++shown >= wish.count) return;
    }
  } catch (error) {
    if (!isLeft) throw error;
  } finally {
    client.close();
    screen?.close();
  }
}

function atInterrupt(stop: () => void): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  // The reader of the lines has closed the pipe, as `head` does.
  process.stdout.once('error', stop);
}

interface WebUpdate {
  readonly sim_time: { readonly sec_si: number };
  readonly values: Readonly<Record<string, unknown>>;
}

async function watchWeb(wish: Wish, given: GivenLine): Promise<void> {
  const { cycleSeconds, count } = wish;
  const client = jsonClient(wish.server, given);
  const asked = await expandNames(namesOfWeb(client), wish.asked);
  const units = unitsByName(asked);
  const aliases = asked.map(({ name }) => name);
  const params = { aliases, cycle_ms: 1000 * cycleSeconds, ...(Object.keys(units).length > 0 && { units }) };
  const facts = await factsOfWeb(client, aliases);
  const labels = aliases.flatMap((name, index) => {
    const own = labelsIn(facts[index]);
    return own ? [[name, own] as const] : [];
  });
  const screen = new Screen(wish, asked, new Map(labels));
  const ending = new AbortController();
  atInterrupt(() => ending.abort());
  let shown = 0;
  try {
    for await (const message of client.stream('var/subscribe', params, ending.signal)) {
      const update = message as WebUpdate;
      const values = aliases.map((alias) => update.values[alias] as Update['values'][number]);
      screen.show({
        timeSeconds: update.sim_time.sec_si,
        values,
        units: aliases.map((alias) => units[alias]),
        isAfterGap: false,
      });
      if (++shown >= count) return ending.abort();
    }
  } catch (error) {
    if (!ending.signal.aborted) throw error;
  } finally {
    screen.close();
  }
}

class Screen {
  private readonly table: WatchTable;
  private readonly isTable: boolean;
  private readonly names: readonly string[];
  private isOpen = false;
  private hasHead = false;
  private text = '';
  private last: Update | undefined;

  constructor(
    private readonly wish: Wish,
    names: readonly AskedName[],
    private readonly labels: LabelsByName,
  ) {
    this.names = names.map(({ name }) => name);
    this.table = new WatchTable(wish.server, this.names);
    this.isTable = process.stdout.isTTY === true && wish.form === 'lines';
  }

  show(sent: Update): void {
    const values = sent.values.map((value, index) => withLabels(value, this.labels.get(this.names[index] as string)));
    const update = { ...sent, values };
    this.last = update;
    if (!this.isTable) {
      process.stdout.write(this.lineOf(update));
      return;
    }
    if (!this.isOpen) process.stdout.write(OPEN_TABLE);
    this.isOpen = true;
    this.table.count(performance.now());
    this.draw(update);
  }

  /** Shows a note beside the rate. */
  note(text: string): void {
    this.text = text;
    if (this.isOpen && this.last) this.draw(this.last);
  }

  close(): void {
    if (this.isOpen) process.stdout.write(CLOSE_TABLE);
    this.isOpen = false;
  }

  private lineOf(update: Update): string {
    const { timeSeconds, values } = update;
    if (this.wish.form === 'lines') return plainLine(update);
    if (this.wish.form === 'json') {
      const entries = this.names.map((name, index) => [name, plain(values[index])]);
      return `${jsonText({ time: plain(timeSeconds), values: Object.fromEntries(entries) })}\n`;
    }
    const head = this.hasHead ? '' : `${csvLine(['time', ...this.names])}\n`;
    this.hasHead = true;
    return `${head}${csvLine([String(timeSeconds), ...values.map(formatValue)])}\n`;
  }

  private draw(update: Update): void {
    // A terminal of unknown size reports 0.
    const { columns, rows } = process.stdout;
    process.stdout.write(this.table.draw(update, columns || 80, rows || 24, this.text));
  }
}
