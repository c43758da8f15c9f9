// What NASA's Trick answered, asked of an edge with varwire's fixture behind it: byte for byte, but for what
// docs/many-machines.md says does not pass.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { edge, type RunningServer, serveSource } from '../lib/index.js';
import { replay } from './golden-replay.js';
import { ServerHere, showOutputOfFailure } from './launch.js';
import { type GoldenSession, goldenSessions } from './recorded.js';

/** Events of clients are evaluated at the edge, whose variables show those of the simulation's own server. */
const OF_SHOWN_EVENTS = /\btrick_ip\.mtv\b|\bmtv_send_event_data\b/;
/** Sessions that need the simulation as it starts. */
const STARTING = new Set(['16-assignment', '37-checkpoint', '40-python-functions']);
/** The recorded simulation had one. */
const OF_INPUT_FILE = /command_line_args_get_(argc|input_file)/;
const PASSED_SECONDS = 0.2;

describe('an edge, asked what a recorded Trick session was,', () => {
  const directory = mkdtempSync(join(tmpdir(), 'varwire-edge-golden-'));
  let simulation: ServerHere | undefined;
  let served: RunningServer | undefined;
  const stop = async (): Promise<void> => {
    await served?.close();
    await simulation?.stop();
    simulation = undefined;
  };
  const ready = async ({ name, input }: GoldenSession): Promise<number> => {
    if (STARTING.has(name) || input !== undefined) await stop();
    if (!simulation) {
      const options = ['--udp', 'off', '--run-dir', 'RUN_test'];
      if (input !== undefined) {
        writeFileSync(join(directory, 'input.py'), `trick.real_time_enable()\n${input}`);
        options.push('--input', 'input.py');
      }
      simulation = await ServerHere.start('compat-tests/fixture/fixture.js', { options, directory });
      const source = await edge({ port: simulation.port });
      served = await serveSource(source, { port: 0, messages: 'off', brp: 'off', discovery: false });
      await simulation.until(PASSED_SECONDS);
    }
    return served?.port ?? 0;
  };
  afterEach(function () {
    showOutputOfFailure(this, simulation);
  });
  after(async () => {
    await stop();
    rmSync(directory, { recursive: true });
  });

  for (const session of goldenSessions())
    it(`answers as Trick did: ${session.name}, ${session.about}`, async () => {
      const port = await ready(session);
      const differences = await replay(session, port, port);
      const others = differences.filter(({ send }) => !OF_INPUT_FILE.test(send) && !OF_SHOWN_EVENTS.test(send));
      expect(others).to.deep.equal([]);
    });
});
