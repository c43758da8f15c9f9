// Attacks by sessions over WebSockets: they come, ask for much, take it back and go, over and over.
import type { Attack, Place } from './attack.js';
import { ask, get, lines, openWebSocket, pause, pour, RETRY_MILLIS, rpc, times, webSocket } from './peer.js';

/** What is said next, after an answer; undefined to leave and come again. */
type Says = (round: number, answer: string) => string | undefined;

/** A WebSocket that says the next thing when the one before is answered. */
const talk =
  (says: Says): Attack['run'] =>
  async (place, until) => {
    while (!until.aborted) {
      await talkOnce(place, until, says);
      await pause(RETRY_MILLIS);
    }
  };

async function talkOnce(place: Place, until: AbortSignal, says: Says): Promise<void> {
  const { socket, gone } = openWebSocket(place, until);
  let round = 0;
  const say = (answer: string): void => {
    const text = says(round++, answer);
    if (text === undefined) socket.terminate();
    else socket.send(text);
  };
  socket.on('open', () => say(''));
  socket.on('message', (data: Buffer) => {
    // Notifications have no number.
    const head = data.toString('latin1', 0, 400);
    if (head.includes('"id":')) say(head);
  });
  await gone;
}

const DOUBLES = Array.from({ length: 3000 }, (_, k) => `target.doubles[${k}]`);
const READ = rpc('var/get', { aliases: DOUBLES });
const subscribed = rpc('var/subscribe', { aliases: DOUBLES, cycle_ms: 10 });
const idIn = (answer: string): string => /"subscription_id":"([^"]*)"/.exec(answer)?.[1] ?? 'none';

const printed = (round: number): string =>
  rpc('trick/run', { text: `trick.message_publish(0, "${'x'.repeat(200)}${round}")\n` });

const wait = (round: number): string =>
  rpc('var/wait', { condition: `target.position[0] < -${round}`, timeout_ms: 600_000 }, round + 1);

const setTo = (round: number): string => rpc('var/set', { alias: 'target.position', value: [1, 2, round] }, round);

/** All messages that are kept, a follower more or one less, and a text that prints a long one; then it leaves. */
const followed =
  (printed: string, rounds: number) =>
  (round: number): string | undefined => {
    if (round === rounds) return undefined;
    if (round % 2) return rpc('trick/run', { text: `trick.message_publish(0, ${printed})\n` }, round);
    return rpc('sim/messages', { follow: round % 4 === 0, last: 1000 }, round);
  };
const UNREAD_VALUES = lines(...Array(500).fill('trick.var_send_once("target.doubles[0]")'));

export const SESSIONS: readonly Attack[] = [
  {
    name: 'N-subscribe-churn',
    sends: 'var/subscribe of 3,000 doubles and var/unsubscribe, over and over, over twenty WebSockets',
    run: times(
      20,
      talk((round, answer) => (round % 2 ? rpc('var/unsubscribe', { subscription_id: idIn(answer) }) : subscribed)),
    ),
  },
  {
    name: 'N-messages-leave',
    sends: 'sixty WebSockets that follow sim/messages, print and leave, over and over',
    run: times(
      60,
      talk((round) => [rpc('sim/messages', { follow: true }), printed(round)][round]),
    ),
  },
  {
    name: 'N-messages-unread',
    sends:
      'all of sim/messages, follow and unfollow, and texts that print, over six WebSockets that read nothing and leave; beside them two connections that ask for values without end and read nothing, and one that asks for /metrics',
    run: (place, until) =>
      Promise.all([
        times(6, webSocket({ text: followed('"y"*3000', 600), reads: false, leaves: true, atOnce: 40 }))(place, until),
        times(
          2,
          pour(() => UNREAD_VALUES, { reads: false }),
        )(place, until),
        ask(() => get('/metrics'))(place, until),
      ]).then(() => undefined),
  },
  {
    name: 'N-messages-escaped',
    sends:
      'all of sim/messages, and texts that print signs of which each takes six in JSON, over six WebSockets that read nothing and leave after 200 calls',
    run: times(6, webSocket({ text: followed('"\\x01"*3900', 200), reads: false, leaves: true, atOnce: 20 })),
  },
  {
    name: 'N-waits-leave',
    sends: 'seventy WebSockets that send 900 var/wait and leave, over and over',
    run: times(70, webSocket({ text: (round) => (round < 900 ? wait(round) : undefined), leaves: true })),
  },
  {
    name: 'N-sets',
    sends: 'var/set of three doubles over four WebSockets, which do not wait for the answers',
    run: times(4, webSocket({ text: setTo, atOnce: 500 })),
  },
  {
    name: 'N-tiny-pieces',
    sends: 'sim/status, one call after another, over two hundred WebSockets',
    run: times(200, webSocket({ text: (round) => rpc('sim/status', null, round) })),
  },
  {
    name: 'N-short-then-long',
    sends: 'sim/status 24 times and then var/get of 3,000 doubles, over and over, over ten WebSockets',
    run: times(
      10,
      talk((round) => (round % 25 === 24 ? READ : rpc('sim/status', null, round))),
    ),
  },
];
