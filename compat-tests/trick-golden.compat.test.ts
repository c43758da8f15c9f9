// varwire answers every byte that NASA Trick answered in the recorded sessions.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { serve } from '../lib/index.js';
import { agrees, replay } from './golden-replay.js';
import { endAfterFailure, type HereOptions, ServerHere } from './launch.js';
import { type GoldenSession, goldenSessions } from './recorded.js';

/** Sessions that are not answered in full yet, with the reason. */
const PENDING: Readonly<Record<string, string>> = {};

/** Sessions that need the simulation as it starts: sessions before them change what they show. */
const STARTING = new Set([
  '16-assignment',
  '32-events-errors',
  '33-mtv-binary',
  '37-checkpoint',
  '40-python-functions',
]);

/** Sessions that give times which had passed in the recorded simulation, in seconds. */
const PASSED_SECONDS: Readonly<Record<string, number>> = { '34-executive-more': 0.2 };

const FIXTURE = 'compat-tests/fixture/fixture.js';

for (const [what, served] of [
  // As `varwire run` serves it, with a thread of the simulation.
  ['a recorded Trick session', { by: serve }],
  ['a recorded Trick session, of a state too large to be carried whole,', { simArguments: ['--ballast', '4'] }],
] as const) {
  describe(what, () => replays(served));
}

function replays(served: HereOptions): void {
  let server: ServerHere | undefined;
  // Where the recorded simulation ran: its run directory is RUN_test.
  const directory = mkdtempSync(join(tmpdir(), 'varwire-golden-'));

  const ready = async (isFresh: boolean): Promise<ServerHere> => {
    if (server && !isFresh) return server;
    await server?.stop();
    const options = ['--udp', '127.0.0.1:0', '--run-dir', 'RUN_test'];
    server = await ServerHere.start(FIXTURE, { ...served, options, directory });
    return server;
  };
  afterEach(async function () {
    if (await endAfterFailure(this, server)) server = undefined;
  });
  after(async () => {
    await server?.stop();
    rmSync(directory, { recursive: true });
  });

  for (const session of goldenSessions()) {
    const reason = PENDING[session.name];
    const title = `is answered byte for byte: ${session.name}, ${session.about}`;
    if (reason) {
      it(`${title} (pending: ${reason})`);
      continue;
    }
    it(title, async () => {
      if (session.input !== undefined) return replaysWithInput(session, session.input, served);
      const running = await ready(STARTING.has(session.name));
      await running.until(PASSED_SECONDS[session.name] ?? 0);
      const { port, udpPort } = running;
      expect(await replay(session, port, udpPort)).to.deep.equal([]);
    });
  }
}

/** Replays a session with a server of its own that was started with an input file. */
async function replaysWithInput(session: GoldenSession, input: string, served: HereOptions): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'varwire-golden-'));
  mkdirSync(join(directory, 'RUN_test'));
  // The recorded simulation was held to real time.
  writeFileSync(join(directory, 'RUN_test', 'input.py'), `trick.real_time_enable()\n${input}`);
  const options = ['--udp', '127.0.0.1:0', '--input', 'RUN_test/input.py'];
  const server = await ServerHere.start(FIXTURE, { ...served, options, directory });
  try {
    expect(await replay(session, server.port, server.udpPort)).to.deep.equal([]);
  } finally {
    await server.stop();
    rmSync(directory, { recursive: true });
  }
}

describe('the comparison with a recorded session', () => {
  const step = { send: 'x\n', recv: '0\t1.5 {ft}\t-3\n' };

  it('takes equal bytes only', () => {
    expect(agrees(step, '0\t1.5 {ft}\t-3\n')).to.equal(true);
    expect(agrees(step, '0\t1.5 {ft}\t-3')).to.equal(false);
    expect(agrees(step, '0\t1.5000000000000002 {ft}\t-3\n')).to.equal(false);
    expect(agrees({ ...step, recv: '' }, '')).to.equal(true);
    expect(agrees({ ...step, recv: '' }, '0')).to.equal(false);
  });

  it('takes the last digits of a number within a tolerance, and text never', () => {
    expect(agrees(step, '0\t1.5000000000000002 {ft}\t-3\n', 4e-16)).to.equal(true);
    expect(agrees(step, '0\t1.500000000000001 {ft}\t-3\n', 4e-16)).to.equal(false);
    expect(agrees(step, '0\t1.5 {fu}\t-3\n', 4e-16)).to.equal(false);
    expect(agrees(step, '0\t1.5 {ft}\n', 4e-16)).to.equal(false);
  });

  it('takes the better answer where Trick has a defect, and a pattern where an answer names a host', () => {
    expect(agrees({ ...step, expect: '7\n' }, '7\n')).to.equal(true);
    expect(agrees({ ...step, expect: '7\n' }, step.recv)).to.equal(false);
    expect(agrees({ ...step, match: '^0\\t\\d' }, '0\t9')).to.equal(true);
    expect(agrees({ ...step, match: '^0\\t\\d' }, '1\t9')).to.equal(false);
  });

  it('knows no pending session that is not recorded', () => {
    const names = goldenSessions().map(({ name }) => name);
    expect(names).to.have.length(33);
    expect(names).to.include.members(Object.keys(PENDING));
  });
});
