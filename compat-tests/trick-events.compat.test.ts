// Trick's event viewer over a real socket: what it asks at its start, reads in a cycle and sends from its menus.
import { expect } from 'chai';
import { Code, EventViewer, parsed } from './event-viewer.js';
import { serving } from './gui-client.js';

const FIXTURE = new URL('./fixture/fixture.js', import.meta.url);
const MYEV = `myev = trick.new_event("myev")
myev.set_cycle(0.05)
myev.activate( )
trick.add_event(myev )
myev.condition(0,"""fx.all.w_i == 4242""", "counted up")
myev.condition(1,"""False""")
myev.action(0,"""
fx.all.w_d = 42.5
""", "writes")`;

/** Positions in the messages of a followed event with two conditions and an action. */
const At = {
  active: 2,
  firedCount: 4,
  ranCount: 6,
  manual: 7,
  hold: 9,
  added: 10,
  condition0: 11,
  condition1: 15,
  action0: 19,
} as const;

describe("Trick's event viewer, of a simulation with events", () => {
  const port = serving(FIXTURE, ['--no-discovery']);
  let viewer: EventViewer;
  /** The number of the event: the places of deleted ones are not used again. */
  let place = -1;

  beforeEach(async () => {
    viewer = await EventViewer.open(port());
    viewer.put('trick.var_cycle(0.01)', parsed(MYEV));
    place++;
    expect((await viewer.one('trick_ip.mtv.mtv_count'))?.[1]).to.equal(place + 1);
  });
  afterEach(async () => {
    viewer.put('trick.delete_event(myev)');
    await viewer.exit();
  });

  it('reads how many there are, what they are called and what they say', async () => {
    expect((await viewer.one('trick_ip.mtv.mtv_count'))?.[0]).to.equal(Code.unsignedInt);
    const data = await viewer.eventData();
    expect(data).to.deep.equal([
      ...Array.from({ length: place }, () => ['no_name_specified', false, false, 0, 0, 0]).flat(),
      ...['myev', true, true, 2, 1, 0, 'counted up', 'False', 'writes'],
    ]);
    expect((await viewer.one('trick_ip.mtv.mtv_update_ticker'))?.[0]).to.equal(Code.int);
  });

  it('reads their state in types that it knows, and sees one fire', async () => {
    viewer.follow(place, 2, 1);
    const idle = await viewer.message();
    const [c, b, d, i] = [Code.char, Code.bool, Code.double, Code.int];
    const condition = [c, d, i, c];
    expect(idle.map(([code]) => code)).to.deep.equal([
      Code.longLong,
      i,
      b,
      d,
      i,
      d,
      i,
      b,
      b,
      c,
      b,
      ...condition,
      ...condition,
      c,
      d,
      i,
    ]);
    expect(idle.slice(2).map(([, value]) => value)).to.deep.equal([
      true,
      -1,
      0,
      -1,
      0,
      false,
      false,
      0,
      true,
      1,
      -1,
      0,
      0,
      1,
      -1,
      0,
      0,
      1,
      -1,
      0,
    ]);
    viewer.put('fx.all.w_i = 4242');
    const fired = await viewer.until((values) => values[At.ranCount] === 1);
    expect(fired[At.active]).to.deep.equal([b, false]);
    expect(fired[At.firedCount]).to.deep.equal([i, 1]);
    expect(fired[At.condition0 + 2]).to.deep.equal([i, 1]);
    expect(fired[At.condition1 + 2]).to.deep.equal([i, 0]);
    expect(fired[At.action0 + 2]).to.deep.equal([i, 1]);
    viewer.put('fx.all.w_i = 0', 'trick.var_pause()', 'trick.var_clear()');
  });

  it('switches them, their conditions and actions on and off by name, and fires them by hand', async () => {
    viewer.follow(place, 2, 1);
    const steps: readonly (readonly [command: string, at: number, value: boolean | number])[] = [
      ['myev.deactivate()', At.active, false],
      ['myev.activate()', At.active, true],
      ['myev.condition_disable(1)', At.condition1, 0],
      ['myev.condition_enable(1)', At.condition1, 1],
      ['myev.condition_hold_on(0)', At.condition0 + 3, 1],
      ['myev.condition_hold_off(0)', At.condition0 + 3, 0],
      ['myev.action_disable(0)', At.action0, 0],
      ['myev.action_enable(0)', At.action0, 1],
      ['myev.manual_on()', At.hold, 1],
      ['myev.manual_off()', At.hold, 0],
      ['myev.manual_fire()', At.active, true],
      ['myev.manual_done()', At.manual, false],
      ['trick.remove_event(myev)', At.added, false],
      ['trick.add_event_after(myev, "fx.ball.move")', At.added, true],
    ];
    for (const [command, at, value] of steps) {
      viewer.put(command);
      await viewer.until((values) => values[at] === value);
    }
  });

  it('starts over when the list has changed, and reads on of a deleted event meanwhile', async () => {
    viewer.follow(place, 2, 1);
    const before = (await viewer.message())[1]?.[1] as number;
    viewer.put('trick.delete_event(myev)');
    const after = await viewer.until((values) => values[1] === before + 1);
    expect(after.every(([code]) => code !== 25)).to.equal(true);
    viewer.put('trick.var_pause()', 'trick.var_clear()');
    await viewer.exit();
    viewer = await EventViewer.open(port());
    expect((await viewer.eventData())[0]).to.equal('no_name_specified');
    viewer.put(parsed(MYEV));
    place++;
  });
});
