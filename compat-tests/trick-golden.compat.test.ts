// varwire answers every byte that NASA Trick answered in the recorded sessions.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { agrees, replay } from './golden-replay.js';
import { endAfterFailure, LaunchedServer } from './launch.js';
import { type GoldenSession, goldenSessions } from './recorded.js';

/** Sessions that are not answered in full yet, with the reason. */
const PENDING: Readonly<Record<string, string>> = {};

/** Sessions that change the simulation for later ones. */
const WRITING = new Set(['15-var-set', '16-assignment', '24-freeze', '40-python-functions']);

for (const [what, simArguments] of [
  ['a recorded Trick session', []],
  ['a recorded Trick session, of a state too large to be carried whole,', ['--ballast', '4']],
] as const) {
  describe(what, () => replays(simArguments));
}

function replays(simArguments: readonly string[]): void {
  let server: LaunchedServer | undefined;
  let isTouched = false;
  let directory: string;

  before(() => {
    directory = mkdtempSync(join(tmpdir(), 'varwire-golden-'));
  });
  beforeEach(async () => {
    if (server && !isTouched && server.isRunning) return;
    await startAfresh();
  });
  afterEach(async function () {
    await endAfterFailure(this, server);
  });
  after(async () => {
    await server?.stop();
    rmSync(directory, { recursive: true });
  });

  async function startAfresh(input?: string): Promise<void> {
    await server?.stop();
    const inputFile = join(directory, 'input.py');
    if (input) writeFileSync(inputFile, input);
    const options = ['--udp', '127.0.0.1:0', '--run-dir', directory, ...(input ? ['--input', inputFile] : [])];
    server = await LaunchedServer.start('compat-tests/fixture/fixture.js', { options, simArguments });
    isTouched = false;
  }

  /** A session whose simulation had an input file, or that changes it, has a server of its own. */
  async function serverFor(session: GoldenSession): Promise<LaunchedServer> {
    if (session.input) await startAfresh(session.input);
    isTouched = session.input !== undefined || WRITING.has(session.name);
    return server as LaunchedServer;
  }

  for (const session of goldenSessions()) {
    const reason = PENDING[session.name];
    const title = `is answered byte for byte: ${session.name}, ${session.about}`;
    if (reason) {
      it(`${title} (pending: ${reason})`);
      continue;
    }
    it(title, async () => {
      const { port, udpPort } = await serverFor(session);
      const differences = await replay(session, port, udpPort);
      expect(differences).to.deep.equal([]);
    });
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
    expect(names).to.have.length(26);
    expect(names).to.include.members(Object.keys(PENDING));
  });
});
