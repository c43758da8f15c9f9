// Events of an input file in a run as fast as possible: each acts at its exact time, as often as a real Trick's does.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { runHere } from './run-here.js';

const FIXTURE = fileURLToPath(new URL('./fixture/fixture.js', import.meta.url));

/** Seven events and what is done to them on the way; each says its name and the time whenever it acts. */
const INPUT = `
trick.real_time_disable()
trick.exec_set_software_frame(0.1)

def say(name):
    print(name, "acts at", trick.exec_get_sim_time())

def make(name):
    made = trick.new_event(name)
    made.action(0, "say('" + name + "')")
    made.action(1, name + ".activate()")
    made.set_cycle(1.0)
    made.activate()
    return made

steady = make("steady")
steady.condition(0, "fx.all.i == 42")

changed = make("changed")
changed.condition_var(0, "fx.all.i")
trick.add_read(2.0, """changed.condition(0, "False")""")
trick.add_read(2.0, """changed.action(0, "for time in range(5): say('changed')")""")
trick.add_read(4.0, """changed.condition_var(0, "fx.all.i")""")

held = make("held")
held.condition(0, "trick.exec_get_sim_time() == 1.0")
held.condition_hold_on(0)
trick.add_read(4.0, "held.condition_hold_off(0)")

both = make("both")
both.condition_var(0, "fx.all.i")
both.condition(1, "False")
both.condition_all()
trick.add_read(4.0, "both.condition_disable(1)")

on = make("on")
on.condition(0, "False")
on.manual_on()

off = make("off")
off.condition(0, "True")
off.manual_off()
trick.add_read(4.0, "off.manual_done()")

once = make("once")
trick.add_read(3.5, "once.manual_fire()")

gone = make("gone")
gone.condition_job(0, "fx.ball.move")
gone.condition_any()
gone.condition(1, "True")
trick.add_read(2.0, """trick.delete_event(gone)
print("gone is", trick.get_event("gone"))""")
trick.add_read(4.0, """gone.set_cycle(0.5)
trick.add_event(gone)""")

for event in [steady, changed, held, both, on, off, once, gone]:
    trick.add_event(event)
beside = make("beside")
beside.condition(0, "True")
trick.exec_set_job_cycle("fx.ball.move", 1, 0.5)
trick.add_event_after(beside, "fx.ball.move")

fx.all.i = 42
trick.stop(5)
`;

/** What is due within frames of a tenth of a second, and decided in simulation time. */
const WITHIN_FRAMES = `
import trick, math
trick.exec_set_software_frame(0.1)
limit = 0.55
late = trick.new_event("late")
late.condition(0, "trick.exec_get_sim_time() >= limit")
late.action(0, "print('late acts at', trick.exec_get_sim_time()); limit = 0.614; late.activate()")
late.set_cycle(0.01)
late.activate()
trick.add_event(late)
once = trick.new_event("once")
once.condition(0, "trick.exec_get_sim_time() == 0.501")
once.action(0, "print('once acts at', trick.exec_get_sim_time()); fx.all.i = 3")
once.set_cycle(0.001)
once.activate()
trick.add_event(once)
after = trick.new_event("after")
after.condition(0, "fx.all.i == 3")
after.action(0, "print('after acts at', trick.exec_get_sim_time())")
after.set_cycle(0.001)
after.activate()
trick.add_event(after)
trick.add_read(0.23, "print('read acts at', trick.exec_get_sim_time())")
trick.stop(0.7)
`;

describe('events of an input file', () => {
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'varwire-events-'));
    mkdirSync(join(directory, 'RUN_test'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const run = async (input: string): Promise<string> => {
    writeFileSync(join(directory, 'RUN_test', 'input.py'), input);
    const args = ['--no-discovery', '--port', '0', '--input', 'RUN_test/input.py'];
    return (await runHere(FIXTURE, args, directory)).log;
  };

  it('act as often and when they do in Trick, the last time at the end of the run', async () => {
    const log = await run(INPUT);
    const times = (name: string): number[] =>
      [...log.matchAll(new RegExp(`\\b${name} acts at (\\S+)`, 'g'))].map(([, seconds]) => Number(seconds));
    expect(times('steady'), log).to.deep.equal([0, 1, 2, 3, 4, 5]);
    expect(times('changed'), log).to.deep.equal([0, 1, 4, 4, 4, 4, 4, 5, 5, 5, 5, 5]);
    expect(times('held')).to.deep.equal([1, 2, 3]);
    expect(times('both')).to.deep.equal([4, 5]);
    expect(times('on')).to.deep.equal([0, 1, 2, 3, 4, 5]);
    expect(times('off')).to.deep.equal([4, 5]);
    expect(times('once')).to.deep.equal([3.5]);
    expect(times('gone')).to.deep.equal([0, 1, 4.1, 4.6]);
    expect(log).to.contain('gone is None');
    expect(times('beside')).to.deep.equal([0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5]);
  });

  for (const pace of ['enable', 'disable'])
    it(`act at their times within frames, with real_time_${pace}()`, async () => {
      const log = await run(`trick.real_time_${pace}()\n${WITHIN_FRAMES}`);
      const acts = [...log.matchAll(/^(\w+) acts at (\S+)$/gm)].map(([, name, seconds]) => `${name} ${seconds}`);
      expect(acts, log).to.deep.equal([
        ...['read 0.23', 'once 0.501', 'after 0.501', 'late 0.55', 'late 0.62', 'late 0.63', 'late 0.64'],
        ...['late 0.65', 'late 0.66', 'late 0.67', 'late 0.68', 'late 0.69', 'late 0.7'],
      ]);
    });
});
