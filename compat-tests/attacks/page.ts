// Attacks by the methods that the page uses: the past of variables, the tree, Trick text, events, checkpoints, clients.
import type { Attack } from './attack.js';
import { ask, asks, batch, lines, post, rpc, sendAndStay, times, webSocket } from './peer.js';

const elements = (count: number, start: number): string[] =>
  Array.from({ length: count }, (_, k) => `target.doubles[${(start + k) % 20_000}]`);
/** One socket that sends a call again and again. */
const calls = (method: string, params: (round: number) => unknown): Attack['run'] =>
  webSocket({ text: (round) => rpc(method, params(round), round + 1) });
/** Names that are long, alike, and as many as a client may declare. */
const LONG_NAMES = Array.from({ length: 700 }, (_, k) => `trick.TMM_declare_var_s("double ${'a'.repeat(850)}${k}")`);
const afterLongNames =
  (run: Attack['run']): Attack['run'] =>
  async (place, until) => {
    const declared = sendAndStay(lines('trick.var_pause()', ...LONG_NAMES));
    await Promise.all([declared(place, until), run(place, until)]);
  };
const UNKNOWN = batch(1000, 'var/get', (k) => ({ aliases: [`${'n'.repeat(115)}x${k}`] }));
const COSTLY = Array.from({ length: 20 }, (_, k) => `*${'a'.repeat(450 + k)}b`);
const EVENTS = Array.from({ length: 40 }, (_, k) =>
  [
    `e${k} = trick.new_event("page${k}")`,
    ...Array.from({ length: 20 }, (_, index) => `e${k}.condition(${index}, "False or ${'0 or '.repeat(500)} False")`),
    `e${k}.action(0, "x = [0] * 1000")`,
    `trick.add_event(e${k})`,
  ].join('\n'),
).join('\n');

export const PAGE: readonly Attack[] = [
  {
    name: 'N-globs',
    sends:
      'var/list of 700 names of 850 characters, without 20 patterns of 450 that each fit but for their last letter',
    run: afterLongNames(calls('var/list', () => ({ without: COSTLY }))),
  },
  {
    name: 'N-suggestions',
    sends: 'batches of 1,000 var/get of names of 120 characters that nobody knows, among 6,000 alike',
    run: async (place, until) => {
      const spawned = (from: number) =>
        batch(1000, 'world.spawn_entity', (k) => ({
          components: { 'bevy_ecs::name::Name': `${'n'.repeat(115)}${from + k}` },
        }));
      let round = 0;
      const run = ask(() => post(round < 6 ? spawned(1000 * round++) : UNKNOWN));
      await run(place, until);
    },
  },
  {
    name: 'N-history',
    sends: 'batches of 1,000 var/history of 200 doubles with 10,000 points each',
    run: asks(batch(1000, 'var/history', () => ({ aliases: elements(200, 0), points: 10_000 }))),
  },
  {
    name: 'N-histories',
    sends: 'var/history of 200 other doubles each time',
    run: ask((round) => post(rpc('var/history', { aliases: elements(200, 200 * round) }))),
  },
  {
    name: 'N-search',
    sends: 'batches of 1,000 var/search of 1,000,000 variables',
    simArguments: ['--members', '1000000'],
    run: asks(batch(1000, 'var/search', (k) => ({ text: `store ${k} zz` }))),
  },
  {
    name: 'N-children',
    sends: 'batches of 1,000 last pages of var/children of an array of 20,000 doubles, filtered',
    run: asks(
      batch(1000, 'var/children', () => ({ path: 'target.doubles', offset: 19_000, count: 1000, filter: '[' })),
    ),
  },
  {
    name: 'N-run',
    sends: 'trick/run of while True: pass, over twenty WebSockets',
    run: times(
      20,
      calls('trick/run', () => ({ text: 'while True: pass' })),
    ),
  },
  {
    name: 'N-run-batch',
    sends: 'batches of 1,000 trick/run over HTTP, each a session of its own',
    run: asks(batch(1000, 'trick/run', (k) => ({ text: `L = [${k}] * 1000\nprint(len(L))` }))),
  },
  {
    name: 'N-run-memory',
    sends: 'trick/run that keeps texts, over twenty WebSockets',
    run: times(
      20,
      calls('trick/run', (round) => ({ text: `x${round} = "${'x'.repeat(50_000)}"` })),
    ),
  },
  {
    name: 'N-complete',
    sends: 'batches of 1,000 trick/complete of a path, and texts of 190 KB',
    run: ask((round) =>
      post(
        round % 2
          ? batch(1000, 'trick/complete', () => ({ text: 'print(target.doubles[' }))
          : rpc('trick/complete', { text: `x = ${'a'.repeat(190_000)}!` }),
      ),
    ),
  },
  {
    name: 'N-events',
    sends: 'forty events of twenty conditions of 2,500 characters, then batches of 1,000 event/list',
    run: ask((round) =>
      post(round === 0 ? rpc('trick/run', { text: EVENTS.slice(0, 190_000) }) : batch(1000, 'event/list', () => ({}))),
    ),
  },
  {
    name: 'N-fire',
    sends: 'batches of 1,000 event/fire',
    run: ask((round) =>
      post(
        round === 0
          ? rpc('trick/run', { text: 'e = trick.new_event("fired")\ne.action(0, "x = [0] * 50000")' })
          : batch(1000, 'event/fire', () => ({ name: 'fired' })),
      ),
    ),
  },
  {
    name: 'N-checkpoints',
    sends: 'batches of 1,000 sim/checkpoint and sim/load-checkpoint',
    run: asks(
      `[${Array.from({ length: 500 }, (_, k) => `${rpc('sim/checkpoint', { file: `page${k % 50}` })},${rpc('sim/load-checkpoint', { file: `page${k % 50}` })}`).join(',')}]`,
    ),
  },
  {
    name: 'N-messages',
    sends: 'forty WebSockets that follow sim/messages and print, never read',
    run: times(
      40,
      webSocket({
        text: (round) =>
          round === 0
            ? rpc('sim/messages', { follow: true })
            : rpc('trick/run', { text: `trick.message_publish(0, "${'x'.repeat(1000)}")\n` }, round + 1),
        reads: false,
      }),
    ),
  },
  {
    name: 'N-clients',
    sends: '100 WebSockets with batches of 1,000 sim/clients and session/me each',
    run: times(
      100,
      webSocket({
        text: (round) => batch(1000, round % 2 ? 'sim/clients' : 'session/me', () => ({})),
        pauseMillis: 50,
      }),
    ),
  },
];
