// `varwire events`: what the simulation waits for.
import { askedServer, asking, secondsText, tableText } from './table.js';
import { UsageError } from './usage.js';

const LINE = asking({
  name: 'events',
  takes: '<server>',
  about: "Lists the events, as Trick's event viewer does, and when each has fired and run.",
});
const ADVICE = 'varwire events takes a server, such as localhost:7000';

interface Listed {
  readonly name: string;
  readonly active: boolean;
  readonly added: boolean;
  readonly mode: 'auto' | 'on' | 'off';
  readonly fired_count: number;
  readonly fired_sec: number | null;
  readonly ran_count: number;
  readonly ran_sec: number | null;
  readonly conditions: readonly { readonly text: string; readonly comment: string }[];
}

export async function eventsCommand(args: readonly string[]): Promise<void> {
  const asked = askedServer(LINE, args, ADVICE);
  if (!asked) return;
  if (asked.words.length > 0) throw new UsageError(ADVICE);
  const { events } = (await asked.client.call('event/list')) as { readonly events: readonly Listed[] };
  console.log(
    tableText(asked.given, events, {
      name: ({ name }) => name,
      state: stateOf,
      fired: ({ fired_count }) => String(fired_count),
      last_fired: ({ fired_sec }) => secondsText(fired_sec),
      ran: ({ ran_count }) => String(ran_count),
      last_ran: ({ ran_sec }) => secondsText(ran_sec),
      waits_for: ({ conditions }) => conditions.map(({ comment, text }) => comment || text).join('; '),
    }),
  );
}

/** Why an event may not act, or that it waits for its conditions. */
function stateOf({ active, added, mode }: Listed): string {
  if (!added) return 'not added';
  return active ? mode : 'inactive';
}
