// How a list is counted: what its pointers lead to may be long.
import { expect } from 'chai';
import { double, pointer } from '../../model/declare.js';
import { startTrickFixture, type TrickFixture } from '../../testing/aids/trick-server.js';
import { LONGEST_WRITE_BYTES } from '../wire/messages.js';
import { ReferenceTable } from '../wire/reference.js';
import { ListSize, mostBytes, shownBytes, sumOf } from './list-size.js';
import { isLong } from './long-lists.js';

describe('the size of a list', () => {
  let fixture: TrickFixture;
  before(async () => {
    fixture = await startTrickFixture({
      build: (sim) => {
        const led = sim.object('led');
        led.component('to', pointer(double()));
        led.component('by', double(3));
      },
    });
  });
  after(() => fixture.close());

  it('has room for what pointers may lead to, in how its message is made', () => {
    const table = new ReferenceTable(fixture.local.source);
    const [to, by, none] = ['led.to', 'led.by', 'led.none'].map((name) => table.hold(name));
    if (!to || !by || !none) throw new Error('there are three');
    expect(mostBytes(to)).to.equal(shownBytes(to) + LONGEST_WRITE_BYTES);
    expect([mostBytes(by), mostBytes(none)]).to.deep.equal([shownBytes(by), shownBytes(none)]);
    const [pointers, numbers] = [Array(40).fill(to), Array(40).fill(by)];
    expect(isLong(pointers, sumOf(pointers, mostBytes))).to.equal(true);
    expect(isLong(numbers, sumOf(numbers, mostBytes))).to.equal(false);
  });

  it('counts the units that were asked for as kept, also those that are asked for later', async () => {
    const client = fixture.connect();
    const held = (): number => fixture.registry.ledger.held('keptBytes');
    const ask = (text: string): Promise<string> => fixture.ask(client, `${text}\n`);
    await ask('trick.var_pause()');
    await ask('trick.var_add("nope")');
    const plain = held();
    await ask(`trick.var_add("nope", "${'?'.repeat(99_000)}")`);
    expect(held() - plain).to.equal(384 + 2 * 4 + 2 * 257);
    await ask('trick.var_units("nope", "furlong")');
    expect(held() - plain).to.equal(384 + 2 * 4 + 2 * 257 + 2 * 7);
    await ask('trick.var_units("nope", "m"); trick.var_add("led.by[0]"); trick.var_units("led.by[0]", "?")');
    await ask('trick.var_remove("nope"); trick.var_remove("nope"); trick.var_remove("led.by[0]")');
    expect(held()).to.equal(plain - 384 - 2 * 4);
  });

  it('is nothing again when all its variables are removed', () => {
    const table = new ReferenceTable(fixture.local.source);
    const size = new ListSize();
    const references = ['led.to', 'led.by', 'led.none'].map((name) => table.hold(name));
    for (const reference of references) size.add(reference);
    expect([size.bytes, size.values, size.mostBytes]).to.deep.equal([
      sumOf(references, shownBytes),
      5,
      sumOf(references, mostBytes),
    ]);
    for (const reference of references) size.remove(reference);
    expect(size).to.deep.equal(new ListSize());
  });
});
