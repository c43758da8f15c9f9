// Trick's own variables as clients see them.
import { expect } from 'chai';
import { Mode } from '../../../model/frame/header.js';
import { double } from '../../../model/state/declare.js';
import { TestRun } from '../../../testing/aids/simulation-run.js';

const SCHED = 'trick_sys.sched';
const NO_END = 2n ** 63n - 2n;

describe("the executive's variables", () => {
  it("have Trick's types", async () => {
    const { catalog } = await TestRun.start({});
    const kinds = {
      sim_start: 'double',
      terminate_time: 'long long',
      time_tic_value: 'int',
      time_tics: 'long long',
      software_frame: 'double',
      freeze_frame: 'double',
      frame_count: 'long long',
      freeze_frame_count: 'long long',
    };
    for (const [name, kind] of Object.entries(kinds)) {
      expect(catalog.find(`${SCHED}.${name}`)?.type, name).to.deep.include({ kind: 'number', name: kind });
    }
    expect(catalog.find(`${SCHED}.mode`)?.type).to.include({ kind: 'enumeration' });
    expect(catalog.find('trick_real_time.rt_sync.active')?.type).to.deep.include({ kind: 'number', name: 'bool' });
    expect(catalog.find('trick_real_time.rt_sync.total_overrun')?.type).to.deep.include({
      kind: 'number',
      name: 'int',
    });
  });

  it('have what every object of Trick has, and what its scheduler tells of the simulation', async () => {
    const run = await TestRun.start({}, (sim) => void sim.object('a').component('id', double(), 5));
    for (const name of ['trick_sys', 'trick_vs', 'trick_ip', 'trick_message', 'trick_real_time', 'trick_cmd_args'])
      expect(run.last.value(`${name}.name`)).to.equal(name);
    expect(run.last.value('trick_real_time.id')).to.equal((run.last.value('trick_sys.id') as number) + 1);
    const objects = run.catalog.objects.length;
    expect(run.last.value(`${SCHED}.num_sim_objects`)).to.equal(objects);
    expect(run.last.value(`${SCHED}.current_version`)).to.match(/^25\./);
    expect(run.last.value(`${SCHED}.initialization_complete`)).to.equal(true);
    expect(run.last.value(`${SCHED}.old_time_tic_value`)).to.equal(1_000_000);
  });

  it('show the frame they are in', async () => {
    const run = await TestRun.start({});
    run.ticks(370);
    const { last } = run;
    expect(last.value(`${SCHED}.time_tics`)).to.equal(3_700_000n);
    expect(last.value(`${SCHED}.frame_count`)).to.equal(370n);
    expect(last.value(`${SCHED}.mode`)).to.equal(Mode.run);
    expect(last.value(`${SCHED}.time_tic_value`)).to.equal(1_000_000);
    expect(last.value(`${SCHED}.software_frame`)).to.equal(0.01);
    expect(last.value(`${SCHED}.terminate_time`)).to.equal(NO_END);
  });

  it('show one frame more in a scheduled copy', async () => {
    const run = await TestRun.start({});
    run.ask({ kind: 'schedule', periodTics: 100_000, hold: true });
    run.ticks(561);
    const copy = run.frames.find(({ header }) => header.timeTics === 5_600_000 && header.reason === 3);
    expect(copy?.value(`${SCHED}.frame_count`)).to.equal(561n);
    expect(copy?.value(`${SCHED}.time_tics`)).to.equal(5_600_000n);
  });

  it('show the modes by number, exit included', async () => {
    const run = await TestRun.start({ startFrozen: true });
    expect(run.last.value(`${SCHED}.mode`)).to.equal(1);
    run.ask({ kind: 'control', control: { action: 'step', frames: 2 } });
    expect(run.last.value(`${SCHED}.mode`)).to.equal(4);
    run.ask({ kind: 'control', control: { action: 'stop' } });
    expect(run.last.value(`${SCHED}.mode`)).to.equal(6);
  });

  it('count freeze frames', async () => {
    const run = await TestRun.start({ startFrozen: true });
    run.pass(3500);
    expect(run.last.value(`${SCHED}.freeze_frame_count`)).to.equal(3n);
  });

  it('set the frames and the terminate time as the commands do', async () => {
    const run = await TestRun.start({});
    run.write(`${SCHED}.software_frame`, 0.02);
    run.write(`${SCHED}.freeze_frame`, 0.25);
    run.write(`${SCHED}.terminate_time`, 50_000n);
    expect(run.last.value(`${SCHED}.software_frame_tics`)).to.equal(20_000n);
    expect(run.last.value(`${SCHED}.freeze_frame`)).to.equal(0.25);
    run.ticks(3);
    expect([run.last.header.timeTics, run.last.header.mode]).to.deep.equal([60_000, Mode.exit]);
  });

  it('take the time without end', async () => {
    const run = await TestRun.start({ terminateSeconds: 5 });
    expect(run.last.value(`${SCHED}.terminate_time`)).to.equal(5_000_000n);
    run.write(`${SCHED}.terminate_time`, 2n ** 63n - 1n);
    expect(run.last.value(`${SCHED}.terminate_time`)).to.equal(NO_END);
  });

  it('refuse values that make no sense and change nothing', async () => {
    const run = await TestRun.start({});
    run.ticks(5);
    expect(run.write(`${SCHED}.software_frame`, 0)).to.deep.equal({
      error: 'a software frame is a time in seconds from 1e-6 up, not 0',
    });
    run.ticks(1);
    expect(run.last.value(`${SCHED}.software_frame`)).to.equal(0.01);
    expect(run.last.value(`${SCHED}.terminate_time`)).to.equal(NO_END);
  });

  it('remember switches that clients set, as they are in Trick at the start', async () => {
    const run = await TestRun.start({});
    const names = ['enable_freeze', 'rt_nap', 'trap_sigfpe', 'trap_sigsegv', 'stack_trace', 'attach_debugger'];
    const values = () => names.map((name) => run.last.value(`${SCHED}.${name}`));
    expect(values()).to.deep.equal([true, true, false, true, true, false]);
    run.write(`${SCHED}.rt_nap`, false);
    run.ticks(2);
    expect(values()).to.deep.equal([true, false, false, true, true, false]);
  });

  it('are read-only where Trick computes them', async () => {
    const run = await TestRun.start({});
    for (const name of ['time_tics', 'mode', 'frame_count', 'software_frame_tics', 'exec_command']) {
      expect(run.write(`${SCHED}.${name}`, 1)).to.deep.equal({ error: `${SCHED}.${name} is read-only` });
    }
  });

  it('switch real time by its two commands', async () => {
    const run = await TestRun.start({});
    run.write('trick_real_time.rt_sync.disable_flag', true);
    expect(run.last.value('trick_real_time.rt_sync.active')).to.equal(false);
    expect(run.last.value('trick_real_time.rt_sync.disable_flag')).to.equal(false);
    run.write('trick_real_time.rt_sync.enable_flag', 1);
    expect(run.last.value('trick_real_time.rt_sync.active')).to.equal(true);
    expect(run.write('trick_real_time.rt_sync.active', 0)).to.deep.equal({
      error: 'trick_real_time.rt_sync.active is read-only',
    });
  });

  it('show overruns and the ratio that is reached', async () => {
    const run = await TestRun.start({}, (sim) => {
      sim.object('o').component('x', double());
      sim.job(0.01, () => {
        run.nowMillis += 20;
      });
    });
    run.pass(4000);
    // 4 s hold 200 frames; whether the last one is late is known only after it has been published.
    expect(run.last.value('trick_real_time.rt_sync.total_overrun')).to.be.within(198, 200);
    expect(run.last.value('trick_real_time.rt_sync.actual_run_ratio')).to.be.closeTo(0.5, 0.01);
  });

  it('name what the simulation was started from, with a run directory that is never empty', async () => {
    const { last } = await TestRun.start({});
    const args = ['default_dir', 'cmdline_name', 'input_file', 'run_dir'].map((name) =>
      last.value(`trick_cmd_args.cmd_args.${name}`),
    );
    expect(args).to.deep.equal(['/sims', 'varwire', 'test.js', 'RUN_test']);
  });
});
