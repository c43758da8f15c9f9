// A Trick session, a polling script and an event stream see the same values at the same simulation time.
import { expect } from 'chai';
import { call, EventStream, type Values } from './http-client.js';
import { endAfterFailure, LaunchedServer } from './launch.js';
import { WireClient } from './wire-client.js';

/** Frames that both streams have seen. */
const FRAMES = 500;
/** Frames that polls must have seen of each stream's. */
const POLLED = 20;
const FRAME_MILLIS = 2;
const NAMES = ['ball.position[1]', 'ball.velocity[1]'] as const;

/** What one client saw: position and velocity by simulation time, as text with 16 digits like Trick's wire. */
type Seen = Map<string, string>;

const digits = (value: unknown): string => Number(value).toPrecision(16);

function note(seen: Seen, { sim_time, values }: Values): void {
  seen.set(digits(sim_time.sec_si), NAMES.map((name) => digits(values[name])).join(' '));
}

/** Whether a stream has seen enough, which it asks itself after each message. */
type IsOver = (seen: Seen) => boolean;

async function listenTrick(port: number, isOver: IsOver): Promise<Seen> {
  const client = await WireClient.tcp(port);
  const adds = ['time', ...NAMES].map((name) => `trick.var_add("${name}")\n`);
  client.send(
    `trick.var_pause()\n${adds.join('')}trick.var_sync(2)\ntrick.var_set_copy_mode(2)\ntrick.var_unpause()\n`,
  );
  const seen: Seen = new Map();
  while (!isOver(seen)) {
    const [indicator, time, ...values] = (await client.line()).split('\t');
    expect(indicator).to.equal('0');
    expect(time).to.match(/ \{s\}$/);
    seen.set(digits(time?.replace(' {s}', '')), values.map(digits).join(' '));
  }
  client.drop();
  return seen;
}

async function listenEvents(port: number, isOver: IsOver): Promise<Seen> {
  const stream = await EventStream.subscribe(port, NAMES, FRAME_MILLIS);
  const seen: Seen = new Map();
  for await (const message of stream.messages()) {
    note(seen, message);
    if (isOver(seen)) break;
  }
  stream.close();
  return seen;
}

async function poll(port: number, seen: Seen, isOver: () => boolean): Promise<void> {
  while (!isOver()) note(seen, await call<Values>(port, 'var/get', { aliases: [...NAMES] }));
}

/** How many simulation times both have seen, and at which of them their values differ. */
function compare(one: Seen, other: Seen): { shared: number; different: string[] } {
  const shared = [...one.keys()].filter((time) => other.has(time));
  const different = shared.filter((time) => one.get(time) !== other.get(time));
  return {
    shared: shared.length,
    different: different.map((time) => `${time}: ${one.get(time)} | ${other.get(time)}`),
  };
}

/**
 * Makes the ends of two streams: both go on until they have seen enough frames that the other has seen too, and polls enough
 * of theirs.
 */
function untilShared(polled: Seen): (name: string) => IsOver {
  const streams = new Map<string, Seen>();
  return (name) => (seen) => {
    streams.set(name, seen);
    const [one, other] = streams.values();
    if (!one || !other || Math.min(one.size, other.size) < FRAMES) return false;
    const hasPolled = [one, other].every((streamed) => compare(polled, streamed).shared >= POLLED);
    return hasPolled && compare(one, other).shared >= FRAMES;
  };
}

/** How many times either has seen from the first on that both can have seen. */
function sinceBothListened(one: Seen, other: Seen): number {
  const firsts = [one, other].map((seen) => Number(seen.keys().next().value));
  const lasts = [one, other].map((seen) => Number([...seen.keys()].at(-1)));
  const all = new Set([...one.keys(), ...other.keys()]);
  return [...all].filter((time) => Number(time) >= Math.max(...firsts) && Number(time) <= Math.min(...lasts)).length;
}

describe('clients of different protocols on one simulation', () => {
  let server: LaunchedServer | undefined;
  before(async () => {
    server = await LaunchedServer.start(new URL('./fixture/quick-ball.js', import.meta.url));
  });
  afterEach(async function () {
    await endAfterFailure(this, server);
  });
  after(() => server?.stop());

  it(`see the same values at the same simulation time, for ${FRAMES} frames`, async () => {
    const { port } = server!;
    let isOver = false;
    const polled: Seen = new Map();
    const untilBoth = untilShared(polled);
    const streams = Promise.all([listenTrick(port, untilBoth('trick')), listenEvents(port, untilBoth('events'))]);
    const ended = streams.finally(() => {
      isOver = true;
    });
    const [[trick, events]] = await Promise.all([ended, poll(port, polled, () => isOver)]);

    const both = compare(trick, events);
    expect(both.different).to.deep.equal([]);
    expect(both.shared).to.be.at.least(FRAMES);
    // While both listened, few frames went to one of them alone.
    expect(both.shared).to.be.at.least(0.9 * sinceBothListened(trick, events));
    for (const streamed of [trick, events]) {
      const { shared, different } = compare(polled, streamed);
      expect(different).to.deep.equal([]);
      expect(shared).to.be.at.least(POLLED);
    }
    // The values differ from frame to frame, so agreement is no accident.
    expect(new Set(trick.values()).size).to.equal(trick.size);
  });
});
