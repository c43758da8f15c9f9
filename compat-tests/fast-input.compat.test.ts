// `varwire run --fast --input`: the run of an input file without a server is the run that a server makes.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { commandHere } from './command-here.js';
import { runHere } from './run-here.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CANNON = fileURLToPath(new URL('../sims/cannon.js', import.meta.url));
const RECORD = `
group = trick.DRAscii("flight")
group.set_cycle(0.1)
for name in ["pos[0]", "pos[1]", "vel[1]", "time"]:
    group.add_variable("dyn.cannon." + name)
trick.add_data_record_group(group)
trick.exec_run()
`;
/** By what they show: an input file, and what it prints. */
const FILES: Readonly<Record<string, readonly [text: string, said: RegExp]>> = {
  'reads at their times': [
    `trick.add_read(0.25, """print("read", trick.exec_get_sim_time())
dyn.cannon.pos0[1] = 1000""")
trick.add_read(1.0, """dyn.cannon.pos0[1] = 2000""")`,
    /^read 0\.25$/m,
  ],
  'events with conditions and actions': [
    `event = trick.new_event("falls")
event.set_cycle(0.05)
event.condition(0, "dyn.cannon.vel[1] < 0")
event.action(0, "print('falls', trick.exec_get_sim_time())")
event.action(1, "dyn.cannon.vel0[1] = dyn.cannon.vel0[1] + 20")
event.activate()
trick.add_event(event)
again = trick.new_event("again")
again.set_cycle(0.5)
again.condition(0, "True")
again.condition_hold_on(0)
again.action(0, "count = count + 1\\nprint('count', count)")
again.activate()
trick.add_event(again)
count = 0`,
    /^count 1$[\s\S]*^falls [\d.]+$/m,
  ],
  'jobs that are switched, checkpoints and other frames': [
    `trick.exec_set_software_frame(0.05)
trick.checkpoint("before")
trick.add_read(1.0, """trick.checkpoint("later")""")
trick.add_read(2.0, """trick.exec_set_job_onoff("dyn.cannon_analytic", 1, False)
print("off", trick.exec_get_sim_time())""")`,
    /^off 2(\.0)?$/m,
  ],
};

describe('an input file without a server', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(ROOT, 'build', 'fast-input-'));
    mkdirSync(join(directory, 'RUN_test'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const write = (text: string) => writeFileSync(join(directory, 'RUN_test/input.py'), text);
  const rows = () => readFileSync(join(directory, 'RUN_test/log_flight.csv'), 'utf8');
  const fast = (...options: readonly string[]) =>
    commandHere(['run', CANNON, '--fast', '--input', 'RUN_test/input.py', ...options], {}, directory);
  /** What the file says. */
  const said = (log: string) => log.split('\n').filter((line) => line !== '' && !line.startsWith('varwire: '));

  for (const [what, [text, prints]] of Object.entries(FILES)) {
    it(`gives the states that a server gives, with ${what}`, async () => {
      write(`trick.real_time_disable()\n${RECORD}${text}\ntrick.stop(3.0)\n`);
      const served = await runHere(
        CANNON,
        ['--no-discovery', '--port', '0', '--input', 'RUN_test/input.py'],
        directory,
      );
      const servedRows = rows();
      rmSync(join(directory, 'RUN_test/log_flight.csv'));
      const { code, complaint } = await fast('--seed', '0');
      expect(complaint).to.match(prints);
      expect([code, said(complaint)]).to.deep.equal([served.code, said(served.log)]);
      expect(rows()).to.equal(servedRows);
      expect(servedRows.split('\n').length).to.be.above(25);
    });
  }

  it('ends at the time of the file or of the command, after which the command sets', async () => {
    write(
      `${RECORD}dyn.cannon.init_angle = 1\ntrick.real_time_enable()\ntrick.var_server_create_tcp_socket("", 7999)\n`,
    );
    const endless = await fast();
    expect([endless.code, endless.output]).to.deep.equal([1, '']);
    expect(endless.complaint).to.match(/varwire: a run needs a time to end: untilSeconds \(--until\)/);
    const given = await fast(
      '--until',
      '0.5',
      '--set',
      'dyn.cannon.init_angle{degree}=90',
      '--read',
      'dyn.cannon.init_angle',
    );
    expect([given.code, given.output]).to.deep.equal([0, `dyn.cannon.init_angle\t${Math.PI / 2}\n`]);
    expect(given.complaint).to.match(/^real_time_enable is taken: without a server nothing paces the run\n/);
    expect(given.complaint).to.include('a run without a server opens no ports');
    expect(given.complaint).to.match(/varwire: 0\.5 s simulated in [\d.]+ s\n$/);
  });

  it('ends with the code and the sentence of the file', async () => {
    for (const [text, code, sentence] of [
      ['trick.exec_terminate_with_return(3, "input.py", 1, "enough")', 3, /: terminated with code 3: enough/],
      [
        'trick.exec_run()\ntrick.add_read(0.5, """trick.exec_terminate_with_return(4, "input.py", 1, "later")""")\ntrick.stop(9)',
        4,
        /varwire: 0\.5 s simulated in [\d.]+ s: terminated with code 4/,
      ],
      ['x = 1\ndyn.cannon.nope = 2', 1, /File "RUN_test\/input\.py", line 2[\s\S]*AttributeError/],
      ['trick.exec_run()\ntrick.freeze(0.5)\ntrick.stop(9)', 0, /varwire: 0\.5 s simulated in .* it has frozen itself/],
    ] as const) {
      write(text);
      const ended = await fast();
      expect(ended.code, text).to.equal(code);
      expect(ended.complaint).to.match(sentence);
    }
    const none = await commandHere(['run', CANNON, '--fast', '--input', 'RUN_test/nosuch.py'], {}, directory);
    expect(none.code).to.equal(1);
    expect(none.complaint).to.match(/^varwire: there is no input file RUN_test\/nosuch\.py/);
  });
});
