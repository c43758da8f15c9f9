// Long lists: the same bytes as short ones, all of one frame, although others have their turn while they are made.
import { expect } from 'chai';
import { double } from '../../../model/state/declare.js';
import { DEFAULT_BOUNDS } from '../../../serving/scheduling/holdings.js';
import { SessionRegistry } from '../../../serving/session/registry.js';
import { countPieces } from '../../../testing/aids/computing.js';
import { ManualClock } from '../../../testing/aids/manual-clock.js';
import type { MemoryConnection } from '../../../testing/aids/memory-connection.js';
import { startTrickFixture, type TrickFixture } from '../../../testing/aids/trick-server.js';
import { trimsOf } from '../../../testing/aids/trims.js';
import { encodeListJoined } from '../wire/list-encoder.js';
import { INITIAL_FORMAT, type ListFormat } from '../wire/list-format.js';
import { MESSAGES } from '../wire/messages.js';
import { ReferenceTable } from '../wire/reference.js';
import { ListMaker } from './list-maker.js';

const COUNT = 3000;
const BLOCK = 300;
const BINARY: ListFormat = { form: 'binary', withNames: true, isByteSwapped: false };
const { indicator } = MESSAGES.varList;

/** Time passes with every look at it, so that each piece of work is a slice. */
class HurriedClock extends ManualClock {
  override nowMillis(): number {
    this.leap(3);
    return super.nowMillis();
  }
}

describe('a long list', () => {
  let fixture: TrickFixture;
  let client: MemoryConnection;

  beforeEach(async () => {
    fixture = await startTrickFixture({
      build: (sim) => {
        const many = sim.object('wide').component('many', double(COUNT));
        sim.job(0.01, () => many.fill(sim.timeSeconds));
      },
    });
    client = fixture.connect();
  });
  afterEach(() => fixture.close());

  const names = Array.from({ length: COUNT }, (_, k) => `wide.many[${k}]`);
  /** Adds all names while no cyclic messages are sent. */
  async function addAll(): Promise<void> {
    await fixture.ask(client, 'trick.var_pause()\n');
    // A block has a time, in which a busy machine may not add all of them.
    for (let count = 0; count < COUNT; ) {
      for (const name of names.slice(count, count + BLOCK)) client.send(`trick.var_add("${name}")\n`);
      count += BLOCK;
      expect(await fixture.ask(client, 'trick.var_send_list_size()\n')).to.equal(`3\t${count}\n`);
    }
  }
  it('is searched for a name that is trimmed once', async () => {
    await addAll();
    for (const text of ['trick.var_remove("    other")\n', 'trick.var_units("    other", "m")\n']) {
      const search = () => fixture.ask(client, `${text}trick.var_send_list_size()\n`);
      expect(await trimsOf('other', search)).to.equal(1);
    }
  });

  const lineOf = (seconds: number): string => `0${`\t${seconds}`.repeat(COUNT)}\n`;

  function longLists() {
    const { source } = fixture.local;
    const registry = new SessionRegistry(source, new HurriedClock());
    const facts = { frontEnd: 'trick', peer: 'a test', transport: 'tcp' };
    const session = registry.create(facts, { write: () => true, pendingBytes: 0 });
    const table = new ReferenceTable(source);
    return {
      lists: new ListMaker(session, registry, false),
      references: names.map((name) => table.hold(name)),
      source,
      registry,
      session,
    };
  }

  it('is sent when it is asked for, and before what is asked for after it', async () => {
    await addAll();
    await fixture.pass(55);
    const text = await fixture.ask(client, 'trick.var_send()\ntrick.var_exists("fx.all.i")\n');
    expect(text === `${lineOf(0.05)}1\t1\n`).to.equal(true);
  });

  it('of names that are asked for once is sent too', async () => {
    await fixture.pass(55);
    const text = await fixture.ask(client, `trick.var_send_once("${names.join()}", ${COUNT})\n`);
    expect(text === lineOf(0.05).replace(/^0/, '5')).to.equal(true);
  });

  it('is sent on its cycle, by wall time and by frames', async () => {
    await addAll();
    await fixture.ask(client, 'trick.var_cycle(0.05)\ntrick.var_unpause()\n');
    client.taken();
    await fixture.pass(101);
    const times = () =>
      client
        .taken()
        .split('\n')
        .slice(0, -1)
        .map((line) => Number(line.split('\t').at(-1)));
    expect(times().length).to.be.within(2, 3);
    await fixture.ask(client, 'trick.var_set_copy_mode(2)\ntrick.var_set_write_mode(1)\n');
    client.taken();
    await fixture.pass(50);
    expect(times()).to.have.length(5);
  });

  for (const format of [INITIAL_FORMAT, BINARY]) {
    it(`is of one frame, as ${format.form}, although frames come while it is made`, async () => {
      await fixture.pass(25);
      const { lists, references, source } = longLists();
      const many = Array<typeof references>(30).fill(references).flat();
      const expected = encodeListJoined(indicator, many, format, source.frame);
      let isMade = false;
      const making = lists.make(undefined, source.frame, indicator, many, format).finally(() => {
        isMade = true;
      });
      let frames = 0;
      for (; !isMade; frames++) await fixture.pass(10);
      expect(frames).to.be.at.least(3);
      expect(Buffer.concat(((await making) ?? []) as Uint8Array[]).equals(expected)).to.equal(true);
      expect(encodeListJoined(indicator, many, format, source.frame).toString()).to.not.equal(`${expected}`);
    });
  }

  it('counts its copy of the frame while it is made, and is left out without room for it', async () => {
    const { lists, references, source, registry, session } = longLists();
    const held = (): number => registry.ledger.held('unreadBytes');
    const made = lists.make(undefined, source.frame, indicator, references, BINARY);
    expect(held()).to.equal(source.frame.memory.bytes.length);
    expect(await made).to.have.length(1);
    expect(held()).to.equal(0);
    session.account.take('unreadBytes', DEFAULT_BOUNDS.unreadBytes.each - 1);
    expect(await lists.make(undefined, source.frame, indicator, references, BINARY)).to.equal(undefined);
  });

  it('is sent to others with the same list when the first of them has no room for a copy of the frame', async () => {
    const other = fixture.connect();
    for (const each of [client, other]) {
      await fixture.ask(each, 'trick.var_pause()\n');
      each.send(names.map((name) => `trick.var_add("${name}")\n`).join(''));
      each.send('trick.var_send_list_size()\n');
      expect(await fixture.answer(each)).to.equal(`3\t${COUNT}\n`);
    }
    const [first] = fixture.registry.sessions;
    first?.account.take('unreadBytes', DEFAULT_BOUNDS.unreadBytes.each - 1);
    const modes = 'trick.var_set_copy_mode(2)\ntrick.var_set_write_mode(1)\ntrick.var_unpause()\n';
    for (const each of [client, other]) await fixture.ask(each, modes);
    for (const each of [client, other]) each.taken();
    await fixture.pass(100);
    expect(client.taken()).to.equal('');
    expect(other.taken().split('\n').length - 1).to.be.at.least(5);
    expect(fixture.registry.ledger.held('unreadBytes')).to.equal(DEFAULT_BOUNDS.unreadBytes.each - 1);
  });

  it('of a large state is looked for in turns, and then waits for a frame that shows all of it', async () => {
    const large = await startTrickFixture({ ballast: 2 ** 19 });
    try {
      const { source } = large.local;
      const registry = new SessionRegistry(source, new HurriedClock());
      const facts = { frontEnd: 'trick', peer: 'a test', transport: 'tcp' };
      const session = registry.create(facts, { write: () => true, pendingBytes: 0 });
      const table = new ReferenceTable(source);
      const references = names.map((_, k) => table.hold(`ballast.many[${100 * k}]`));
      const lists = new ListMaker(session, registry, false);
      const pieces = countPieces(registry.turns);
      const run = lists.messages(indicator, references, INITIAL_FORMAT);
      let waits = 0;
      let step = run.next();
      for (; !step.done; step = run.next()) {
        if (step.value instanceof Promise) await step.value;
        if (step.value !== 'settled') continue;
        waits++;
        // It is much, so it waits for its turn first, which has come.
        if (lists.read.mustWait) {
          expect(session.settled).to.equal(undefined);
          expect(lists.read.enter()).to.equal(undefined);
          continue;
        }
        const { settled } = session;
        await large.pass(10);
        await settled;
      }
      expect([waits, pieces() >= 10]).to.deep.equal([2, true]);
      expect(`${step.value[0]}`).to.equal(lineOf(0));
    } finally {
      await large.close();
    }
  });

  it('begins anew when the catalog changes while it is made for a block, and is left out of a cycle', async () => {
    const { lists, references, source, registry } = longLists();
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    registry.turns.turn = () => opened;
    const run = lists.messages(indicator, references, INITIAL_FORMAT);
    let step = run.next();
    const made = lists.make(undefined, source.frame, indicator, references, INITIAL_FORMAT);
    const { version } = source.catalog;
    await source.submit({ kind: 'declare', declaration: 'double late' });
    await fixture.pass(1);
    expect(source.catalog.version).to.be.above(version);
    open();
    let begun = 0;
    for (; !step.done; step = run.next()) {
      if (step.value !== 'settled') begun++;
      await step.value;
    }
    expect([begun, `${step.value[0]}`.includes('BAD_REF')]).to.deep.equal([2, false]);
    expect(await made).to.equal(undefined);
  });
});
