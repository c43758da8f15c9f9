// Attacks on what is sent by the clock: more values than can be encoded, and readers that do not read.
import type { Attack } from './attack.js';
import { lines, onTheSecond, post, pour, rpc, sendAndLeave, sendAndStay, times, webSocket } from './peer.js';

const element = (index: number): string => `target.doubles[${index % 20_000}]`;
const elements = (count: number, start = 0): string[] => Array.from({ length: count }, (_, k) => element(k + start));
/** No two alike, by the blanks in two places. */
const spelling = (index: number): string =>
  `target.position[${' '.repeat(index % 150)}0${' '.repeat(Math.floor(index / 150))}]`;
const longSpellings = (count: number, start: number): string[] =>
  Array.from({ length: count }, (_, k) => `target.doubles[${' '.repeat(3770)}${(k + count * start) % 20_000}]`);
const subscribe = (aliases: readonly string[], cycleMillis: number, id: unknown = 1): string =>
  rpc('var/subscribe', { aliases, cycle_ms: cycleMillis }, id);
const events = (body: string): string => post(body, 'Accept: text/event-stream\r\n');

export const DELIVERY: readonly Attack[] = [
  {
    name: 'A1-array',
    sends: 'var/subscribe of an array of 20,000 doubles, each 10 ms, over WebSocket',
    run: webSocket({ text: (round) => (round === 0 ? subscribe(['target.doubles'], 10) : undefined) }),
  },
  {
    name: 'A1-events',
    sends: '80 event streams of 200 doubles each, no two alike, each 10 ms',
    run: async (place, until) => {
      const streams = Array.from({ length: 80 }, (_, k) => sendAndStay(events(subscribe(elements(200, 200 * k), 10))));
      await Promise.all(streams.map((run) => run(place, until)));
    },
  },
  {
    name: 'A1-events-240',
    sends: '240 event streams of 200 doubles each, no two alike, each 10 ms',
    run: async (place, until) => {
      const streams = Array.from({ length: 240 }, (_, k) => sendAndStay(events(subscribe(elements(200, 80 * k), 10))));
      await Promise.all(streams.map((run) => run(place, until)));
    },
  },
  {
    name: 'A1-kilohertz',
    sends: 'exec_set_software_frame(0.001), and var/subscribe of 3,000 doubles, each 1 ms, over WebSocket',
    framesPerSecond: 1000,
    run: async (place, until) => {
      const subscribing = webSocket({ text: (round) => (round === 0 ? subscribe(elements(3000), 1) : undefined) });
      const quickening = sendAndStay(lines('trick.exec_set_software_frame(0.001)'));
      await Promise.all([subscribing, quickening].map((run) => run(place, until)));
    },
  },
  {
    name: 'A2-spellings',
    sends: 'a Trick list of 20,000 spellings of one name, none twice, var_sync(2), var_cycle(0.001)',
    run: sendAndStay(
      lines(
        'trick.var_pause()',
        'trick.var_sync(2)',
        'trick.var_cycle(0.001)',
        ...Array.from({ length: 20_000 }, (_, k) => `trick.var_add("${spelling(k)}")`),
        'trick.var_unpause()',
      ),
    ),
  },
  {
    name: 'A7-unread',
    sends: '191 var/subscribe of 230 aliases of 3.8 KB each, whose answers nobody reads',
    run: webSocket({
      text: (round) => (round < 191 ? subscribe(longSpellings(230, round), 10, round) : undefined),
      reads: false,
    }),
  },
  {
    name: 'B-cycle-0',
    sends: '9,500 subscriptions of cycle 0 on one WebSocket that is not read',
    run: webSocket({
      text: (round) => (round < 9500 ? subscribe([element(round)], 0, round) : undefined),
      reads: false,
    }),
  },
  {
    name: 'C-exact-copies',
    sends: '100 sessions with exact copies, at 1.000 to 1.099 ms',
    run: async (place, until) => {
      const sessions = Array.from({ length: 100 }, (_, k) =>
        sendAndStay(
          lines(
            'trick.var_add("target.position[0]")',
            'trick.var_set_copy_mode(1)',
            `trick.var_cycle(${(0.001 + k * 1e-6).toFixed(6)})`,
            'trick.var_sync(1)',
          ),
        ),
      );
      await Promise.all(sessions.map((run) => run(place, until)));
    },
  },
  {
    name: 'D-slow-readers',
    sends: '20 sessions of 2,000 doubles each 10 ms that read nothing',
    run: times(
      20,
      sendAndStay(lines('trick.var_cycle(0.01)', ...elements(2000).map((name) => `trick.var_add("${name}")`)), {
        reads: false,
      }),
    ),
  },
  {
    name: 'O-ascii-wide',
    sends: 'one session of 20,000 doubles as text, each 1 ms',
    run: sendAndStay(
      lines(
        'trick.var_pause()',
        'trick.var_cycle(0.001)',
        ...elements(20_000).map((name) => `trick.var_add("${name}")`),
        'trick.var_unpause()',
      ),
    ),
  },
  {
    name: 'O-orders',
    sends: '40 sessions of 500 doubles, each in another order, each 10 ms',
    run: async (place, until) => {
      const sessions = Array.from({ length: 40 }, (_, k) =>
        sendAndStay(lines('trick.var_cycle(0.01)', ...elements(500, 37 * k).map((name) => `trick.var_add("${name}")`))),
      );
      await Promise.all(sessions.map((run) => run(place, until)));
    },
  },
  {
    name: 'O-var-send',
    sends: 'var_send of a list of 5,000 doubles, as fast as it is answered',
    run: pour(() => 'trick.var_send()\n'.repeat(100), {
      first: lines('trick.var_pause()', ...elements(5000).map((name) => `trick.var_add("${name}")`)),
    }),
  },
  {
    name: 'O-bursts',
    sends: '180 connections that are known and idle send 64 KB of Trick text each at the same moment, every second',
    run: times(180, onTheSecond(lines('trick.var_pause()'), `${'#'.repeat(99)}\n`.repeat(655))),
  },
  {
    name: 'O-subscribe-churn',
    sends: 'var/subscribe of 1,000 doubles and the socket dropped, over and over',
    run: sendAndLeave(() => events(subscribe(elements(1000), 0)), 5),
  },
  {
    name: 'O-events-100',
    sends: '100 events whose conditions compare texts, added by one session',
    run: sendAndStay(
      lines(
        ...Array.from({ length: 100 }, (_, k) =>
          [
            `e${k} = trick.new_event("attack${k}")`,
            `e${k}.condition(0, "max([i for i in [1,2,3]] * 1000) > ${k} and target.position[0] < 0")`,
            `e${k}.activate()`,
            `trick.add_event(e${k})`,
          ].join('\n'),
        ),
      ),
    ),
  },
];
