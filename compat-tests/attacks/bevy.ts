// Attacks by Bevy's protocol, on the main port.
import type { Attack, Place } from './attack.js';
import {
  asks,
  batch,
  openWebSocket,
  pause,
  post,
  RETRY_MILLIS,
  rpc,
  sendAndLeave,
  sendAndStay,
  times,
  webSocket,
} from './peer.js';

/** The object of the target's simulation. */
const TARGET = '1v0';
const ALL = { data: { option: 'all' } };
const DOUBLES = ['target::target::doubles'];
const watch = post(rpc('world.get_components+watch', { entity: TARGET, components: DOUBLES }));

/** Objects of one client, and how many it makes or removes at once. */
const [CROWD, SOME] = [6000, 250];

/** Makes as many objects as it may, and then always removes the oldest ones and makes new ones. */
const crowd: Attack['run'] = async (place, until) => {
  while (!until.aborted) {
    await crowdOnce(place, until);
    await pause(RETRY_MILLIS);
  }
};

async function crowdOnce(place: Place, until: AbortSignal): Promise<void> {
  const { socket, gone } = openWebSocket(place, until);
  const made: number[] = [];
  const more = (): void => {
    const old = made.length >= CROWD ? made.splice(0, SOME) : [];
    if (old.length > 0) socket.send(batch(SOME, 'world.despawn_entity', (k) => ({ entity: old[k] })));
    else socket.send(batch(SOME, 'world.spawn_entity', () => ({ components: {} })));
  };
  socket.on('open', more);
  socket.on('message', (data: Buffer) => {
    const text = data.toString('latin1');
    for (const [, entity] of text.matchAll(/"entity":(\d+)/g)) made.push(Number(entity));
    setTimeout(more, text.includes('"error"') ? RETRY_MILLIS : 0);
  });
  await gone;
}

const PARTS = { data: { components: ['target::Part'] } };

/** Polls over and over, each from what the answer before has shown. */
const polling: Attack['run'] = async (place, until) => {
  while (!until.aborted) {
    const { socket, gone } = openWebSocket(place, until);
    const poll = (watermark: string | null): void =>
      socket.send(rpc('brp.poll', { ...PARTS, watermark, timeout_ms: 2000 }), () => undefined);
    socket.on('open', () => poll(null));
    socket.on('message', (data: Buffer) => {
      const end = data.toString('latin1', Math.max(0, data.length - 400));
      const [, watermark = null] = /"watermark":"([^"]+)"/.exec(end) ?? [];
      setTimeout(() => poll(watermark), end.includes('"error"') ? RETRY_MILLIS : 0);
    });
    await gone;
    await pause(RETRY_MILLIS);
  }
};

export const BEVY: readonly Attack[] = [
  {
    name: 'E-spawns',
    sends: 'batches of 1,000 world.spawn_entity',
    run: asks(batch(1000, 'world.spawn_entity', () => ({ components: {} }))),
  },
  {
    name: 'E-crowd',
    sends: 'WebSocket: 6,000 world.spawn_entity, and then the oldest are despawned and others spawned',
    run: crowd,
  },
  {
    name: 'E-everything',
    sends: 'batches of 100 queries of all there is',
    run: asks(batch(100, 'world.query', () => ALL)),
  },
  {
    name: 'E-watches',
    sends: '200 watches of an array of 20,000 doubles, never read',
    run: times(200, sendAndStay(watch, { reads: false })),
  },
  { name: 'E-watches-left', sends: 'watches of that array whose clients leave', run: sendAndLeave(() => watch, 20) },
  {
    name: 'E-polls',
    sends: 'a batch of 1,000 polls of that array',
    run: asks(batch(1000, 'brp.poll', () => ({ data: { components: DOUBLES } }))),
  },
  {
    name: 'E-polls-leave',
    sends: '50 polls of all there is, from two WebSockets that leave before the answers and come again',
    simArguments: ['--objects', '3000'],
    run: times(
      2,
      webSocket({
        text: (round) => (round < 50 ? rpc('brp.poll', ALL, round + 1) : undefined),
        atOnce: 50,
        leaves: true,
        stayMillis: 200,
      }),
    ),
  },
  {
    name: 'E-polls-wait',
    sends: 'polls of 6,000 objects that wait until one changes, over a WebSocket',
    simArguments: ['--objects', '6000'],
    run: polling,
  },
  {
    name: 'E-socket-watches',
    sends: '20 WebSockets with 1,000 watches of that array each',
    run: times(
      20,
      webSocket({
        text: (round) =>
          round < 1000
            ? rpc('world.get_components+watch', { entity: TARGET, components: DOUBLES }, round + 1)
            : undefined,
      }),
    ),
  },
  {
    name: 'E-schemas',
    sends: 'batches of 1,000 registry.schema and rpc.discover',
    run: asks(batch(1000, 'registry.schema', () => null)),
  },
  {
    name: 'E-names',
    sends: 'queries with 10,000 unknown names of 90 characters',
    run: asks(
      rpc('world.query', {
        data: { has: Array.from({ length: 9_000 }, (_, k) => `${'x'.repeat(84)}${k}`) },
      }),
    ),
  },
  {
    name: 'E-paths',
    sends: 'paths inside a component of 4,000 signs',
    run: asks(
      batch(200, 'world.mutate_components', () => ({
        entity: TARGET,
        component: DOUBLES[0],
        path: '[0]'.repeat(1300),
        value: 1,
      })),
    ),
  },
];
