// Events over a simulation that runs by the test's clock, made and changed by clients.
import { expect } from 'chai';
import type { Sim } from '../../../simulation/executive/simulation.js';
import type { MemoryConnection } from '../../../testing/aids/memory-connection.js';
import { settle, startTrickFixture, type TrickFixture } from '../../../testing/aids/trick-server.js';
import { EventTable } from '../events/event-table.js';
import { EventLoop } from './event-loop.js';
import type { Scripts } from './scripts.js';

describe('events of a server', () => {
  let fixture: TrickFixture;
  let client: MemoryConnection;
  let other: MemoryConnection;
  const ask = (text: string, by = client) => fixture.ask(by, text);
  const input = (text: string) => fixture.frontEnd.runInput({ name: 'input.py', text });
  const shown = async (members: string, at = 'mtv_list[0][0].'): Promise<string> => {
    const names = members.split(' ').map((member) => `trick_ip.mtv.${at}${member}`);
    return (await ask(`trick.var_send_once("${names.join()}", ${names.length})\n`)).trimEnd().slice(2);
  };
  const RISE = [
    'rise = trick.new_event("rise")',
    'rise.condition(0, "fx.all.i > 10", "above ten")',
    'rise.action(0, "fx.all.d = fx.all.d + 1")',
    'rise.set_cycle(0.01)',
    'trick.add_event(rise)',
    'rise.activate()\n',
  ].join('\n');

  let flights: number[];
  const build = (sim: Sim): void => {
    sim.job(0.02, () => flights.push(sim.timeSeconds) % 2 === 0, { name: 'fly' });
  };

  beforeEach(async () => {
    flights = [];
    fixture = await startTrickFixture({ build });
    [client, other] = [fixture.connect(), fixture.connect()];
  });
  afterEach(() => fixture.close());

  it('fire when a condition holds, and their writes show in later frames', async () => {
    await ask(RISE);
    await fixture.pass(30);
    expect(await shown('active added fired_count ran_count fired_time')).to.equal('1\t1\t0\t0\t-1');
    await ask('fx.all.i = 11\n');
    await fixture.pass(30);
    expect(await ask('trick.var_send_once("fx.all.d")\n')).to.equal('5\t3.5\n');
    expect(await shown('active fired_count ran_count')).to.equal('0\t1\t1');
    expect(await shown('condition_list[0][0].fired_count action_list[0][0].ran_count')).to.equal('1\t1');
    const [fired, ran] = (await shown('fired_time ran_time')).split('\t').map(Number);
    expect(fired).to.equal(ran).and.to.be.within(0.03, 0.05);
  });

  it('are known by their names to every session', async () => {
    await ask(RISE);
    await ask(
      'rise.deactivate()\nrise.condition_disable(0); rise.action_disable(0)\nrise.condition_hold_on(0)\n',
      other,
    );
    expect(await shown('active')).to.equal('0');
    expect(await shown('enabled hold', 'mtv_list[0][0].condition_list[0][0].')).to.equal('0\t1');
    expect(await shown('enabled', 'mtv_list[0][0].action_list[0][0].')).to.equal('0');
  });

  it('fire by hand at once, also in freeze and when they were never added', async () => {
    await ask(RISE);
    await fixture.pass(30);
    await ask('trick.exec_freeze()\n');
    await fixture.pass(20);
    const before = Number(await shown('ran_count'));
    other.send('rise.manual_fire()\ntrick.var_send_once("fx.all.d")\n');
    expect(await fixture.answer(other)).to.equal('5\t3.5\n');
    expect(await shown('manual manual_fired ran_count fired_count active')).to.equal(`1\t0\t${before + 1}\t1\t1`);
    await ask('never = trick.new_event("never")\nnever.action(0, "fx.all.i = 77")\nnever.manual_fire()\n', other);
    await fixture.pass(2);
    expect(await ask('trick.var_send_once("fx.all.i")\n')).to.equal('5\t77\n');
    await ask('rise.manual_done()\n', other);
    expect(await shown('manual')).to.equal('0');
  });

  it('are fired by hand within the block that asks, whoever asks', async () => {
    await ask(RISE);
    await ask('trick.add_read(0.02, """rise.manual_fire()\nfx.all.i = int(fx.all.d)""")\n');
    await fixture.pass(40);
    expect(await ask('trick.var_send_once("fx.all.d, fx.all.i", 2)\n')).to.equal('5\t3.5\t3\n');
  });

  it('fire themselves by hand only so deep, and the log says so', async () => {
    await ask('self = trick.new_event("self")\nself.action(0, "self.manual_fire()")\ntrick.add_event(self)\n');
    await ask('self.manual_fire()\n');
    await fixture.pass(5);
    expect(fixture.log.join()).to.match(/RecursionError/);
    expect(await ask('trick.var_exists("fx")\n', other)).to.equal('1\t1\n');
  });

  it('are switched by their names in functions of the module', async () => {
    await ask(RISE);
    await ask('trick.deactivate_event("rise")\ntrick.manual_on("rise")\n', other);
    expect(await shown('active manual manual_fired hold')).to.equal('0\t1\t1\t1');
    await ask('trick.manual_off("rise")\n', other);
    expect(await shown('manual manual_fired hold')).to.equal('1\t0\t0');
    await ask('trick.manual_done("rise")\ntrick.activate_event("rise")\n', other);
    expect(await shown('active manual')).to.equal('1\t0');
    await ask('trick.manual_fire("rise")\ntrick.manual_fire("none")\n', other);
    await fixture.pass(2);
    expect(await shown('ran_count')).to.equal('1');
  });

  it('are found by their names once they are added', async () => {
    await ask('trick.var_set_send_stdio(True)\n');
    expect(await ask('a = trick.new_event("a")\nprint(trick.get_event("a"))\n')).to.match(/None/);
    await ask('trick.add_event(a)\n');
    expect(await ask('print(trick.get_event("a").get_name())\n')).to.match(/\na4/);
    expect(await ask('a.set_cycle(0.25)\nprint(a.get_cycle())\n')).to.match(/\n0\.254/);
    expect(await ask('print(trick.new_event("a"))\n')).to.match(/None/);
  });

  it('say each firing when they are told to', async () => {
    await input('trick.set_event_info_msg_on()\n');
    await ask(`${RISE}fx.all.i = 11\n`);
    await fixture.pass(30);
    expect(fixture.log.filter((line) => /\d+\.\d{6} event rise fired/.test(line))).to.have.length(1);
  });

  it('end the simulation with their errors when they are told to', async () => {
    await input('trick.terminate_on_event_parse_error(True)\n');
    await ask(RISE.replace('fx.all.i > 10', 'nosuch'));
    await fixture.pass(30);
    expect(await ask('trick.var_send_once("trick_sys.sched.mode")\n')).to.equal('5\t6\n');
  });

  it('count changes of their list, and keep their numbers when one is deleted', async () => {
    const list = async () => shown('mtv_count mtv_update_ticker', '');
    expect(await list()).to.equal('0\t0');
    await ask('for name in ["a", "b"]: trick.add_event(trick.new_event(name))\n');
    expect(await list()).to.equal('2\t2');
    await ask('trick.delete_event(a)\n');
    expect(await list()).to.equal('2\t3');
    expect(await ask('trick.mtv_send_event_data()\n')).to.equal(
      '3\t12\n0\tno_name_specified\t0\t0\t0\t0\t0\tb\t0\t1\t0\t0\t0\n',
    );
    await ask('trick.add_event(trick.new_event("c"))\n');
    expect(await list()).to.equal('3\t4');
    expect(await shown('name', 'mtv_list[2][0].')).to.equal('c');
    await ask('trick.add_event(a)\n');
    expect(await shown('name added', 'mtv_list[3][0].')).to.equal('a\t1');
  });

  it('are described with their comments, and with the job beside which they stand', async () => {
    await ask(RISE.replace('trick.add_event(rise)', 'trick.add_event_before(rise, "fly")'));
    await settle();
    await fixture.pass(2);
    expect(await ask('trick.mtv_send_event_data()\n')).to.equal(
      '3\t9\n0\trise\t1\t1\t1\t1\t1\tabove ten\tfx.all.d = fx.all.d + 1\tfly\n',
    );
  });

  it('stay active when they fail, and the log has each error once', async () => {
    await ask(RISE.replace('fx.all.i > 10', 'fx.nosuch > 10'));
    await fixture.pass(50);
    const complaints = fixture.log.filter((line) => line.includes('nosuch'));
    expect(complaints).to.have.length(1);
    expect(complaints[0]).to.match(/^event rise failed:\n[\s\S]*AttributeError: .*nosuch/);
    expect(await shown('active fired_count')).to.equal('1\t0');
    await ask('rise.condition(0, "fx.other > 10")\n');
    await fixture.pass(50);
    expect(fixture.log.filter((line) => line.includes('other'))).to.have.length(1);
  });

  it('have an error in the log again when it comes back', async () => {
    // The simulation decides the first, only the server can say the second.
    for (const [index, condition] of ['100 / fx.all.i > 1000', 'len(str(100 / fx.all.i)) > 1000'].entries()) {
      await ask(`fx.all.i = 0\n${RISE}`.replace('fx.all.i > 10', condition).replaceAll('rise', `rise${index}`));
      for (const value of [0, 5, 0]) {
        await ask(`fx.all.i = ${value}\n`);
        await fixture.pass(50);
      }
      await ask(`rise${index}.deactivate()\n`);
      expect(fixture.log.splice(0).filter((line) => line.includes('ZeroDivisionError'))).to.have.length(2);
    }
  });

  it('run their other actions when one fails', async () => {
    await ask(RISE.replace('fx.all.d = fx.all.d + 1', 'nosuch()'));
    await ask('rise.action(1, "fx.all.s = 8")\nfx.all.i = 11\n');
    await fixture.pass(20);
    expect(await ask('trick.var_send_once("fx.all.s")\n')).to.equal('5\t8\n');
    expect(await shown('ran_count')).to.equal('1');
  });

  it('do not run what is no expression as a condition', async () => {
    await ask(RISE.replace('fx.all.i > 10', 'fx.all.i = 10'));
    await fixture.pass(20);
    expect(fixture.log.join()).to.match(/event rise failed:\n.*SyntaxError/);
    expect(await ask('trick.var_send_once("fx.all.i")\n')).to.equal('5\t5\n');
  });

  it('are stopped when an action runs on for ever, and others go on', async () => {
    await ask(RISE.replace('fx.all.d = fx.all.d + 1', 'sum(range(10**10))').replace('fx.all.i > 10', 'True'));
    await ask(
      'e = trick.new_event("e")\ne.condition(0, "True")\ne.action(0, "fx.all.i = 77")\ne.activate()\ntrick.add_event(e)\n',
    );
    for (let turn = 0; turn < 500 && !fixture.log.join().includes('was stopped'); turn++) await fixture.pass(10);
    expect(fixture.log.join()).to.match(
      /event rise was stopped and is not active any more:[\s\S]*the block was stopped/,
    );
    await fixture.pass(20);
    expect(await ask('trick.var_send_once("fx.all.i")\n')).to.equal('5\t77\n');
  });

  it('are made and changed by texts that are parsed as blocks', async () => {
    const text = [
      'myev = trick.new_event(\\"myev\\")',
      'myev.cycle = 0.5',
      'myev.condition(0,\\"\\"\\"False\\"\\"\\")',
      'myev.action(0,\\"\\"\\"\nprint(1)\n\\"\\"\\")',
      'trick.add_event(myev )\n',
    ].join('\n');
    await ask(`trick_ip.ip.parse("""\n${text}\n\n""")\n`);
    expect(await shown('cycle added active')).to.equal('1\t1\t0');
    expect(fixture.log.join()).to.match(/setting cycle of event myev has no effect, set_cycle has/);
    await ask('myev.set_cycle(2)\nmyev.activate()\n', other);
    expect(await shown('cycle active')).to.equal('2\t1');
  });

  it('go on with the block when a parsed text does not parse or run', async () => {
    await ask('trick.var_set_send_stdio(True)\n');
    const answer = await ask('trick_ip.ip.parse("x = (")\ntrick_ip.ip.parse("nosuch")\nprint("on")\n');
    expect(answer).to.match(/SyntaxError[\s\S]*NameError[\s\S]*4 1 2\non/);
  });

  it('stop texts that parse themselves', async () => {
    await ask('trick.var_set_send_stdio(True)\n');
    expect(await ask('s = "trick_ip.ip.parse(s)"\ntrick_ip.ip.parse(s)\nprint("on")\n')).to.match(
      /too deep[\s\S]*\non/,
    );
  });

  it('refuse what does not fit, with a sentence', async () => {
    await ask('trick.var_set_send_stdio(True)\n');
    const refusals: [string, RegExp][] = [
      ['e.set_cycle(-1)', /ValueError: the cycle of an event is a time in seconds from 0 up, not -1/],
      ['e.fired_count = 3', /AttributeError: fired_count of an event can be read only/],
      ['e.activat()', /AttributeError: 'IPPythonEvent' object has no attribute 'activat'; did you mean activate/],
      ['trick.add_event(5)', /TypeError: add_event\(\) takes an event, not int/],
      ['for k in range(300): trick.new_event(str(k))', /MemoryError: a client may have 250 events/],
    ];
    await ask('e = trick.new_event("e")\n');
    for (const [text, refusal] of refusals) {
      client.send(`${text}\n`);
      expect(await fixture.answer(client), text).to.match(refusal);
      await settle();
      client.taken();
    }
  });

  it('note numbers that there are not in the log, and change nothing', async () => {
    await ask('e = trick.new_event("e")\ntrick.var_set_send_stdio(True)\n');
    const notes: [string, RegExp][] = [
      ['print(e.condition(1, "True"), e.condition_count)', /the next condition of this event is number 0, not 1/],
      ['print(e.action(-1, "x"), e.action_count)', /the next action of this event is number 0, not -1/],
      ['print(e.condition_enable(3), e.action_ran_count(9))', /this event has 0 conditions, no number 3/],
      ['print(e.condition_var(0, "fx.nosuch") + 1, e.condition_count)', /there is no variable fx.nosuch/],
    ];
    for (const [text, note] of notes) {
      fixture.log.length = 0;
      expect(await ask(`${text}\n`), text).to.match(/^4 1 1\n[01]4 1 1\n 4 1 1\n[01]/);
      expect(fixture.log.join(), text).to.match(note);
    }
    expect(await ask('print(e.condition_string(0))\n')).to.match(/\nFalse/);
  });

  it('are evaluated when the job beside them is due, and not beside a job that is not there', async () => {
    const beside = (name: string, job: string) =>
      ask(
        `${name} = trick.new_event("${name}")\n${name}.condition(0, "True")\n${name}.action(0, "${name}.activate()")\n` +
          `${name}.activate()\ntrick.add_event_after(${name}, "${job}")\n`,
      );
    await beside('a', 'fly');
    await beside('b', 'nosuch');
    await fixture.pass(105);
    expect(Number(await shown('fired_count'))).to.be.within(4, 6);
    expect(await shown('added before_after target_name')).to.equal('1\t2\tfly');
    expect(await shown('added before_after target_name fired_count', 'mtv_list[1][0].')).to.equal('0\t0\t\t0');
    expect(fixture.log.join()).to.match(/event b: there is no job nosuch/);
  });

  it('call jobs and switch them, and take what a job returns as a condition', async () => {
    await ask(
      'e = trick.new_event("e")\ne.condition_job(0, "fly")\ne.action_job_off(0, "fly")\ne.action(1, "fx.all.i = 9")\n',
    );
    await fixture.pass(2);
    await ask('e.set_cycle(0.01)\ne.activate()\ntrick.add_event(e)\n');
    await fixture.pass(60);
    expect(await ask('trick.var_send_once("fx.all.i")\n')).to.equal('5\t9\n');
    expect(await shown('condition_list[0][0].cond_type action_list[0][0].act_type fired_count')).to.equal('2\t2\t1');
    const { length } = flights;
    await fixture.pass(60);
    expect(flights).to.have.length(length);
    await ask('e.action_job(0, "fly")\n');
    await fixture.pass(2);
    client.send('e.manual_fire()\ntrick.var_send_once("fx.all.i")\n');
    await fixture.answer(client);
    expect(flights).to.have.length(length + 1);
    await ask('e.action_job_on(0, "fly")\n');
    await fixture.pass(2);
    client.send('e.manual_fire()\ntrick.var_send_once("fx.all.i")\n');
    await fixture.answer(client);
    await fixture.pass(60);
    expect(flights.length).to.be.greaterThan(length + 2);
  });

  it('have no action for a job that is not there, and a condition that is false', async () => {
    await ask(
      'e = trick.new_event("e")\ne.condition_job(0, "nosuch", "mine")\ne.action_job(0, "nosuch")\ntrick.add_event(e)\n',
    );
    await fixture.pass(2);
    expect(await shown('condition_count action_count')).to.equal('1\t0');
    expect(await shown('str comment cond_type', 'mtv_list[0][0].condition_list[0][0].')).to.equal('False\tmine\t0');
  });

  it('of the input file become those of a client that sets what they run', async () => {
    const text = `${RISE}trick.exec_run()\n`;
    await input(text);
    const held = (): number => fixture.registry.ledger.held('keptBytes');
    const owner = (): string | undefined => fixture.server.events.find('rise')?.owner;
    const before = held();
    await ask('rise.deactivate()\nrise.manual_off()\nrise.manual_done()\nprint(rise.condition_string(0))\n');
    expect(owner()).to.equal('');
    await ask('rise.set_cycle(0.01)\n', other);
    await ask('rise.set_cycle(-1)\n', other);
    expect(owner()).to.equal('');
    expect(held() - before).to.be.lessThan(1000);
    await ask('rise.action(0, "pass")\n');
    expect(owner()).to.equal('127.0.0.1');
    expect(held()).to.be.greaterThan(before + 2000);
  });

  it("of the operator's reads take the place of a client's of the same name", async () => {
    await input(`trick.add_read(0.05, ${JSON.stringify(RISE)})\ntrick.exec_run()\n`);
    await ask('rise = trick.new_event("rise")\ntrick.add_event(rise)\n');
    await fixture.pass(100);
    expect(fixture.server.events.find('rise')?.owner).to.equal('');
    expect(await shown('name active condition_count', 'mtv_list[1][0].')).to.equal('rise\t1\t1');
    expect(fixture.log.filter((line) => /removed|Error/.test(line))).to.deep.equal([
      'event rise of 127.0.0.1 is removed: the operator makes one of that name',
    ]);
  });

  it('let clients write none of what they show', async () => {
    await ask(RISE);
    await ask('trick.var_set("trick_ip.mtv.mtv_count", 9)\ntrick_ip.mtv.mtv_list[0][0].fired_count = 9\n');
    expect(await shown('mtv_count', '')).to.equal('1');
    expect(await shown('fired_count')).to.equal('0');
  });

  it('tell an error of the server in one of them, and are evaluated again', async () => {
    // A table of its own, so that the fixture's loop evaluates none of its events.
    const events = new EventTable({
      follow: () => undefined,
      canWait: () => false,
      changed: () => undefined,
      accountOf: () => undefined,
      say: () => undefined,
      isVariable: () => true,
      timeTics: () => 0,
    });
    const told: unknown[] = [];
    const error = new Error('broken');
    let runs = 0;
    const scripts = {
      of: () => ({ surroundings: { flush: () => undefined } }),
      isIdle: () => true,
      run: () => (runs++ === 0 ? Promise.reject(error) : Promise.resolve(undefined)),
      failed: (thrown: unknown) => told.push(thrown),
    };
    const loop = new EventLoop(events, scripts as unknown as Scripts, fixture.local.source);
    const event = events.create('e', '');
    if (!event) throw new Error('the name is free');
    event.isActive = true;
    event.setCycle(0.01);
    events.add(event);
    for (let tick = 0; tick < 3; tick++) {
      await fixture.pass(10);
      loop.take(fixture.local.source.frame);
      await settle();
    }
    expect([told, runs > 1]).to.deep.equal([[error], true]);
  });

  it('outlive the session that made them', async () => {
    await ask(RISE, other);
    other.leave();
    await ask('fx.all.i = 11\n');
    await fixture.pass(30);
    await settle();
    expect(await shown('fired_count')).to.equal('1');
  });
});
