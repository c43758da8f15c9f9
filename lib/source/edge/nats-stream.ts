// The frames of a simulation as a NATS server with JetStream keeps them: for who comes later.
import type { JetStreamManager } from '@nats-io/jetstream';
import { Down } from './carrier.js';
import { connectNats, type NatsLink, subjectsOf } from './nats.js';
import { PartsJoined } from './parts.js';

/** Of one simulation; the oldest goes first. */
const MOST_BYTES = 2 ** 30;
const NANOS_PER_SECOND = 1e9;
const PATIENCE_MILLIS = 5000;
const FETCHED = 1000;
const PING_MILLIS = 60_000;

const streamOf = (name: string): string => `VARWIRE_${subjectsOf(name).token}`;

async function managerOf({ connection, address }: NatsLink): Promise<JetStreamManager> {
  const { jetstreamManager } = await loaded();
  try {
    return await jetstreamManager(connection, { timeout: PATIENCE_MILLIS });
  } catch (error) {
    throw new Error(
      `the NATS server at ${address} keeps nothing (nats-server --jetstream): ${(error as Error).message}`,
    );
  }
}

/** Has the server keep what is sent from now on. Rejects with one sentence. */
export async function keepFrames(link: NatsLink, name: string, seconds: number): Promise<void> {
  const { streams } = await managerOf(link);
  const { of } = subjectsOf(name);
  const kept = { max_age: seconds * NANOS_PER_SECOND, max_bytes: MOST_BYTES, discard: 'old' } as const;
  const subjects = [of(Down.catalog), of(Down.frame)];
  try {
    await streams.add({ name: streamOf(name), subjects, ...kept }).catch(() => streams.update(streamOf(name), kept));
  } catch (error) {
    throw new Error(`the NATS server at ${link.address} does not keep ${name}: ${(error as Error).message}`);
  }
}

/** Tells all messages that are kept, in order. Rejects with one sentence where nothing is. */
export async function readKept(url: string, name: string, heard: (message: Uint8Array) => void): Promise<void> {
  // Many messages at once keep this thread from hearing answers to pings; a server that is gone gives none of them.
  const link = await connectNats(url, { pingInterval: PING_MILLIS });
  try {
    await managerOf(link);
    const { jetstream } = await loaded();
    const consumer = await jetstream(link.connection).consumers.get(streamOf(name));
    const joined = new PartsJoined();
    for (let left = (await consumer.info()).num_pending; left > 0; ) {
      const messages = await consumer.fetch({ max_messages: Math.min(left, FETCHED), expires: PATIENCE_MILLIS });
      const before = left;
      for await (const { data } of messages) {
        left--;
        const whole = joined.take(data);
        if (whole) heard(whole);
      }
      if (left === before) throw new Error('it does not answer');
    }
  } catch (error) {
    throw new Error(`${name} at ${link.address} cannot be played: ${(error as Error).message}`);
  } finally {
    await link.connection.close();
  }
}

async function loaded(): Promise<typeof import('@nats-io/jetstream')> {
  try {
    return await import('@nats-io/jetstream');
  } catch {
    throw new Error('what NATS keeps needs a package that is not installed: npm install @nats-io/jetstream@3.3.1');
  }
}
