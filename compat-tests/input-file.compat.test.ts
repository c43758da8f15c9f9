// `varwire run --input`: a Trick input file before the first frame, as a user runs it.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { PATIENCE_MILLIS } from '../lib/testing/aids/patience.js';
import { runHere } from './run-here.js';
import { WireClient } from './wire-client.js';

const COMMAND = fileURLToPath(new URL('../lib/clients/cli/main.js', import.meta.url));
const CANNON = fileURLToPath(new URL('../sims/cannon.js', import.meta.url));

interface Ended {
  readonly code: number;
  readonly complaint: string;
}

/** Options of each run. */
const GIVEN = ['--no-discovery', '--input', 'RUN_test/input.py'];

describe('an input file', () => {
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'varwire-input-'));
    mkdirSync(join(directory, 'RUN_test'));
    mkdirSync(join(directory, 'Modified_data'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const write = (name: string, ...lines: readonly string[]) => writeFileSync(join(directory, name), lines.join('\n'));

  /** Runs the cannon with an input file to its end, as a process. */
  const command = (file: string): Promise<Ended> => {
    const args = [COMMAND, 'run', CANNON, '--no-discovery', '--port', '0', '--input', file];
    return new Promise((resolve) => {
      execFile(process.execPath, args, { cwd: directory, timeout: PATIENCE_MILLIS }, (error, _, complaint) =>
        resolve({ code: error ? Number(error.code) : 0, complaint }),
      );
    });
  };
  /** The same in this process. */
  const run = async (...options: readonly string[]): Promise<Ended> => {
    const { code, log } = await runHere(CANNON, [...GIVEN, '--port', '0', ...options], directory);
    return { code, complaint: log };
  };

  it('runs as fast as it can until it asks for real time, and says so', async () => {
    const LONG_SECONDS = 300;
    write('RUN_test/input.py', 'trick.exec_run()', `trick.stop(${LONG_SECONDS})`);
    const startMillis = performance.now();
    const { code, complaint } = await run();
    expect([code, (performance.now() - startMillis) / 1000 < LONG_SECONDS / 10]).to.deep.equal([0, true]);
    expect(complaint).to.match(/^the simulation runs as fast as it can; trick\.real_time_enable\(\) in the input file/);
    write('RUN_test/input.py', 'trick.exec_run()', 'trick.real_time_enable()', 'trick.stop(0.3)');
    const pacedMillis = performance.now();
    expect(await run()).to.deep.equal({ code: 0, complaint: '' });
    expect(performance.now() - pacedMillis).to.be.above(300);
  });

  it('that shows variables to nobody, and then fails or terminates, ends the command all the same, with its code', async () => {
    write('RUN_test/fails.py', 'trick.var_add("dyn.cannon.pos")', 'no_such_name()');
    write(
      'RUN_test/ends.py',
      'trick.exec_run()',
      'trick.var_add("dyn.cannon.pos")',
      'trick.add_read(0.1, """trick.exec_terminate_with_return(3, "input.py", 1, "enough")""")',
    );
    const [failed, ended] = await Promise.all([command('RUN_test/fails.py'), command('RUN_test/ends.py')]);
    expect([failed.code, ended.code]).to.deep.equal([1, 3]);
    expect(failed.complaint).to.include("NameError: name 'no_such_name' is not defined");
  });

  it('sets a simulation up before its first frame, and the run is the same every time', async () => {
    write(
      'Modified_data/record.py',
      'group = trick.DRAscii("flight")',
      'group.set_freq(trick.DR_Always)',
      'group.set_cycle(0.05)',
      'group.add_variable("dyn.cannon.pos[1]")',
      'trick.add_data_record_group(group, trick.DR_Buffer)',
    );
    write(
      'RUN_test/input.py',
      'import trick, sys, math',
      'exec(open("Modified_data/record.py").read())',
      'def main():',
      '    trick.real_time_disable()',
      '    trick.exec_set_enable_freeze(True)',
      '    trick.exec_set_software_frame(0.05)',
      '    trick.exec_run()',
      '    dyn.cannon.init_angle = math.pi / 2',
      '    trick.cannon_init(dyn.cannon)',
      '    trick.add_read(0.5, """dyn.cannon.pos0[1] = 1000',
      'print("lifted at", trick.exec_get_sim_time())""")',
      '    trick.stop(1.0)',
      '',
      'if __name__ == "__main__":',
      '    main()',
      '',
    );
    const rows: string[] = [];
    for (let time = 0; time < 2; time++) {
      const { code, complaint } = await run();
      expect(complaint).to.contain('lifted at 0.5');
      expect(code).to.equal(0);
      rows.push(readFileSync(join(directory, 'RUN_test', 'log_flight.csv'), 'utf8'));
    }
    expect(rows[1]).to.equal(rows[0]);
    const heights = (rows[0] as string)
      .trim()
      .split('\n')
      .slice(1)
      .map((row) => row.split(',').map(Number));
    expect(heights).to.have.length(21);
    // The job at 0.5 s is the first that sees the change.
    const lifted = heights.filter(([, height = 0]) => height > 900).map(([seconds]) => seconds);
    expect(lifted[0]).to.equal(0.5);
    expect(heights[1]?.[1]).to.be.within(2.4, 5.1);
  });

  it('chooses the port, starts frozen, and shows where it is from', async () => {
    const port = 10_000 + (process.pid % 20_000);
    write(
      'RUN_test/input.py',
      `trick.var_server_set_port(${port})`,
      'trick.exec_set_freeze_command(True)',
      'trick.var_server_set_user_tag("mine")',
      'mine = trick.new_event("mine")',
      'trick.add_event(mine)',
      '',
    );
    const args = [COMMAND, 'run', CANNON, '--no-discovery', '--udp', 'off', '--input', 'RUN_test/input.py'];
    const child = execFile(process.execPath, args, { cwd: directory });
    try {
      await new Promise((resolve) => child.stdout?.once('data', resolve));
      const client = await WireClient.tcp(port);
      // The port is open before the simulation is initialised, whose mode is 0 until then.
      do client.send('trick.var_send_once("trick_sys.sched.mode")\n');
      while ((await client.line()) === '5\t0');
      client.send(
        'trick.var_send_once("trick_cmd_args.cmd_args.input_file, trick_cmd_args.cmd_args.run_dir, trick_sys.sched.mode, trick_sys.sched.time_tics, trick_ip.mtv.mtv_count", 5)\n',
      );
      expect(await client.line()).to.equal('5\tRUN_test/input.py\tRUN_test\t1\t0\t1');
      client.close();
    } finally {
      child.kill();
      await new Promise((resolve) => child.once('exit', resolve));
    }
  });

  const failures: readonly (readonly [what: string, text: string, complaint: RegExp])[] = [
    [
      'does not parse',
      'x = 1\ny = (2\n',
      /^varwire: RUN_test\/input.py ends with an error:\n {2}File "RUN_test\/input.py", line 2\n {4}y = \(2\n {8}\^\nSyntaxError: '\(' was never closed\n$/,
    ],
    [
      'fails',
      'def main():\n    trick.stopp(1)\nmain()\n',
      /\nTraceback \(most recent call last\):\n {2}File "RUN_test\/input.py", line 2, in <module>\nAttributeError: module 'trick' has no attribute 'stopp'; did you mean stop\?\n$/,
    ],
    [
      'includes a file that fails',
      'exec(open("Modified_data/bad.py").read())\n',
      /\n {2}File "Modified_data\/bad.py", line 2, in <module>\nNameError: name 'nosuch' is not defined\n$/,
    ],
    [
      'includes a file that is not there',
      'exec(open("none.py").read())\n',
      /FileNotFoundError: there is no file none.py\n$/,
    ],
    [
      'includes a file from elsewhere',
      'exec(open("/etc/hostname").read())\n',
      /FileNotFoundError: \/etc\/hostname is neither below the working directory nor beside RUN_test\/input.py\n$/,
    ],
    [
      'writes a file',
      'open("Modified_data/bad.py", "w").write("x = 1")\n',
      /OSError: Modified_data\/bad.py is not opened: files are only read here, with mode 'r' or 'rb'\n$/,
    ],
    [
      'runs a text that is no file',
      'exec("x = 1")\n',
      /RuntimeError: exec\(\) takes a text that open\(\) has read from a file, as it is, and no other\n$/,
    ],
    ['imports what is not here', 'import subprocess\n', /ImportError: there is no module subprocess here/],
    ['reaches for the host', 'import os\nos.system("true")\n', /AttributeError: module 'os' has no attribute 'system'/],
  ];
  for (const [what, text, complaint] of failures) {
    it(`that ${what} ends the command with Python's words and exit code 1`, async () => {
      write('Modified_data/bad.py', 'x = 1', 'nosuch', '');
      write('RUN_test/input.py', text);
      const { code, log } = await runHere(CANNON, [...GIVEN, '--port', '0'], directory);
      expect(log).to.match(complaint);
      expect(code).to.equal(1);
    });
  }

  it('runs the example of its language, and expectations', async () => {
    const page = readFileSync(new URL('../../docs/input-files.md', import.meta.url), 'utf8');
    const blocks = [...page.matchAll(/^```python\n(.*?)^```$/gms)].map(([, block = '']) => block);
    const example = blocks.find((block) => block.includes('def aim')) ?? '';
    const expectations =
      'from trick.unit_test import *\nTRICK_EXPECT_NEAR(dyn.cannon.init_angle, math.pi / 4, 1e-9, "cannon", "aimed")\n' +
      'TRICK_EXPECT_EQ(1, 2, "cannon", "wrong")\ntrick.exec_run()\ntrick.real_time_disable()\ntrick.stop(0.1)\n';
    write('RUN_test/input.py', example + expectations);
    const { code, complaint } = await run();
    expect(complaint).to.contain(
      'aimed at 30.0 degrees, 10 m/s; aimed at 45.0 degrees, 30 m/s\n' +
        "30 m/s [0 m, 0 m] <class 'swig_double.swig_double'>\n" +
        'TRICK_EXPECT_EQ failed in cannon wrong: 1, 2\n',
    );
    expect(code).to.equal(0);
  });

  it('that is not there ends the command with one sentence', async () => {
    expect(await run()).to.deep.equal({
      code: 1,
      complaint: 'varwire: there is no input file RUN_test/input.py\n',
    });
  });
});
