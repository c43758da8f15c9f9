// Texts that run at a simulation time: which frame waits for them, and what they see.
import { expect } from 'chai';
import type { MemoryConnection } from '../../../testing/aids/memory-connection.js';
import { settle, startTrickFixture, type TrickFixture } from '../../../testing/aids/trick-server.js';
import { BLOCK_LIMITS } from '../../python/index.js';
import { Reads } from './reads.js';
import type { Scripts } from './scripts.js';

/** How long a simulation waits for its server. */
const LONGEST_HOLD_MILLIS = 10_000;
/** How many texts of one address may wait. */
const MOST_OF_AN_ADDRESS = 2500;

describe('reads', () => {
  let fixture: TrickFixture;
  let client: MemoryConnection;
  const ask = (text: string) => fixture.ask(client, text);
  /** With turns of the event loop between, in which a text that takes long goes on. */
  const pass = async (millis: number) => {
    for (let passed = 0; passed < millis; passed += 10) await fixture.pass(10);
  };

  beforeEach(async () => {
    fixture = await startTrickFixture();
    client = fixture.connect();
    await ask('fx.all.d = 0\n');
  });
  afterEach(() => fixture.close());

  it('run at their time, in the order of their times, and see the simulation there', async () => {
    await ask('trick.add_read(0.06, "print(\'second\', trick.exec_get_sim_time())")\n');
    await ask('trick.add_read(0.03, "print(\'first\', trick.exec_get_sim_time())")\n');
    await pass(400);
    const printed = fixture.log.filter((line) => /first|second/.test(line) && !line.includes('asks'));
    const who = 'events and reads of 127.0.0.1';
    expect(printed).to.deep.equal([`${who}: first 0.03`, `${who}: second 0.06`]);
  });

  it('run before the first frame that starts after a time between frames', async () => {
    await ask('trick.add_read(0.035, "fx.all.d = trick.exec_get_sim_time()")\n');
    await pass(400);
    expect(await ask('trick.var_send_once("fx.all.d")\n')).to.equal('5\t0.04\n');
  });

  it('run at once when their time is past', async () => {
    await pass(100);
    await ask('trick.add_read(0.01, "fx.all.i = 99")\n');
    await settle();
    expect(await ask('trick.var_send_once("fx.all.i")\n')).to.equal('5\t99\n');
    await pass(50);
    expect(fixture.local.source.frame.timeSeconds).to.be.closeTo(0.15, 0.02);
  });

  it('are shown their errors, and the simulation goes on', async () => {
    await ask('trick.add_read(0.02, "nosuch")\ntrick.add_read(0.02, "x = (")\n');
    await pass(400);
    expect(fixture.log.join('\n')).to.match(/NameError: name 'nosuch'[\s\S]*SyntaxError/);
    expect(fixture.local.source.frame.timeSeconds).to.be.greaterThan(0.1);
  });

  it('take no time that is none', async () => {
    await ask('trick.var_set_send_stdio(True)\n');
    expect(await ask('trick.add_read(-1, "x = 1")\n')).to.contain('add_read takes seconds from 0 up, not -1');
  });

  it('keep the frame waiting until all they have asked for is done', async () => {
    const { running } = fixture.local.host;
    const { source } = fixture.local;
    const held = source.submit({ kind: 'control', control: { action: 'hold', id: 7000, atTics: 30_000 } });
    await pass(100);
    expect(await held).to.have.property('frame', source.frame.header.number);
    expect(source.frame.header.timeTics).to.equal(30_000);
    await source.submit({ kind: 'write', writes: [{ path: 'fx.all.i', value: 3 }] });
    expect(source.frame.header.timeTics).to.equal(30_000);
    await source.submit({ kind: 'control', control: { action: 'let-go', id: 7000 } });
    await pass(50);
    expect(source.frame.header.timeTics).to.be.greaterThan(30_000);
    expect(running.isOver).to.equal(false);
  });

  it('keep it waiting no longer than a simulation waits for a server', async () => {
    const { source } = fixture.local;
    const said: string[] = [];
    source.onMessage(({ text }) => said.push(text));
    const held = source.submit({ kind: 'control', control: { action: 'hold', id: 7000, atTics: 30_000 } });
    await pass(100);
    expect(await held).to.have.property('frame', source.frame.header.number);
    fixture.clock.advance(LONGEST_HOLD_MILLIS - 100);
    fixture.local.host.running.turn();
    expect(source.frame.header.timeTics).to.equal(30_000);
    fixture.clock.advance(100);
    await pass(10);
    expect(source.frame.header.timeTics).to.be.greaterThan(30_000);
    expect(said.join()).to.contain('did not end in time');
  });

  it('of a client keep it waiting for a bounded share of its time, and run nevertheless', async () => {
    const { source } = fixture.local;
    const said: string[] = [];
    source.onMessage(({ text }) => said.push(text));
    const hold = { action: 'hold', isClients: true } as const;
    // One that is not let go, at each frame.
    for (let k = 0; k < 50; k++) {
      const control = { ...hold, id: 7000 + k, atTics: 30_000 + 10_000 * k };
      source.submit({ kind: 'control', control }).catch(() => undefined);
    }
    await pass(60);
    expect(source.frame.header.timeTics).to.equal(30_000);
    await pass(1000);
    expect(source.frame.timeSeconds).to.be.greaterThan(0.9);
    expect(said.join()).to.contain('goes on without them');
    expect(said.filter((text) => text.includes('goes on without them'))).to.have.length.at.most(2);
    const { held = 0, refusals } = fixture.local.host.running.vitals.shared.get('readMillis') ?? {};
    expect(held).to.be.within(0, 50);
    expect(refusals).to.be.above(10);
    await ask('trick.add_read(0, "fx.all.i = 98")\n');
    await pass(20);
    expect(await ask('trick.var_send_once("fx.all.i")\n')).to.equal('5\t98\n');
  });

  it('of an address are counted until they have run, although they are due', async () => {
    const ends: (() => void)[] = [];
    const scripts = { run: () => new Promise((resolve) => ends.push(() => resolve(undefined))) };
    const reads = new Reads(fixture.local.source, scripts as unknown as Scripts, { endsOnError: false });
    const add = () => reads.add(0, 'x = 1', BLOCK_LIMITS, '10.0.0.7');
    for (let k = 0; k < MOST_OF_AN_ADDRESS; k++) expect(add()).to.equal(true);
    while (ends.length < MOST_OF_AN_ADDRESS) await pass(10);
    expect(add()).to.equal(false);
    ends[0]?.();
    await settle();
    expect([add(), add()]).to.deep.equal([true, false]);
  });

  it('that end with an error of the server tell it, count no more and let the simulation go on', async () => {
    const { source } = fixture.local;
    const told: unknown[] = [];
    const error = new Error('broken');
    const scripts = { run: () => Promise.reject(error), failed: (thrown: unknown) => told.push(thrown) };
    const reads = new Reads(source, scripts as unknown as Scripts, { endsOnError: false });
    const add = () => reads.add(0.03, 'x = 1', BLOCK_LIMITS, '10.0.0.7');
    for (let k = 0; k < MOST_OF_AN_ADDRESS; k++) expect(add()).to.equal(true);
    expect(add()).to.equal(false);
    while (told.length < MOST_OF_AN_ADDRESS) await pass(10);
    await pass(400);
    expect(told).to.deep.equal(Array(MOST_OF_AN_ADDRESS).fill(error));
    expect(add()).to.equal(true);
    expect(source.frame.timeSeconds).to.be.greaterThan(0.1);
  });
});
