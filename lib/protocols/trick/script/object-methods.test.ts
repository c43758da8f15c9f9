// Trick's own objects as texts call them, and what input files import and set that has nothing to do here.
import { expect } from 'chai';
import { Mode } from '../../../model/frame/header.js';
import type { MemoryConnection } from '../../../testing/aids/memory-connection.js';
import { startTrickFixture, type TrickFixture } from '../../../testing/aids/trick-server.js';

/** What comes before the bytes of one write. */
const HEAD = /^4 [12] (\d+)\n/;

describe("methods of Trick's objects", () => {
  let fixture: TrickFixture;
  let client: MemoryConnection;
  beforeEach(async () => {
    fixture = await startTrickFixture();
    client = fixture.connect();
    client.send('trick.var_set_send_stdio(True)\n');
  });
  afterEach(() => fixture.close());

  /** What a text prints, or its last line on stderr. */
  const printed = async (text: string): Promise<string> => {
    let answer = await fixture.ask(client, `${text}\n`);
    let said = '';
    for (let head = HEAD.exec(answer); head; head = HEAD.exec(answer)) {
      const end = head[0].length + Number(head[1]);
      said += answer.slice(head[0].length, end);
      answer = answer.slice(end);
    }
    return said.trim();
  };
  const lastLine = async (text: string): Promise<string> => (await printed(text)).split('\n').at(-1) ?? '';

  it('of the executive are its commands', async () => {
    expect(
      await printed('print(trick_sys.sched.set_software_frame(0.02), trick_sys.sched.get_software_frame())'),
    ).to.equal('0 0.02');
    expect(await printed('print(trick_sys.sched.set_rt_nap(False), trick_sys.sched.get_rt_nap())')).to.equal('0 0');
    expect(await printed('print(trick_sys.sched.set_freeze_command(True))')).to.equal('0');
    await printed('trick_sys.sched.freeze()');
    await fixture.pass(20);
    expect(fixture.registry.source.frame.header.mode).to.equal(Mode.freeze);
    expect(await lastLine('trick_sys.sched.set_freze_command(True)')).to.contain('AttributeError');
  });

  it('of clocks, the server, the command line, checkpoints and events are commands', async () => {
    expect(await printed('trick_real_time.itimer.enable()\nprint(trick_real_time.rt_sync.is_active())')).to.equal('1');
    expect(await printed('trick_real_time.rt_sync.disable()\nprint(trick_real_time.rt_sync.is_active())')).to.equal(
      '0',
    );
    expect(await printed('print(trick_vs.vs.get_enabled())')).to.equal('1');
    expect(await printed('print(trick_cmd_args.cmd_args.get_input_file())')).to.equal('fixture.ts');
    expect(await printed('print(trick_em.em.get_event("none"))')).to.equal('None');
    expect(await printed('print(trick_data_record.drd.get_groups_size())')).to.equal('0');
    expect(await printed('print(trick_mm.mm.var_exists("fx"))')).to.equal('1');
    await printed('trick_mm.mm.set_expanded_arrays(True)\ntrick_mm.mm.set_reduced_checkpoint(False)');
    expect(fixture.log.filter((line) => line.includes('TMM_reduced_checkpoint'))).to.have.length(1);
    expect(await printed('trick_cpr.cpr.set_pre_init_checkpoint(0)\nprint(trick_ip.ip.verify_input)')).to.equal('0');
    expect(await printed('trick_instruments.echo_jobs.echo_jobs_on()\nprint("on")')).to.equal('on');
    expect(await printed('trick_vs.vs.get_listen_thread().cpu_set(1)\nprint("on")')).to.equal('on');
    expect(await lastLine('trick_cpr.cpr.load_nothing("a")')).to.contain("module 'trick_cpr.cpr' has no attribute");
  });

  it('beside which a name of the simulation is remembered', async () => {
    const name = 'trick_message.mpublisher.sim_name';
    expect(await printed(`${name} = "ball_sim"\nprint(${name})`)).to.equal('ball_sim');
  });

  it('of threads take everything and say so once', async () => {
    const text =
      'trick.exec_get_thread(1).set_name("a")\ntrick.exec_get_thread(1).trigger_container.setThreadTrigger(trick.TT_MUTEX)';
    expect(await printed(`${text}\ntrick.data_record_cpu_set(7)\nprint("on")`)).to.equal('on');
    expect(fixture.log.filter((line) => line.includes('exec_get_thread is taken'))).to.have.length(1);
  });

  it('of Monte Carlo are refused where runs would be missing, and taken where nothing would', async () => {
    const refusal =
      'RuntimeError: an input file makes no Monte Carlo runs here; the command "varwire monte-carlo --input FILE" makes them';
    for (const text of [
      'trick.mc_set_enabled(1)',
      'trick.MonteVarRandom("x", trick.MonteVarRandom.GAUSSIAN)',
      'trick_mc.mc.add_variable(None)',
      'trick_mc.mc.add_slave("host")',
      'trick.mc_add_range(0, 2)',
    ])
      expect(await lastLine(text), text).to.equal(refusal);
    expect(await lastLine('trick.MSSocket()')).to.equal(
      'RuntimeError: a server has one simulation here; there are no masters and slaves',
    );
    const settings = 'trick.mc_set_enabled(0)\ntrick.mc_set_num_runs(10)\n';
    expect(
      await printed(`${settings}print(trick.mc_get_enabled(), trick.mc_is_slave(), trick.mc_get_slave_id())`),
    ).to.equal('0 0 0');
    expect(fixture.log.filter((line) => line.includes('mc_set_num_runs is taken'))).to.have.length(1);
  });

  it('modules of which there is the name alone are imported, and nothing in them is used', async () => {
    expect(await printed('import socket, time\nimport threading as t\nprint("on")')).to.equal('on');
    await printed('import socket');
    expect(fixture.log.filter((line) => line.includes('import socket is taken'))).to.have.length(1);
    expect(await lastLine('socket.gethostname()')).to.contain('AttributeError: there is no socket.gethostname here');
    expect(await lastLine('from time import sleep')).to.contain('there is no time.sleep here');
    expect(await lastLine('import nowhere'))
      .to.match(/there is no module nowhere here, only trick, /)
      .and.not.contain('socket');
  });
});
