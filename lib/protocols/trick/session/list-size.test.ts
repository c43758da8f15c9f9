// How a list is counted: what its pointers lead to may be long.
import { expect } from 'chai';
import { array, double, pointer, text } from '../../../model/state/declare.js';
import { sizeOf } from '../../../model/state/type.js';
import { startTrickFixture, type TrickFixture } from '../../../testing/aids/trick-server.js';
import { LONGEST_WRITE_BYTES } from '../wire/messages.js';
import { ReferenceTable } from '../wire/reference.js';
import { isLong } from './list-maker.js';
import { ListSize, mostBytes, shownBytes, sumOf } from './list-size.js';

describe('the size of a list', () => {
  let fixture: TrickFixture;
  before(async () => {
    fixture = await startTrickFixture({
      build: (sim) => {
        const led = sim.object('led');
        led.component('to', pointer(double()));
        led.component('by', double(3));
        led.component('names', array(text(1024), 9000));
        led.component('wide', double(20_000));
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

  it('has room for the memory that values are read from, in how its message is made', () => {
    const table = new ReferenceTable(fixture.local.source);
    const [names, wide] = ['led.names', 'led.wide'].map((name) => table.hold(name));
    if (!names?.variable || !wide) throw new Error('there are two');
    expect(mostBytes(wide)).to.equal(8 * 8192);
    expect(mostBytes(names)).to.be.above(8_000_000).and.below(sizeOf(names.variable.type));
    const all = Array(28).fill(names);
    expect([isLong(all, sumOf(all, shownBytes)), isLong(all, sumOf(all, mostBytes))]).to.deep.equal([false, true]);
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
