// Edges that take less than a simulation sends: they delay no other edge, and not the simulation.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { array, double, edge, feed, type RunningServer, serveSource } from '../lib/index.js';
import { NatsServer } from './nats-server.js';
import { until } from './panels-page.js';
import { SlowLine } from './slow-line.js';

const QUIET = { port: 0, discovery: false, udp: 'off', messages: 'off', brp: 'off' } as const;
/** All of these change, in every frame. */
const NUMBERS = 5000;
const FRAME_MILLIS = 25;
const BYTES_PER_SECOND = (8 * NUMBERS * 1000) / FRAME_MILLIS;
/** As docs/many-machines.md has it: what is sent in this time is less than the half of what the server keeps for one client. */
const DEADLINE_SECONDS = 1;
const PENDING_BYTES = 2.5 * BYTES_PER_SECOND * DEADLINE_SECONDS;
/** Until the one that takes too little is cut off, and some more. */
const MEASURED_FRAMES = 60;
/** Of frames, between two looks at the server. */
const BURST = 4;

interface Connections {
  readonly connections: readonly { readonly cid: number; readonly pending_bytes: number }[];
}

describe('edges that take less than is sent', () => {
  let nats: NatsServer;
  let directory: string | undefined;
  let plant: RunningServer;
  let publish = (): void => undefined;
  let publishing: NodeJS.Timeout | undefined;
  let fast: RunningServer;
  let monitor = 0;

  before(async function () {
    NatsServer.skipWithout(this);
    directory = mkdtempSync(join(tmpdir(), 'varwire-slow-'));
    writeFileSync(
      join(directory, 'nats.conf'),
      `max_pending: ${PENDING_BYTES}\nwrite_deadline: "${DEADLINE_SECONDS}s"\n`,
    );
    nats = await NatsServer.start(['-c', join(directory, 'nats.conf'), '-m', '-1']);
    monitor = nats.monitorPort;
    let numbers: { [at: number]: number } = [];
    const source = feed({ name: 'plant', frameSeconds: FRAME_MILLIS / 1000 }, (objects) => {
      numbers = objects.object('plant').component('numbers', array(double(), NUMBERS));
    });
    plant = await serveSource(source, { ...QUIET, nats: nats.url });
    let seconds = 0;
    publish = () => {
      seconds += FRAME_MILLIS / 1000;
      for (let at = 0; at < NUMBERS; at++) numbers[at] = seconds + at;
      source.publish(seconds);
    };
    publishing = setInterval(publish, FRAME_MILLIS);
    fast = await serveSource(await edge({ nats: nats.url, name: 'plant' }), QUIET);
  });
  after(async () => {
    clearInterval(publishing);
    await fast?.close();
    await plant?.close();
    await nats?.stop();
    if (directory !== undefined) rmSync(directory, { recursive: true });
  });

  /** The most that waits in the NATS server for one client. */
  const mostPending = async (): Promise<number> => {
    const { connections } = (await (await fetch(`http://127.0.0.1:${monitor}/connz`)).json()) as Connections;
    return Math.max(...connections.map(({ pending_bytes }) => pending_bytes));
  };
  /** From a frame's time to when the fast edge shows it, in milliseconds, of the next ones. */
  const delays = async (): Promise<readonly number[]> => {
    const found: number[] = [];
    const leave = fast.source.onFrame(({ header }) => found.push(Date.now() - header.wallMillis));
    await until(
      async () => found.length,
      (count) => count >= MEASURED_FRAMES,
    );
    leave();
    return found.toSorted((one, other) => one - other);
  };

  for (const [what, bytesPerSecond] of [
    ['reads at an eighth of the speed', BYTES_PER_SECOND / 8],
    ['stands still', 0],
  ] as const)
    it(`delay no other one: one that ${what}`, async () => {
      const line = await SlowLine.to(nats.port);
      const other = await edge({ nats: `nats://127.0.0.1:${line.port}`, name: 'plant' });
      const leave = other.onFrame(() => undefined);
      try {
        line.bytesPerSecond = bytesPerSecond;
        // The machine keeps some MB for a socket, before anything waits in the server.
        while ((await mostPending()) < BYTES_PER_SECOND / 8) for (let count = 0; count < BURST; count++) publish();
        const sorted = await delays();
        // What this process does by itself is late at times, too.
        expect(sorted[Math.floor(0.9 * sorted.length)]).to.be.below(500);
      } finally {
        leave();
        line.close();
        await other.close();
      }
    });
});
