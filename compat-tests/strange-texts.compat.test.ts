// Texts of strangers on a terminal: whatever a server or a simulation says is shown escaped, by every command.
import { expect } from 'chai';
import { commandHere } from './command-here.js';
import { LaunchedServer, ServerHere, showOutputOfFailure } from './launch.js';

const SIMULATION = 'compat-tests/fixture/strange.js';
/** What a terminal acts on, but for lines and tabs. */
const ACTED_ON = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const SHOWN = 'a\\x1b[2Jb\\x9b0mc\\x202ed\\x0de\\x2028f';
const IN_JSON = 'a\\u001b[2Jb\\u009b0mc\\u202ed\\re\\u2028f';

describe('texts of strangers', () => {
  let server: ServerHere;
  before(async () => {
    server = await ServerHere.start(SIMULATION, { options: ['--no-discovery', '--udp', 'off'] });
  });
  after(() => server.stop());
  afterEach(function () {
    showOutputOfFailure(this, server);
  });

  const web = () => `http://127.0.0.1:${server.port}`;
  const here = () => `127.0.0.1:${server.port}`;
  const SEND = 'trick.var_set_client_tag("t\\x1b[31m\\u202e")\nprint(o.note)\ntrick.message_publish(1, o.note)';
  const COMMANDS: readonly (readonly [what: string, args: () => readonly string[], shown?: string])[] = [
    ['get', () => ['get', here(), 'o.note'], SHOWN],
    ['get from the web', () => ['get', web(), 'o.note'], SHOWN],
    ['get of a structure', () => ['get', web(), 'o']],
    ['get as JSON', () => ['get', web(), 'o.note', '--json'], IN_JSON],
    ['get as CSV', () => ['get', web(), 'o.note', '--csv'], SHOWN],
    ['watch', () => ['watch', here(), 'o.note', '--count', '1'], 'a\\x1b[2Jb'],
    ['watch as JSON', () => ['watch', web(), 'o.note', '--count', '1', '--json'], IN_JSON],
    ['list', () => ['list', here()], 'o.note'],
    ['describe', () => ['describe', web(), 'o.note'], SHOWN],
    ['describe as JSON', () => ['describe', web(), 'o.note', '--json'], IN_JSON],
    ['types', () => ['types', here()], 'o.note'],
    ['send', () => ['send', here(), SEND], SHOWN],
    ['send as JSON', () => ['send', here(), SEND, '--json'], IN_JSON],
    ['send of what fails', () => ['send', here(), 'raise ValueError(o.note)'], SHOWN],
    ['call', () => ['call', here(), 'tell', '1'], IN_JSON],
    ['call without a function', () => ['call', here()], SHOWN],
    ['call of what fails', () => ['call', here(), 'fail'], SHOWN],
    ['messages', () => ['messages', here()], SHOWN],
    ['messages as JSON', () => ['messages', here(), '--json'], IN_JSON],
    ['messages as CSV', () => ['messages', here(), '--csv']],
    ['events', () => ['events', here()], 'e'],
    ['clients', () => ['clients', here(), '--json']],
    ['status', () => ['status', here()]],
    ['an error of the server', () => ['set', web(), 'o.x', 'a\x1b[2J'], 'a\\u001b[2J'],
  ];
  for (const [what, args, shown] of COMMANDS) {
    it(`are shown escaped by ${what}`, async () => {
      const { output, complaint } = await commandHere(args());
      const all = `${output}${complaint}`;
      expect(all).not.to.match(ACTED_ON);
      if (shown !== undefined) expect(all).to.include(shown);
    });
  }

  it('are shown escaped by a run without a server', async () => {
    const { output, complaint } = await commandHere([
      'run',
      `build/${SIMULATION}`,
      '--fast',
      '--until',
      '1',
      '--read',
      'o.note',
    ]);
    expect(`${output}${complaint}`).not.to.match(ACTED_ON);
    expect(output).to.include(`o.note\t${SHOWN}`);
    expect(complaint).to.include(SHOWN.split('\\x0d')[0]);
  });

  for (const log of ['text', 'json'])
    it(`are shown escaped in the banner, the log as ${log} and the final line of a server`, async () => {
      const launched = await LaunchedServer.start(SIMULATION, {
        options: ['--no-discovery', '--udp', 'off', '--log', log, '--verbose'],
      });
      await commandHere([
        'send',
        `127.0.0.1:${launched.port}`,
        'trick.exec_terminate_with_return(0, "f", 1, "the\\x1b[2J end")',
      ]);
      await launched.ended;
      expect(launched.output).not.to.match(ACTED_ON);
      expect(launched.output).to.include(`varwire serves strange ${SHOWN}`).and.to.include('\\x1b[2J end');
    });
});
