// `varwire messages`: what the simulation and its server have said.
import { setTimeout as wait } from 'node:timers/promises';
import { textOf } from './command-line.js';
import type { JsonClient } from './json-client.js';
import { askedServer, asking, tableText } from './table.js';
import { UsageError } from './usage.js';
import { jsonText, printable } from './value-text.js';

const LINE = asking(
  {
    name: 'messages',
    takes: '<server>',
    about: 'Prints the latest messages of the simulation and its server: simulation time, level and text.',
  },
  [
    ['--last <n>', 'at most so many (100)'],
    ['--follow', 'go on with later ones, until Ctrl-C'],
  ],
);
const ADVICE = 'varwire messages takes a server, such as localhost:7000';
const MOST = 1000;
const LOOK_EVERY_MILLIS = 250;

interface Said {
  readonly number: number;
  readonly level: string;
  readonly text: string;
  readonly elapsed_sec: number;
}

export async function messagesCommand(args: readonly string[]): Promise<void> {
  const asked = askedServer(LINE, args, ADVICE);
  if (!asked) return;
  const { given, client, words } = asked;
  if (words.length > 0) throw new UsageError(ADVICE);
  const last = countOf(textOf(given, 'last') ?? '100');
  if (given.values.follow) return follow(client, last, given.values.json === true);
  console.log(
    tableText(given, await said(client, { last }), {
      time: ({ elapsed_sec }) => String(elapsed_sec),
      level: ({ level }) => level,
      text: ({ text }) => text,
    }),
  );
}

async function said(client: JsonClient, params: object, signal?: AbortSignal): Promise<readonly Said[]> {
  return ((await client.call('sim/messages', params, signal)) as { readonly messages: readonly Said[] }).messages;
}

/** A line for each message, in JSON if that is asked for. */
async function follow(client: JsonClient, last: number, isJson: boolean): Promise<void> {
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort());
  // The reader of the lines has closed the pipe, as `head` does.
  process.stdout.once('error', () => interrupted.abort());
  const { signal } = interrupted;
  const messages = (params: object): Promise<readonly Said[]> =>
    said(client, params, signal).catch((error: unknown) => {
      if (signal.aborted) return [];
      throw error;
    });
  // The latest one tells where later ones begin, also when none of the past is wanted.
  let found = await messages({ last: Math.max(1, last) });
  let after = last === 0 ? (found.at(-1)?.number ?? 0) : 0;
  while (!signal.aborted) {
    for (const one of found.filter(({ number }) => number > after)) {
      after = one.number;
      console.log(isJson ? jsonText(one) : `${one.elapsed_sec}\t${[one.level, one.text].map(printable).join('\t')}`);
    }
    await wait(LOOK_EVERY_MILLIS, undefined, { signal }).catch(() => undefined);
    if (!signal.aborted) found = await messages({ last: MOST, after });
  }
}

function countOf(text: string): number {
  if (/^\d+$/.test(text) && Number(text) <= MOST) return Number(text);
  throw new UsageError(`--last takes a whole number up to ${MOST}, not ${text}`);
}
