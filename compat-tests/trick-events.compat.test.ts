// Trick's event viewer over a real socket: what it asks at its start, what it reads in a cycle, and what its menus send.
import { expect } from 'chai';
import { GuiClient, serving } from './gui-client.js';

const FIXTURE = new URL('./fixture/fixture.js', import.meta.url);
/** A longer message is written in pieces, which the viewer does not put together. */
const LONGEST_MESSAGE = 8192;

/** Trick's type codes that the viewer reads here. */
const Code = { text: 3, int: 6, unsignedInt: 7, double: 11, longLong: 14, bool: 17 } as const;

type Value = number | bigint | string | boolean;
type Typed = readonly [code: number, value: Value];

function decode(code: number, bytes: Buffer): Value {
  switch (code) {
    case Code.text:
      return bytes.subarray(0, -1).toString();
    case Code.int:
      return bytes.readInt32LE();
    case Code.unsignedInt:
      return bytes.readUInt32LE();
    case Code.double:
      return bytes.readDoubleLE();
    case Code.longLong:
      return bytes.readBigInt64LE();
    case Code.bool:
      return bytes.readUInt8() !== 0;
    default:
      throw new Error(`the viewer does not read type ${code}`);
  }
}

const EVENT = [
  'active',
  'fired_time',
  'fired_count',
  'ran_time',
  'ran_count',
  'manual',
  'manual_fired',
  'hold',
  'added',
];
const CONDITION = ['enabled', 'fired_time', 'fired_count', 'hold'];
const ACTION = ['enabled', 'ran_time', 'ran_count'];

class Viewer {
  private constructor(private readonly client: GuiClient) {}

  static async open(port: number): Promise<Viewer> {
    const client = await GuiClient.connect(port);
    client.put('trick.var_exists("trick_variable_server_handshake")');
    expect(await client.wire.line()).to.equal('1\t0');
    client.put('trick.var_pause()', 'trick.var_set_client_tag("TRICK_MTV")', 'trick.var_binary_nonames()');
    return new Viewer(client);
  }

  put(...commands: readonly string[]): void {
    this.client.put(...commands);
  }

  /** Header and body, each at one reading. */
  async message(): Promise<readonly Typed[]> {
    const head = await this.client.wire.bytes(12);
    const [indicator, size, count] = [head.readInt32LE(0), head.readInt32LE(4), head.readInt32LE(8)];
    expect(indicator).to.equal(0);
    expect(size + 4).to.be.at.most(LONGEST_MESSAGE);
    const body = await this.client.wire.bytes(size - 8);
    const values: Typed[] = [];
    let at = 0;
    for (let index = 0; index < count; index++) {
      const [code, length] = [body.readInt32LE(at), body.readInt32LE(at + 4)];
      values.push([code, decode(code, body.subarray(at + 8, at + 8 + length))]);
      at += 8 + length;
    }
    expect(at).to.equal(body.length);
    return values;
  }

  async one(name: string): Promise<Typed | undefined> {
    this.put(`trick.var_add("${name}"); trick.var_send(); trick.var_clear();`);
    return (await this.message())[0];
  }

  /** What it knows of all events, as many values as announced. */
  async eventData(): Promise<Value[]> {
    this.put('trick.mtv_send_event_data();');
    const head = await this.client.wire.bytes(12);
    expect([head.readInt32LE(0), head.readInt32LE(4)]).to.deep.equal([3, 0]);
    const values: Value[] = [];
    while (values.length < head.readInt32LE(8)) values.push(...(await this.message()).map(([, value]) => value));
    return values;
  }

  /** Follows one event with so many conditions and actions. */
  follow(index: number, conditions: number, actions: number): void {
    const path = `trick_ip.mtv.mtv_list[${index}][0]`;
    const places = (count: number, list: string, members: readonly string[]) =>
      Array.from({ length: count }, (_, at) => members.map((member) => `${list}[${at}][0].${member}`)).flat();
    const names = [
      ...EVENT,
      ...places(conditions, 'condition_list', CONDITION),
      ...places(actions, 'action_list', ACTION),
    ];
    this.put('trick.var_cycle(0.05)');
    this.put('trick.var_add("trick_sys.sched.time_tics"); trick.var_add("trick_ip.mtv.mtv_update_ticker"); ');
    this.put(names.map((name) => `trick.var_add("${path}.${name}"); `).join(''));
    this.put('trick.var_unpause()');
  }

  /** The next message whose values meet a condition. */
  async until(isMet: (values: readonly Value[]) => boolean): Promise<readonly Typed[]> {
    for (;;) {
      const message = await this.message();
      if (isMet(message.map(([, value]) => value))) return message;
    }
  }

  /** All that it has sent has run then. */
  async exit(): Promise<void> {
    await this.client.exit();
    this.client.wire.drop();
  }
}

/** As the viewer sends what its user has written. */
const parsed = (text: string): string => `trick_ip.ip.parse("""\n${text.replaceAll('"', '\\"')}\n\n""")`;

const MYEV = `myev = trick.new_event("myev")
myev.cycle = 0.05
myev.activate( )
trick.add_event(myev )
myev.condition(0,"""fx.all.w_i == 4242""", "counted up")
myev.condition(1,"""False""")
myev.action(0,"""
fx.all.w_d = 42.5
""", "writes")`;

/** Places of a followed event of two conditions and an action in its messages. */
const At = { active: 2, firedCount: 4, ranCount: 6, manual: 7, condition0: 11, condition1: 15, action0: 19 } as const;

describe("Trick's event viewer, of a simulation with events", () => {
  const port = serving(FIXTURE, ['--no-discovery']);
  let viewer: Viewer;

  beforeEach(async () => {
    viewer = await Viewer.open(port());
    viewer.put('trick.var_cycle(0.01)', parsed(MYEV));
    expect((await viewer.one('trick_ip.mtv.mtv_count'))?.[1]).to.equal(1);
  });
  afterEach(async () => {
    viewer.put('trick.delete_event(myev)');
    await viewer.exit();
  });

  it('reads how many there are, what they are called and what they say', async () => {
    expect((await viewer.one('trick_ip.mtv.mtv_count'))?.[0]).to.equal(Code.unsignedInt);
    const data = await viewer.eventData();
    expect(data).to.deep.equal(['myev', true, true, 2, 1, 0, 'counted up', 'False', 'writes']);
    expect((await viewer.one('trick_ip.mtv.mtv_update_ticker'))?.[0]).to.equal(Code.int);
  });

  it('reads their state in types that it knows, and sees one fire', async () => {
    viewer.follow(0, 2, 1);
    const idle = await viewer.message();
    const [b, d, i] = [Code.bool, Code.double, Code.int];
    const condition = [b, d, i, b];
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
      b,
      b,
      ...condition,
      ...condition,
      b,
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
      false,
      true,
      true,
      -1,
      0,
      false,
      true,
      -1,
      0,
      false,
      true,
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
    viewer.follow(0, 2, 1);
    const steps: readonly (readonly [command: string, place: number, value: Value])[] = [
      ['myev.deactivate()', At.active, false],
      ['myev.activate()', At.active, true],
      ['myev.condition_disable(1)', At.condition1, false],
      ['myev.condition_enable(1)', At.condition1, true],
      ['myev.condition_hold_on(0)', At.condition0 + 3, true],
      ['myev.condition_hold_off(0)', At.condition0 + 3, false],
      ['myev.action_disable(0)', At.action0, false],
      ['myev.action_enable(0)', At.action0, true],
      ['myev.manual_on()', At.manual, true],
      ['myev.manual_off()', At.manual, false],
      ['myev.manual_fire()', At.ranCount, 1],
      ['myev.manual_done()', At.manual, false],
      ['trick.remove_event(myev)', 10, false],
      ['trick.add_event_after(myev, "ball.state.deriv")', 10, true],
    ];
    for (const [command, place, value] of steps) {
      viewer.put(command);
      await viewer.until((values) => values[place] === value);
    }
  });

  it('starts over when the list has changed, and reads on of a deleted event meanwhile', async () => {
    viewer.follow(0, 2, 1);
    const before = (await viewer.message())[1]?.[1] as number;
    viewer.put('trick.delete_event(myev)');
    const after = await viewer.until((values) => values[1] === before + 1);
    expect(after.every(([code]) => code !== 25)).to.equal(true);
    viewer.put('trick.var_pause()', 'trick.var_clear()');
    await viewer.exit();
    viewer = await Viewer.open(port());
    expect((await viewer.eventData())[0]).to.equal('XXX_DELETED_EVENT');
    viewer.put(parsed(MYEV));
  });
});
