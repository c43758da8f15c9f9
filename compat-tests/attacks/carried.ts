// Attacks that make frames carry megabytes of what clients have declared.
import type { Attack } from './attack.js';
import { ask, lines, post, pour, rpc, sendAndStay, times, webSocket } from './peer.js';

type Run = Attack['run'];

const POINTERS = 200;
/** As much as a message shows of what a pointer leads to. */
const POINTED = 8192;
/** Doubles of arrays of 14 and of 12 MB. */
export const LARGE = 1_800_000;
export const WIDE = 1_500_000;
const WIDE_ELEMENTS = 2900;
/** No two elements so far apart are in one page of memory. */
const APART = 512;

let clients = 0;
const nextClient = (): string => `${clients++}_${process.pid}`;

const numbers = (count: number): number[] => Array.from({ length: count }, (_, k) => k);
const each = (count: number, line: (k: number) => string): string[] => numbers(count).map(line);

/** The pointers and what they lead to, which the first client makes for all. */
const POINTING = [
  'trick.var_pause()',
  ...each(POINTERS, (k) => `a${k} = trick.TMM_declare_var_s("double q_far${k}[${POINTED}]")`),
  `trick.TMM_declare_var_s("double * q_p[${POINTERS}]")`,
  ...each(POINTERS, (k) => `q_p[${k}] = a${k}`),
];

const listing = (...commands: readonly string[]): Run =>
  sendAndStay(
    lines(...POINTING, ...commands, ...each(POINTERS, (k) => `trick.var_add("q_p[${k}]")`), 'trick.var_unpause()'),
  );

/** A client that declares an array of its own, stays, and does something with it. */
export const withOwn =
  (doubles: number, run: (own: string) => Run): Run =>
  async (place, until) => {
    const own = `q_own${nextClient()}`;
    const stay = sendAndStay(lines('trick.var_pause()', `trick.TMM_declare_var_s("double ${own}[${doubles}]")`));
    await Promise.all([stay(place, until), run(own)(place, until)]);
  };

export const apart = (array: string): string[] => each(WIDE_ELEMENTS, (k) => `${array}[${APART * k}]`);

export const CARRIED: readonly Attack[] = [
  {
    name: 'P-pointed-cycle',
    sends: 'var_add of 200 pointers to 64 KB each, var_cycle(0.01)',
    run: listing('trick.var_cycle(0.01)'),
  },
  {
    name: 'P-pointed-copies',
    sends: 'var_add of 200 pointers to 64 KB each, exact copies each 10 ms',
    run: listing('trick.var_set_copy_mode(1)', 'trick.var_cycle(0.01)'),
  },
  {
    name: 'P-own-gets',
    sends: 'var/get of an array of 14 MB that each client has declared for itself, each time when the answer has come',
    run: withOwn(LARGE, (own) => ask(() => post(rpc('var/get', { aliases: [own] })))),
  },
  {
    name: 'P-gets-leave',
    sends: 'three WebSockets that send 900 var/get of such an array, stay for 50 ms and leave, over and over',
    run: withOwn(LARGE, (own) => {
      const text = (round: number) => (round < 900 ? rpc('var/get', { aliases: [own] }, round) : undefined);
      return times(3, webSocket({ text, leaves: true, stayMillis: 50, atOnce: 900 }));
    }),
  },
  {
    name: 'P-apart-get',
    sends: 'var/get of 2,900 elements, each in a page of its own, of an array of 12 MB of each client, over and over',
    run: withOwn(WIDE, (own) => ask(() => post(rpc('var/get', { aliases: apart(own) })))),
  },
  {
    name: 'P-apart-once',
    sends: 'var_send_once of 2,800 such elements, over and over',
    run: async (place, until) => {
      const own = `q_once${nextClient()}`;
      const names = apart(own).slice(0, 2800);
      const once = lines(`trick.var_send_once("${names.join(', ')}", ${names.length})`);
      const declared = `trick.TMM_declare_var_s("double ${own}[${WIDE}]")`;
      await pour(() => once, { first: lines('trick.var_pause()', declared) })(place, until);
    },
  },
  {
    name: 'P-apart-stream',
    sends: 'WebSocket: subscriptions to such elements, each 100 ms',
    run: withOwn(WIDE, (own) =>
      webSocket({
        text: (round) => (round < 3 ? rpc('var/subscribe', { aliases: apart(own), cycle_ms: 100 }) : undefined),
        pauseMillis: 1000,
      }),
    ),
  },
  {
    name: 'P-apart-list',
    sends: 'var_add of such elements, var_cycle(0.01)',
    run: async (place, until) => {
      const own = `q_list${nextClient()}`;
      const declared = `trick.TMM_declare_var_s("double ${own}[${WIDE}]")`;
      const added = apart(own).map((element) => `trick.var_add("${element}")`);
      await sendAndStay(lines(declared, 'trick.var_cycle(0.01)', ...added))(place, until);
    },
  },
];
