// `varwire clients`: who is connected.
import { askedServer, asking, tableText } from './table.js';
import { UsageError } from './usage.js';

const LINE = asking({
  name: 'clients',
  takes: '<server>',
  about: 'Lists who is connected, in any protocol, and what is sent to them.',
});
const ADVICE = 'varwire clients takes a server, such as localhost:7000';

interface Listed {
  readonly address: string;
  readonly protocol: string;
  readonly transport: string;
  readonly tag: string;
  readonly reads_count: number;
  readonly sent_messages: number;
  readonly sent_bytes: number;
  readonly dropped_messages: number;
}

export async function clientsCommand(args: readonly string[]): Promise<void> {
  const asked = askedServer(LINE, args, ADVICE);
  if (!asked) return;
  if (asked.words.length > 0) throw new UsageError(ADVICE);
  const { clients, more } = (await asked.client.call('sim/clients')) as { clients: readonly Listed[]; more: boolean };
  console.log(
    tableText(asked.given, clients, {
      address: ({ address }) => address,
      protocol: ({ protocol, transport }) => (protocol === transport ? protocol : `${protocol} ${transport}`),
      reads: ({ reads_count }) => String(reads_count),
      messages: ({ sent_messages }) => String(sent_messages),
      bytes: ({ sent_bytes }) => String(sent_bytes),
      dropped: ({ dropped_messages }) => String(dropped_messages),
      tag: ({ tag }) => tag,
    }),
  );
  if (more) console.error(`varwire: there are more than these ${clients.length} clients`);
}
