// The resource file, in XML as Trick View reads it.
import { expect } from 'chai';
import { Catalog } from '../../model/catalog.js';
import { bool, type Declared, double, enumeration, int, struct, text } from '../../model/declare.js';
import { vector } from '../../model/declare-containers.js';
import { State } from '../../model/state.js';
import { type SieChapter, sieDocument, sieFile } from './sie.js';

/** The file of a simulation with one object `x` that has one component `c`. */
function fileOf(declared: Declared, chapters?: readonly SieChapter[]): string {
  const state = new State();
  state.addObject('x', { typeName: 'XSimObject' }).component('c', declared);
  return Buffer.from(sieFile(new Catalog(state.describe()), chapters)).toString('latin1');
}

/** What stands between `="` and `"` of an attribute of the component. */
const attribute = (file: string, name: string): string | undefined =>
  new RegExp(`name="c"\\n(?:.*\\n)*?\\s*${name}="(.*)"`).exec(file)?.[1];

describe('a resource file', () => {
  it('is, to the byte, what Trick prints for an object with a number', () => {
    expect(fileOf(double({ units: 'm', about: 'height' }))).to.equal(
      '<?xml version="1.0"?>\n\n<sie>\n\n' +
        '  <class name="XSimObject">\n    <member\n      name="c"\n      type="double"\n      io_attributes="15"\n' +
        '      units="m"\n      description="height">\n    </member>\n  </class>\n\n' +
        '  <top_level_object\n    name="x"\n    type="XSimObject"\n    alloc_memory_init="1">\n  </top_level_object>\n\n' +
        '</sie>\n',
    );
  });

  it('holds only the chapters asked for, between the same first and last lines', () => {
    const Phase = enumeration('Phase', { UP: 0, DOWN: 1 });
    const [first, last] = ['<?xml version="1.0"?>\n\n<sie>\n\n', '\n</sie>\n'];
    expect(fileOf(Phase, ['enumerations'])).to.equal(
      `${first}  <enumeration name="Phase">\n    <pair label ="UP" value="0"/>\n    <pair label ="DOWN" value="1"/>\n  </enumeration>\n${last}`,
    );
    expect(fileOf(Phase, ['classes']))
      .to.match(/<class name="XSimObject">/)
      .and.not.match(/<enumeration|<top_level/);
    expect(fileOf(Phase, ['objects']))
      .to.match(/<top_level_object/)
      .and.not.match(/<enumeration|<class/);
  });

  it('writes :: as __ in the names of types', () => {
    const file = fileOf(vector(text(8), 4));
    expect(attribute(file, 'type')).to.equal('std__vector&lt;std__string>');
    expect(fileOf(struct('A::B', { d: int() })))
      .to.include('<class name="A__B">')
      .and.include('type="A__B"');
  });

  it('shows who may read and write', () => {
    expect(attribute(fileOf(bool({ access: 'read-only' })), 'io_attributes')).to.equal('5');
    expect(attribute(fileOf(bool({ access: 'write-only' })), 'io_attributes')).to.equal('10');
  });

  const descriptions = [
    ['a < b & "c" > d', 'a &lt; b &amp; &quot;c&quot; > d'],
    ['two\nlines\tand a bell\x07', 'two lines and a bell '],
    ['10 µm, 90°, 🚀', '10 &#181;m, 90&#176;, &#128640;'],
    ['half a pair \ud800', 'half a pair ?'],
  ] as const;
  for (const [about, expected] of descriptions) {
    it(`writes the description ${JSON.stringify(about)} as ${JSON.stringify(expected)}`, () => {
      expect(attribute(fileOf(int({ about })), 'description')).to.equal(expected);
    });
  }

  it('gives objects of one class name and different components a class each', () => {
    const state = new State();
    for (const [name, alias] of [
      ['a', 'wheels'],
      ['b', 'wings'],
      ['c', 'wheels'],
    ] as const)
      state.addObject(name, { typeName: 'Craft' }).component(alias, int());
    const file = Buffer.from(sieFile(new Catalog(state.describe()))).toString();
    const types = [...file.matchAll(/<top_level_object\n {4}name="(.)"\n {4}type="(.*)"/g)].map(
      ([, ...found]) => found,
    );
    expect(types).to.deep.equal([
      ['a', 'Craft'],
      ['b', 'Craft__b'],
      ['c', 'Craft'],
    ]);
    expect(file.match(/<class name=".*">/g)).to.deep.equal(['<class name="Craft">', '<class name="Craft__b">']);
  });

  it('is made once a catalog', () => {
    const state = new State();
    const catalog = new Catalog(state.describe());
    expect(sieFile(catalog)).to.equal(sieFile(catalog));
    state.addObject('later');
    expect(Buffer.from(sieFile(new Catalog(state.describe()))).toString()).to.include('name="later"');
  });

  /** Of one class with so many members. */
  function largeCatalog(): Catalog {
    const state = new State();
    const members = Array.from({ length: 3000 }, (_, k) => [`member_${k}`, double({ units: 'm' })] as const);
    state.addObject('x').component('c', struct('Large', Object.fromEntries(members)));
    return new Catalog(state.describe());
  }

  it('of many members is made in pieces, once for all who ask meanwhile', () => {
    const catalog = largeCatalog();
    const [one, other] = [sieDocument(catalog), sieDocument(catalog)];
    const sizes: number[] = [];
    let file: Uint8Array | undefined;
    for (let turn = 0; !file; turn++) {
      file = (turn % 2 === 0 ? one : other).advance();
      sizes.push(one.bytes);
    }
    expect(sizes).to.deep.equal([...sizes].sort((a, b) => a - b));
    expect([sizes.length > 10, (sizes[0] as number) < 150_000, sizes.at(-1)]).to.deep.equal([true, true, file.length]);
    expect([one.advance(), other.advance()]).to.deep.equal([file, file]);
    expect(Buffer.from(file).equals(sieFile(largeCatalog()))).to.equal(true);
    expect(
      Buffer.from(file)
        .toString()
        .match(/<member\n/g),
    ).to.have.length(3001);
  });

  it('of many objects without members is made in pieces, too', () => {
    const state = new State();
    for (let k = 0; k < 5000; k++) state.addObject(`o${k}`);
    const document = sieDocument(new Catalog(state.describe()));
    let pieces = 0;
    while (!document.advance() && document.bytes === 0) pieces++;
    expect(pieces).to.be.at.least(10);
  });

  it('that nobody asks for any longer is not kept half', () => {
    const catalog = largeCatalog();
    const document = sieDocument(catalog);
    document.advance();
    document.leave();
    expect(sieDocument(catalog).bytes).to.equal(0);
  });
});
