// The resource file, in XML as Trick View reads it.
import { expect } from 'chai';
import { Catalog } from '../../../model/state/catalog.js';
import { bool, type Declared, double, enumeration, int, struct, text } from '../../../model/state/declare.js';
import { vector } from '../../../model/state/declare-containers.js';
import { State } from '../../../model/state/state.js';
import { type SieChapter, type SieClient, sieFile } from './sie.js';

/** Who may have a document of any size. */
const ANYBODY: SieClient = { turn: () => Promise.resolve(), mayHave: () => true };
const textOf = async (catalog: Catalog, chapters?: readonly SieChapter[]): Promise<string> =>
  Buffer.from((await sieFile(catalog, ANYBODY, chapters)) as Uint8Array).toString('latin1');

/** The file of a simulation with one object `x` that has one component `c`. */
function fileOf(declared: Declared, chapters?: readonly SieChapter[]): Promise<string> {
  const state = new State();
  state.addObject('x', { typeName: 'XSimObject' }).component('c', declared);
  return textOf(new Catalog(state.describe()), chapters);
}

/** What stands between `="` and `"` of an attribute of the component. */
const attribute = (file: string, name: string): string | undefined =>
  new RegExp(`name="c"\\n(?:.*\\n)*?\\s*${name}="(.*)"`).exec(file)?.[1];

describe('a resource file', () => {
  it('is, to the byte, what Trick prints for an object with a number', async () => {
    expect(await fileOf(double({ units: 'm', about: 'height' }))).to.equal(
      '<?xml version="1.0"?>\n\n<sie>\n\n' +
        '  <class name="XSimObject">\n    <member\n      name="c"\n      type="double"\n      io_attributes="15"\n' +
        '      units="m"\n      description="height">\n    </member>\n  </class>\n\n' +
        '  <top_level_object\n    name="x"\n    type="XSimObject"\n    alloc_memory_init="1">\n  </top_level_object>\n\n' +
        '</sie>\n',
    );
  });

  it('holds only the chapters asked for, between the same first and last lines', async () => {
    const Phase = enumeration('Phase', { UP: 0, DOWN: 1 });
    const [first, last] = ['<?xml version="1.0"?>\n\n<sie>\n\n', '\n</sie>\n'];
    expect(await fileOf(Phase, ['enumerations'])).to.equal(
      `${first}  <enumeration name="Phase">\n    <pair label ="UP" value="0"/>\n    <pair label ="DOWN" value="1"/>\n  </enumeration>\n${last}`,
    );
    expect(await fileOf(Phase, ['classes']))
      .to.match(/<class name="XSimObject">/)
      .and.not.match(/<enumeration|<top_level/);
    expect(await fileOf(Phase, ['objects']))
      .to.match(/<top_level_object/)
      .and.not.match(/<enumeration|<class/);
  });

  it('writes :: as __ in the names of types', async () => {
    const file = await fileOf(vector(text(8), 4));
    expect(attribute(file, 'type')).to.equal('std__vector&lt;std__string>');
    expect(await fileOf(struct('A::B', { d: int() })))
      .to.include('<class name="A__B">')
      .and.include('type="A__B"');
  });

  it('shows who may read and write', async () => {
    expect(attribute(await fileOf(bool({ access: 'read-only' })), 'io_attributes')).to.equal('5');
    expect(attribute(await fileOf(bool({ access: 'write-only' })), 'io_attributes')).to.equal('10');
  });

  const descriptions = [
    ['a < b & "c" > d', 'a &lt; b &amp; &quot;c&quot; > d'],
    ['two\nlines\tand a bell\x07', 'two lines and a bell '],
    ['10 µm, 90°, 🚀', '10 &#181;m, 90&#176;, &#128640;'],
    ['half a pair \ud800', 'half a pair ?'],
  ] as const;
  for (const [about, expected] of descriptions) {
    it(`writes the description ${JSON.stringify(about)} as ${JSON.stringify(expected)}`, async () => {
      expect(attribute(await fileOf(int({ about })), 'description')).to.equal(expected);
    });
  }

  it('gives objects of one class name and different components a class each', async () => {
    const state = new State();
    for (const [name, alias] of [
      ['a', 'wheels'],
      ['b', 'wings'],
      ['c', 'wheels'],
    ] as const)
      state.addObject(name, { typeName: 'Craft' }).component(alias, int());
    const file = await textOf(new Catalog(state.describe()));
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

  it('is made once a catalog', async () => {
    const state = new State();
    const catalog = new Catalog(state.describe());
    expect(await sieFile(catalog, ANYBODY)).to.equal(await sieFile(catalog, ANYBODY));
    state.addObject('later');
    expect(await textOf(new Catalog(state.describe()))).to.include('name="later"');
  });

  /** Of one class with so many members. */
  function largeCatalog(): Catalog {
    const state = new State();
    const members = Array.from({ length: 3000 }, (_, k) => [`member_${k}`, double({ units: 'm' })] as const);
    state.addObject('x').component('c', struct('Large', Object.fromEntries(members)));
    return new Catalog(state.describe());
  }

  /** Counts its turns; the sizes that it hears of. */
  function client(most = Number.POSITIVE_INFINITY) {
    const sizes: number[] = [];
    const counted = { turns: 0 };
    const mayHave = (bytes: number): boolean => sizes.push(bytes) > 0 && bytes <= most;
    const turn = (): Promise<void> => Promise.resolve(void counted.turns++);
    return { sizes, counted, mayHave, turn };
  }

  it('of many members is made in turns, once for all who ask meanwhile', async () => {
    const catalog = largeCatalog();
    const [one, other, little] = [client(), client(), client(100_000)];
    const [file, same, nothing] = await Promise.all([one, other, little].map((each) => sieFile(catalog, each)));
    expect([same === file, nothing]).to.deep.equal([true, undefined]);
    const { sizes } = other;
    expect(sizes).to.deep.equal([...sizes].sort((a, b) => a - b));
    expect([sizes.length > 10, (sizes[1] as number) < 150_000, sizes.at(-1)]).to.deep.equal([true, true, file?.length]);
    expect([one.counted.turns > 10, other.counted.turns, little.sizes.length < sizes.length]).to.deep.equal([
      true,
      0,
      true,
    ]);
    expect(Buffer.from(file as Uint8Array).toString('latin1')).to.equal(await textOf(largeCatalog()));
    expect((await textOf(catalog)).match(/<member\n/g)).to.have.length(3001);
  });

  it('of many objects without members is made in turns, too', async () => {
    const state = new State();
    for (let k = 0; k < 5000; k++) state.addObject(`o${k}`);
    const one = client();
    await sieFile(new Catalog(state.describe()), one);
    expect(one.sizes.filter((bytes) => bytes === 0).length).to.be.at.least(10);
  });

  it('that nobody asks for any longer is not kept half', async () => {
    const catalog = largeCatalog();
    const [little, later] = [client(100_000), client()];
    expect(await sieFile(catalog, little)).to.equal(undefined);
    expect(little.sizes.at(-1)).to.be.within(100_000, 150_000);
    await sieFile(catalog, later);
    expect(later.sizes[0]).to.equal(0);
  });
});
