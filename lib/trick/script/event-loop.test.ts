// Events over a simulation that runs by the test's clock, made and changed by clients.
import { expect } from 'chai';
import type { MemoryConnection } from '../../testing/aids/memory-connection.js';
import { settle, startTrickFixture, type TrickFixture } from '../../testing/aids/trick-server.js';

describe('events of a server', () => {
  let fixture: TrickFixture;
  let client: MemoryConnection;
  let other: MemoryConnection;
  const ask = (text: string, by = client) => fixture.ask(by, text);
  const shown = async (members: string, at = 'mtv_list[0][0].'): Promise<string> => {
    const names = members.split(' ').map((member) => `trick_ip.mtv.${at}${member}`);
    return (await ask(`trick.var_send_once("${names.join()}", ${names.length})\n`)).trimEnd().slice(2);
  };
  const RISE = [
    'rise = trick.new_event("rise")',
    'rise.condition(0, "fx.all.i > 10", "above ten")',
    'rise.action(0, "fx.all.d = fx.all.d + 1")',
    'trick.add_event(rise)',
    'rise.activate()\n',
  ].join('\n');

  beforeEach(async () => {
    fixture = await startTrickFixture();
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

  it('fire by hand, from the viewer too', async () => {
    await ask(RISE);
    await ask('rise.manual_fire()\n', other);
    expect(await shown('manual manual_fired')).to.equal('1\t1');
    await fixture.pass(20);
    expect(await shown('manual manual_fired ran_count fired_count')).to.equal('1\t0\t1\t0');
    await ask('rise.manual_off()\n', other);
    expect(await shown('manual')).to.equal('0');
  });

  it('count changes of their list, and keep their numbers when one is deleted', async () => {
    const list = async () => shown('mtv_count mtv_update_ticker', '');
    expect(await list()).to.equal('0\t0');
    await ask('for name in ["a", "b"]: trick.add_event(trick.new_event(name))\n');
    expect(await list()).to.equal('2\t4');
    await ask('trick.delete_event(a)\n');
    expect(await list()).to.equal('2\t5');
    expect(await ask('trick.mtv_send_event_data()\n')).to.equal(
      '3\t12\n0\tXXX_DELETED_EVENT\t0\t0\t0\t0\t0\tb\t0\t1\t0\t0\t0\n',
    );
    await ask('trick.new_event("c")\n');
    expect(await ask('trick.mtv_send_event_data()\n')).to.equal('3\t12\n0\tc\t0\t0\t0\t0\t0\tb\t0\t1\t0\t0\t0\n');
  });

  it('are described with their comments, and with the job beside which they stand', async () => {
    await ask(RISE.replace('trick.add_event(rise)', 'trick.add_event_before(rise, "fly")'));
    expect(await ask('trick.mtv_send_event_data()\n')).to.equal(
      '3\t9\n0\trise\t1\t1\t1\t1\t1\tabove ten\tfx.all.d = fx.all.d + 1\tfly\n',
    );
  });

  it('are shown an error once, and fail no more', async () => {
    await ask(RISE.replace('fx.all.i > 10', 'fx.nosuch > 10'));
    await fixture.pass(50);
    const complaints = fixture.log.filter((line) => line.includes('nosuch'));
    expect(complaints).to.have.length(1);
    expect(complaints[0]).to.match(/^event rise failed and is not active any more:\n[\s\S]*AttributeError: .*nosuch/);
    expect(await shown('active fired_count')).to.equal('0\t0');
  });

  it('do not run what is no expression as a condition', async () => {
    await ask(RISE.replace('fx.all.i > 10', 'fx.all.i = 10'));
    await fixture.pass(20);
    expect(fixture.log.join()).to.match(/event rise failed .*\n.*SyntaxError/);
    expect(await ask('trick.var_send_once("fx.all.i")\n')).to.equal('5\t5\n');
  });

  it('are stopped when an action runs on for ever, and others go on', async () => {
    await ask(RISE.replace('fx.all.d = fx.all.d + 1', 'while True: pass').replace('fx.all.i > 10', 'True'));
    await ask(
      'e = trick.new_event("e")\ne.condition(0, "True")\ne.action(0, "fx.all.i = 77")\ne.activate()\ntrick.add_event(e)\n',
    );
    for (let turn = 0; turn < 500 && !fixture.log.join().includes('was stopped'); turn++) await fixture.pass(10);
    expect(fixture.log.join()).to.match(/event rise failed [\s\S]*the block was stopped/);
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
    expect(await shown('cycle added active')).to.equal('0.5\t1\t0');
    await ask('myev.cycle = 2\nmyev.active = True\n', other);
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
      ['e.condition(1, "True")', /ValueError: the next condition of this event is number 0, not 1/],
      ['e.condition_enable(3)', /IndexError: this event has 0 conditions, no number 3/],
      ['e.cycle = -1', /ValueError: the cycle of an event is a time in seconds from 0 up, not -1/],
      ['e.fired_count = 3', /AttributeError: fired_count of an event can be read only/],
      ['e.activat()', /AttributeError: 'IPPythonEvent' object has no attribute 'activat'; did you mean activate/],
      ['trick.add_event(5)', /TypeError: add_event\(\) takes an event, not int/],
      ['for k in range(30): trick.new_event(str(k))', /MemoryError: there are 20 events/],
    ];
    await ask('e = trick.new_event("e")\n');
    for (const [text, refusal] of refusals) expect(await ask(`${text}\n`), text).to.match(refusal);
  });

  it('let clients write none of what they show', async () => {
    await ask(RISE);
    await ask('trick.var_set("trick_ip.mtv.mtv_count", 9)\ntrick_ip.mtv.mtv_list[0][0].fired_count = 9\n');
    expect(await shown('mtv_count', '')).to.equal('1');
    expect(await shown('fired_count')).to.equal('0');
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
