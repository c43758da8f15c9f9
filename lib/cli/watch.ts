// `varwire watch`: shows values as they change, as a table on a terminal and as lines elsewhere.
import type { Subscription, Update } from '../client/index.js';
import { CONNECTION_HELP, CONNECTION_OPTIONS, connect, parseCommandLine, parseSeconds } from './client-options.js';
import { UsageError } from './usage.js';
import { CLOSE_TABLE, OPEN_TABLE, plainLine, WatchTable } from './watch-table.js';

const HELP = `varwire watch <host:port> <name>... [options]

  --units U      units to show the values in (their own)
  --cycle S      seconds between updates (0.1)
${CONNECTION_HELP}

On a terminal the values stand in a table; elsewhere each update is a line: simulation time, then the values.
A lost connection is made again. Ctrl-C ends.`;

const OPTIONS = { ...CONNECTION_OPTIONS, units: { type: 'string' }, cycle: { type: 'string' } } as const;

export async function watchCommand(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseCommandLine('watch', args, OPTIONS);
  if (values.help) return console.log(HELP);
  const [server, ...names] = positionals;
  if (server === undefined || names.length === 0)
    throw new UsageError('varwire watch takes a server and names, such as localhost:7000 trick_sys.sched.time_tics');
  const cycleSeconds = values.cycle === undefined ? 0.1 : parseSeconds('cycle', values.cycle);
  const units = values.units ?? 'xx';
  const screen = new Screen(server, names);
  const client = await connect(server, values, {
    reconnect: true,
    onState: (state) => screen.note(state === 'reconnecting' ? '(connecting again)' : ''),
  });
  try {
    // An unknown name is an error now; a name that disappears later shows as BAD_REF.
    await client.get(names, { units });
    const subscription = client.subscribe(
      names.map((name) => ({ name, units })),
      { cycleSeconds },
    );
    await showUntilInterrupted(subscription, screen);
  } finally {
    client.close();
    screen.close();
  }
}

async function showUntilInterrupted(subscription: Subscription, screen: Screen): Promise<void> {
  const stop = () => subscription.close();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  // The reader of the lines has closed the pipe, as `head` does.
  process.stdout.once('error', stop);
  for await (const update of subscription) screen.show(update);
}

class Screen {
  private readonly table: WatchTable;
  private readonly isTerminal = process.stdout.isTTY === true;
  private isOpen = false;
  private text = '';
  private last: Update | undefined;

  constructor(server: string, names: readonly string[]) {
    this.table = new WatchTable(server, names);
  }

  show(update: Update): void {
    this.last = update;
    if (!this.isTerminal) {
      process.stdout.write(plainLine(update));
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

  private draw(update: Update): void {
    // A terminal of unknown size reports 0.
    const { columns, rows } = process.stdout;
    process.stdout.write(this.table.draw(update, columns || 80, rows || 24, this.text));
  }
}
