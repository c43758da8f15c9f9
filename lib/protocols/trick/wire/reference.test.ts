// References: lookup, units, and what sessions share.
import { expect } from 'chai';
import { double } from '../../../model/state/declare.js';
import { createFixture } from '../../../testing/aids/fixture/state.js';
import { ReferenceTable } from './reference.js';

describe('Trick references', () => {
  it('are shared by name and units, blanks around the name aside', () => {
    const table = new ReferenceTable(createFixture());
    const first = table.hold('fx.all.len', 'ft');
    expect(table.hold(' fx.all.len ', 'ft')).to.equal(first);
    expect(table.hold('fx.all.len', 'km')).to.not.equal(first);
    expect(table.hold('fx.all.len')).to.equal(table.hold('fx.all.len', '--'));
    expect(table.size).to.equal(3);
  });

  it('are forgotten when the last hold is released', () => {
    const table = new ReferenceTable(createFixture());
    const reference = table.hold('fx.all.d');
    table.hold('fx.all.d');
    table.release(reference);
    expect(table.size).to.equal(1);
    table.release(reference);
    expect(table.size).to.equal(0);
    expect(table.hold('fx.all.d').id).to.not.equal(reference.id);
  });

  it('heal when the variable appears and turn bad when it goes', () => {
    const fixture = createFixture();
    const reference = new ReferenceTable(fixture).hold('late.mass', 'g');
    expect(reference.fieldIn(fixture.snapshot())).to.equal('\tBAD_REF');
    const late = fixture.state.addObject('late');
    late.component('mass', double({ units: 'kg' }), 2.5);
    expect(reference.fieldIn(fixture.snapshot())).to.equal('\t2500 {g}');
    late.remove('mass');
    expect(reference.fieldIn(fixture.snapshot())).to.equal('\tBAD_REF');
  });

  it('find nothing in a frame of an earlier catalog, and the variable again in the next frame', () => {
    const fixture = createFixture();
    const reference = new ReferenceTable(fixture).hold('fx.all.d');
    const old = fixture.snapshot();
    fixture.state.addObject('other');
    expect(reference.fieldIn(fixture.snapshot())).to.equal('\t-2.25');
    expect(reference.fieldIn(old)).to.equal('\tBAD_REF');
    expect(reference.fieldIn(fixture.snapshot())).to.equal('\t-2.25');
  });

  it('follow a pointer and a container as they change', () => {
    const fixture = createFixture();
    const table = new ReferenceTable(fixture);
    const [whole, element, pointed] = ['vd', 'vd[3]', 'dyn'].map((name) => table.hold(`fx.all.${name}`));
    expect([whole, element, pointed].map((held) => held?.fieldIn(fixture.snapshot()))).to.deep.equal([
      '\t1.1,2.2,3.3',
      '\tBAD_REF',
      '\t11,22,33',
    ]);
    fixture.all.vd.replace([1, 2, 3, 4]);
    fixture.all.dyn.clear();
    expect([whole, element, pointed].map((held) => held?.fieldIn(fixture.snapshot()))).to.deep.equal([
      '\t1,2,3,4',
      '\t4',
      '\tBAD_REF',
    ]);
  });

  it('show a changed value in the next frame and format it once a frame', () => {
    const fixture = createFixture();
    const reference = new ReferenceTable(fixture).hold('fx.all.d');
    const frame = fixture.snapshot();
    expect(reference.fieldIn(frame)).to.equal('\t-2.25');
    frame.memory.bytes.fill(0);
    expect(reference.fieldIn(frame)).to.equal('\t-2.25');
    fixture.all.d = -2.5;
    expect(reference.fieldIn(fixture.snapshot())).to.equal('\t-2.5');
  });

  it('show changed text, also where only its length changes', () => {
    const fixture = createFixture();
    const table = new ReferenceTable(fixture);
    const [text, characters, pointed] = ['str', 'name', 'cp'].map((name) => table.hold(`fx.all.${name}`));
    const fields = () => [text, characters, pointed].map((held) => held?.fieldIn(fixture.snapshot()));
    expect(fields()).to.deep.equal(['\tplain text', '\tOrion', '\tpointed text']);
    fixture.all.str = 'plain';
    fixture.all.name = 'Orio';
    fixture.all.cp = null as never;
    expect(fields()).to.deep.equal(['\tplain', '\tOrio', '\t']);
  });

  it('show text beyond ASCII byte by byte', () => {
    const fixture = createFixture();
    const reference = new ReferenceTable(fixture).hold('fx.all.str_utf8');
    expect(reference.fieldIn(fixture.snapshot())).to.equal('\t\\xc3\\xa9t\\xc3\\xa9 \\xe2\\x86\\x92');
  });

  it('show whole containers, elements separated by commas', () => {
    const fixture = createFixture();
    const table = new ReferenceTable(fixture);
    const show = (name: string) => table.hold(`fx.all.${name}`).fieldIn(fixture.snapshot());
    expect(['vi', 'vb', 'vs', 'qf', 'as', 'vempty', 'strs'].map(show)).to.deep.equal([
      '\t10,20,30',
      '\t1,0,1',
      '\tone,two',
      '\t0.5,1.5',
      '\t-1,-2,-3',
      '\t',
      '\tfirst,second',
    ]);
    expect(['vsen', 'dyn_sensors', 'null_dyn'].map(show)).to.deep.equal(Array(3).fill('\tBAD_REF'));
  });

  it('truncate a converted integer, and do not wrap one that its type cannot hold', () => {
    const fixture = createFixture();
    const table = new ReferenceTable(fixture);
    const show = (name: string, units: string) => table.hold(`fx.all.${name}`, units).fieldIn(fixture.snapshot());
    fixture.all.len_i = -1999;
    expect(show('len_i', 'km')).to.equal('\t-1 {km}');
    expect(show('len_ui', 'mm')).to.equal('\t3000000000000 {mm}');
    // 2^52 + 1 thousand times, rounded to a double: a multiple of 512.
    expect(show('len_ll', 'mm')).to.equal('\t4503599627370497024 {mm}');
    fixture.all.len_i = -1;
    expect(show('len_i', 'Mm')).to.equal('\t0 {Mm}');
  });

  it('mean simulation time by the name time, always in seconds', () => {
    const fixture = createFixture();
    const table = new ReferenceTable(fixture);
    const time = table.hold('time', 'min');
    expect(time.fieldIn(fixture.snapshot(8_220_000))).to.equal('\t8.220000000000001 {s}');
    expect(table.exchange(time, 'min').reference).to.equal(time);
    expect(time.variable).to.equal(undefined);
  });

  it('keep no more of units than could be parsed', () => {
    const table = new ReferenceTable(createFixture());
    const [longest, long, longer] = [256, 257, 99_000].map((length) => 'm'.repeat(length));
    expect(table.hold('nope', longest).requestedUnits).to.equal(longest);
    const held = table.hold('nope', longer);
    expect(held.requestedUnits).to.equal(`${longest}…`);
    expect(table.hold('nope', long)).to.equal(held);
    const known = table.hold('fx.all.len', `m${' '.repeat(99_000)}`);
    expect(known.shownUnits).to.equal(undefined);
    expect(known.unitsProblem)
      .to.match(/expected at most 256 characters/)
      .and.have.length.below(200);
    const { reference, unchanged } = table.exchange(known, longer as string);
    expect(unchanged)
      .to.match(/expected at most 256 characters/)
      .and.have.length.below(200);
    expect(reference).to.equal(known);
    expect(table.exchange(held, 'ft').reference.requestedUnits).to.equal('ft');
  });

  it('keep names and units whatever characters they have', () => {
    const table = new ReferenceTable(createFixture());
    for (const text of ['µm²', '\ud800', 'a\0b', '😀'])
      expect(table.hold(` ${text} `, text)).to.include({ name: text, requestedUnits: text });
  });

  it('say why units are not shown', () => {
    const table = new ReferenceTable(createFixture());
    const reference = table.hold('fx.all.len', 'kg');
    expect(reference.shownUnits).to.equal(undefined);
    expect(reference.unitsProblem).to.match(/"kg"/);
    expect(table.exchange(reference, 'kg').unchanged).to.match(/"kg"/);
  });

  it('are not forged by what is in a name', () => {
    const fixture = createFixture();
    const table = new ReferenceTable(fixture);
    const forged = table.hold('fx.all.len\tkm');
    expect(table.hold('fx.all.len', 'km').fieldIn(fixture.snapshot())).to.equal('\t1.2345 {km}');
    expect(forged.fieldIn(fixture.snapshot())).to.equal('\tBAD_REF');
  });

  it('show all spellings of a path from one, each under its own name', () => {
    const fixture = createFixture();
    const table = new ReferenceTable(fixture);
    const spelled = ['fx.all.len', 'fx . all.len', 'fx.all . len'].map((name) => table.hold(name, 'km'));
    expect(spelled.map((held) => held.fieldIn(fixture.snapshot()))).to.deep.equal(Array(3).fill('\t1.2345 {km}'));
    expect(spelled.map(({ nameBytes }) => nameBytes.toString())).to.deep.equal([
      'fx.all.len',
      'fx . all.len',
      'fx.all . len',
    ]);
    expect(new Set(spelled.map((held) => held.usual ?? held)).size).to.equal(1);
    for (const held of spelled) table.release(held);
    expect(table.size).to.equal(0);
  });

  it('are those that sessions hold when they are for one message, or else shared with nobody', () => {
    const fixture = createFixture();
    const table = new ReferenceTable(fixture);
    const held = table.hold('fx.all.i');
    expect([table.unheld(' fx.all.i ') === held, table.unheld('fx.all . i').usual === held]).to.deep.equal([
      true,
      true,
    ]);
    const alone = table.unheld('fx.all.d');
    expect(alone).to.not.equal(table.unheld('fx.all.d'));
    const [frame, again] = [fixture.snapshot(), table.hold('fx.all.d')];
    expect([alone.fieldIn(frame), table.unheld('fx . no').fieldIn(frame)]).to.deep.equal([
      again.fieldIn(frame),
      '\tBAD_REF',
    ]);
    expect([table.size, held.holders, table.unheld('fx.all.d') === again]).to.deep.equal([2, 1, true]);
  });

  it('are exchanged for the same variable in other units', () => {
    const fixture = createFixture();
    const table = new ReferenceTable(fixture);
    const { reference } = table.exchange(table.hold('fx.all.len'), 'km');
    expect(reference.fieldIn(fixture.snapshot())).to.equal('\t1.2345 {km}');
    expect(table.size).to.equal(1);
  });

  it('keep units asked for a name that means nothing yet', () => {
    const fixture = createFixture();
    const table = new ReferenceTable(fixture);
    const { reference } = table.exchange(table.hold('late.mass'), 'g');
    fixture.state.addObject('late').component('mass', double({ units: 'kg' }), 2.5);
    expect(reference.fieldIn(fixture.snapshot())).to.equal('\t2500 {g}');
  });
});
