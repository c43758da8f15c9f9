// Input files as they are written for NASA's simulations, and the files of docs/input-files.md, run to their end.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { type RunEnd, runHere } from './run-here.js';

const ROOT = new URL('../../', import.meta.url);
const CANNON = fileURLToPath(new URL('build/sims/cannon.js', ROOT));
/** Options of each run. */
const GIVEN = ['--no-discovery', '--port', '0'];

const STYLES: Readonly<Record<string, string>> = {
  'starts displays beside a simulation in real time': `
import trick

trick.real_time_enable()
trick.exec_set_software_frame(0.01)
trick.itimer_enable()
trick.exec_set_enable_freeze(True)
trick.exec_set_freeze_command(False)
trick.var_set_copy_mode(2)

simControlPanel = trick.SimControlPanel()
simControlPanel.set_host("localhost")
trick.add_external_application(simControlPanel)
trick_view = trick.TrickView()
trick_view.set_auto_open_file("TV_ball.tv")
trick.add_external_application(trick_view)
trick.sim_control_panel_set_enabled(True)
trick.trick_view_set_enabled(True)

trick.exec_run()
trick.stop(0.2)
`,
  'looks after threads, traps and frame logs': `
trick.exec_set_trap_sigfpe(True)
trick.exec_set_trap_sigbus(1)
trick.exec_set_stack_trace(False)
trick.exec_set_attach_debugger(0)
trick.exec_set_thread_process_type(1, trick.PROCESS_TYPE_AMF_CHILD)
trick.exec_set_thread_amf_cycle_time(1, 10.0)
trick.exec_set_thread_cpu_affinity(1, 2)
trick.exec_set_thread_priority(1, 1)
trick.exec_set_lock_memory(True)
trick.exec_set_rt_nap(True)
trick.frame_log_on()
trick.checkpoint_pre_init(1)
trick.checkpoint_end(1)
trick.real_time_disable()
trick.exec_run()
trick.exec_set_terminate_time(1.0)
`,
  'sets the variable server up': `
trick.var_server_set_user_tag("VS_TEST")
trick.var_server_set_port(0)
trick.var_resolve_hostname(False)
trick.var_set_ip_check_bypass(True)
trick.var_allow_connections()
trick.var_server_create_udp_socket("localhost", 0)
trick.var_server_create_tcp_socket(trick.var_server_get_hostname(), 0)
trick.set_var_server_info_msg_on()
trick.exec_run()
trick.exec_set_terminate_time(0.5)
`,
  'starts a display that is not built, and takes the older module': `
import trick.sim_services
exec(open("Modified_data/realtime.py").read())
varServerPort = trick.var_server_get_port();
display_path = "models/graphics/build/Display.jar"
trick.var_allow_all_connections()
if (os.path.isfile(display_path)) :
    display_cmd = "java -jar " \\
                   + display_path \\
                   + " " + str(varServerPort) + " &" ;
    print(display_cmd)
    os.system( display_cmd);
else :
    print('==================================================')
    print('Display needs to be built. Please \\"cd\\" into ../models.')
dyn.cannon.init_angle = trick.sim_services.attach_units("degree" , 30.0) ;
dyn.cannon.pos = trick.sim_services.attach_units("m" , [5.0 , 5.0])
trick.exec_set_freeze_command(False)
trick.exec_run()
trick.sim_services.exec_set_terminate_time(0.2)
`,
  'records by loops, saves at a time and checks what it expects': `
from trick.unit_test import *
from array import array

def main():
    drg0 = trick.DRAscii("Ball")
    for param in [ 'pos' , 'vel' ] :
        for index in range(0,2) :
            var = "dyn.cannon." + param + "[" + str(index) + "]"
            drg0.add_variable(var)
    drg0.set_cycle(0.01)
    drg0.freq = trick.DR_Always
    drg0.thisown = 0
    trick.add_data_record_group(drg0, trick.DR_Buffer)
    trick.real_time_disable()
    trick.remove_all_external_applications()
    trick.checkpoint_pre_init(True)
    trick.checkpoint(0.1)
    trick_utest.unit_tests.enable() ;
    trick_utest.unit_tests.set_file_name( os.getenv("TRICK_HOME") + "/trick_test/SIM_x.xml" ) ;
    expected = array('f')
    expected.append(1.0)
    trick.add_read(0.1, '''
TRICK_EXPECT_NEAR(trick.exec_get_sim_time(), 0.1, 0.000001 , "Cannon" , "Time" )
''')
    trick.exec_run()
    trick.stop(0.2);

if __name__ == "__main__":
    main()
`,
  'switches jobs and says what it does': `
import trick, sys

def halve(name):
    period = trick.exec_get_job_cycle(name)
    if trick.exec_set_job_cycle(name, 1, 2 * period) != 0:
        sys.stdout.write("no job " + name)

halve("fly")
print(trick.exec_set_job_onoff("fly", 1, True), trick.exec_get_job_cycle("fly"))
trick.message_publish(trick.MSG_INFO, "set up from " + trick.command_line_args_get_input_file() + "\\n")
trick.add_read(0.3, """
if trick.exec_get_mode() == 5 :
    trick.exec_set_sim_object_onoff("dyn", True) ;
""")
trick.exec_run()
trick.stop(0.5)
`,
};

describe('an input file', () => {
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'varwire-styles-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  function write(name: string, text: string): void {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), text);
  }

  const run = (simulation: string, options: readonly string[]): Promise<RunEnd> =>
    runHere(simulation, [...GIVEN, ...options], directory);
  const runInput = (text: string): Promise<RunEnd> => {
    write('RUN_test/input.py', text);
    return runHere(CANNON, [...GIVEN, '--input', 'RUN_test/input.py'], directory);
  };

  for (const [what, text] of Object.entries(STYLES)) {
    it(`that ${what} runs to its end`, async () => {
      write(
        'Modified_data/realtime.py',
        STYLES['starts displays beside a simulation in real time']?.split('simControl')[0] ?? '',
      );
      const { code, log } = await runInput(text);
      expect(log).to.not.match(/Error|line \d+/);
      expect(code, log).to.equal(0);
    });
  }

  it('says once what it asks for that does nothing here', async () => {
    const { log } = await runInput(
      'for k in range(3):\n    trick.itimer_enable()\ntrick.exec_run()\ntrick.stop(0.1)\n',
    );
    expect(log.match(/trick\.itimer_enable is taken and does nothing: /g)).to.have.length(1);
  });

  it('says at which line a command is refused, in a file that it includes too, and goes on', async () => {
    write('Modified_data/more.py', 'x = 1\ntrick.var_set("nope", 1)\n');
    const { code, log } = await runInput(
      [
        'trick.exec_run()',
        'exec(open("Modified_data/more.py").read())',
        'def main():',
        '    trick.var_set("dyn.cannon.nosuch", 1)',
        'main()',
        'trick.exec_set_software_frame(-1)',
        'trick.stop(0.1)',
        '',
      ].join('\n'),
    );
    expect(log).to.match(/^Modified_data\/more\.py, line 2: there is no object nope$/m);
    expect(log).to.match(/^RUN_test\/input\.py, line 4: dyn\.cannon has no member nosuch/m);
    expect(log).to.match(/^RUN_test\/input\.py, line 6: a software frame is a time in seconds/m);
    expect(code).to.equal(0);
  });

  it('ends with exit code 1 and the line where a value would end a Trick simulation', async () => {
    const { code, log } = await runInput('x = 1\ntrick.var_set("dyn.cannon.pos", "text")\n');
    expect(log).to.match(/File "RUN_test\/input\.py", line 2, in <module>\nTypeError: /);
    expect(code).to.equal(1);
  });

  it('of the documentation runs with its command and leaves its recording', async () => {
    const page = readFileSync(new URL('docs/input-files.md', ROOT), 'utf8');
    // A block that begins with a file's name is that file.
    const files = [...page.matchAll(/```python\n(# (\S+\.py)\n.*?)```/gs)];
    expect(files).to.have.length(5);
    for (const [, text = '', name = ''] of files) write(name, text);
    const [, command = ''] = /```sh\nvarwire run (.*?)\n```/.exec(page) ?? [];
    const [simulation = '', ...options] = command.split(' ');
    expect(simulation).to.equal('sims/cannon');
    const { code, log } = await run(CANNON, options);
    expect(code, log).to.equal(0);
    expect(log).to.match(/^at 2 s the ball is 51\.\d+ m high$/m);
    const rows = readFileSync(join(directory, 'RUN_test/log_flight.csv'), 'utf8').trim().split('\n');
    expect(rows).to.have.length.within(52, 54);
    write('RUN_files/angles.txt', '30.0\n45.0\n');
    const second = await run(CANNON, ['--input', 'RUN_files/input.py']);
    expect(second.code, second.log).to.equal(0);
    expect(readFileSync(join(directory, 'RUN_files/log_flight.csv'), 'utf8')).to.contain('0.1,');
  });
});
