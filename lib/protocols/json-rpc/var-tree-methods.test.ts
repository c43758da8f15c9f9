// var/children, var/search, and var/list below a path: variables for people who look for them.
import { expect } from 'chai';
import fc from 'fast-check';
import { array, bool, double, enumeration, pointer, struct, text } from '../../model/state/declare.js';
import { vector } from '../../model/state/declare-containers.js';
import type { State } from '../../model/state/state.js';
import { anyCharacter } from '../../testing/aids/any-character.js';
import { TestBall } from '../../testing/aids/http-ball.js';
import { TestServer } from '../../testing/aids/http-exchange.js';
import { runs } from '../../testing/aids/run-counts.js';

const Sensor = struct('Sensor', { gain: double({ units: 'V', about: 'amplification' }), label: text(8) });

function declare(state: State): void {
  const vehicle = state.addObject('vehicle');
  vehicle.component(
    'nav',
    struct('Nav', {
      position: double(3, { units: 'm', about: 'in the inertial frame' }),
      positionError: double(3, { units: 'm' }),
      posCount: double(),
      phase: enumeration('Phase', { FALLING: 0, LANDED: 2 }),
      sensors: array(Sensor, 3),
      isArmed: bool(),
      history: vector(double(), 4),
      target: pointer(double()),
    }),
    { history: [1, 2] },
  );
  state.addObject('trick_fake').component('position', double(), 0);
}

const server = () => new TestServer(new TestBall(declare));
// biome-ignore lint/suspicious/noExplicitAny: whatever the server says
const aliases = (rows: readonly any[]): string[] => rows.map(({ alias }) => alias);

describe('var/children', () => {
  it('goes from the objects down to the elements', async () => {
    const at = async (path: string) => (await server().call('var/children', { path })).children;
    expect(aliases(await at(''))).to.deep.equal(['ball', 'vehicle', 'trick_fake']);
    expect(aliases(await at('vehicle'))).to.deep.equal(['vehicle.nav']);
    const nav = await at('vehicle.nav');
    // biome-ignore lint/suspicious/noExplicitAny: whatever the server says
    const row = (name: string) => nav.find((each: any) => each.name === name);
    expect(row('position')).to.deep.equal({
      alias: 'vehicle.nav.position',
      name: 'position',
      kind: 'number',
      type_path: 'double',
      unit: 'm',
      dim: [3],
      about: 'in the inertial frame',
      access: 'read-write',
      has_children: true,
    });
    expect(row('phase')).to.include({ kind: 'enumeration', has_children: false });
    expect(row('phase').labels).to.deep.equal({ FALLING: 0, LANDED: 2 });
    expect(row('posCount')).to.include({ has_children: false });
    expect(aliases(await at('vehicle.nav.sensors'))).to.deep.equal([0, 1, 2].map((i) => `vehicle.nav.sensors[${i}]`));
    expect((await at('vehicle.nav.sensors[1]'))[0]).to.include({ alias: 'vehicle.nav.sensors[1].gain', unit: 'V' });
    expect((await at('vehicle.nav.position'))[2]).to.include({ alias: 'vehicle.nav.position[2]', name: '[2]' });
  });

  it('shows of a sequence what it holds now, and of a pointer what it points at', async () => {
    const at = async (path: string) => aliases((await server().call('var/children', { path })).children);
    expect(await at('vehicle.nav.history')).to.deep.equal(['vehicle.nav.history[0]', 'vehicle.nav.history[1]']);
    expect(await at('vehicle.nav.target')).to.deep.equal([]);
    expect(await at('vehicle.nav.posCount')).to.deep.equal([]);
  });

  it('answers 100,000 siblings in pages and by a filter', async () => {
    const many = new TestServer(new TestBall((state) => state.addObject('huge').component('v', double(100_000))));
    const page = await many.call('var/children', { path: 'huge.v', offset: 99_990, count: 50 });
    expect(page).to.include({ total: 100_000, offset: 99_990 });
    expect(aliases(page.children)).to.have.length(10);
    expect(page.children[9].alias).to.equal('huge.v[99999]');
    const fitting = await many.call('var/children', { path: 'huge.v', filter: '[777', count: 3 });
    expect(fitting.total).to.equal(111);
    expect(aliases(fitting.children)).to.deep.equal(['huge.v[777]', 'huge.v[7770]', 'huge.v[7771]']);
    expect((await many.call('var/children', { path: 'huge.v', offset: 1e9 })).children).to.deep.equal([]);
  });

  it('leaves out what fits a pattern, and refuses what is no path', async () => {
    const left = await server().call('var/children', { without: ['trick_*', 'ball'] });
    expect(aliases(left.children)).to.deep.equal(['vehicle']);
    expect((await server().respond('var/children', { path: 'vehicel' })).error.message).to.match(
      /did you mean vehicle/,
    );
    expect((await server().respond('var/children', { count: 1001 })).error.code).to.equal(-32602);
  });

  it('has every variable of var/list as a leaf', async () => {
    const own = server();
    const leaves: string[] = [];
    const visit = async (path: string): Promise<void> => {
      for (const child of (await own.call('var/children', { path })).children) {
        const isEntered = child.kind === 'struct' && (child.dim.length === 0 || child.has_children);
        if (isEntered) await visit(child.alias);
        else leaves.push(child.alias);
      }
    };
    await visit('');
    expect(leaves).to.deep.equal(aliases(await own.call('var/list')));
  });
});

describe('var/search', () => {
  const found = async (words: string, more: object = {}) => {
    const { matches } = await server().call('var/search', { text: words, ...more });
    return matches.map(({ alias, rank }: { alias: string; rank: string }) => `${alias} ${rank}`);
  };

  it('ranks exact names, then beginnings of words, parts of words, and descriptions', async () => {
    expect(await found('position')).to.deep.equal([
      'ball.position exact',
      'trick_fake.position exact',
      'vehicle.nav.position exact',
      'vehicle.nav.positionError prefix',
    ]);
    expect((await found('err'))[0]).to.equal('vehicle.nav.positionError prefix');
    expect((await found('osit'))[0]).to.match(/substring$/);
    expect(await found('inertial')).to.deep.equal(['vehicle.nav.position about']);
  });

  it('wants every word, in any case and any order, over path, description and units', async () => {
    expect(await found('POS nav m')).to.include('vehicle.nav.positionError about');
    expect(await found('inertial vehicle')).to.deep.equal(['vehicle.nav.position about']);
    expect(await found('gain V')).to.have.length(3);
    expect(await found('sensors[1].gain')).to.deep.equal(['vehicle.nav.sensors[1].gain prefix']);
    expect(await found('nav.pos vehicle')).to.have.length(3);
    expect(await found('position inertial nothing')).to.deep.equal([]);
  });

  it('finds names that are spelled alike when nothing fits', async () => {
    expect(await found('positoin')).to.include('vehicle.nav.position fuzzy');
    expect(await found('vehicle senors')).to.include('vehicle.nav.sensors fuzzy');
    expect(await found('nav.positoin')).to.include('vehicle.nav.position fuzzy');
    expect(await found('zzzzzzzz')).to.deep.equal([]);
  });

  it('finds elements by their indices', async () => {
    expect((await found('nav.position[2]'))[0]).to.equal('vehicle.nav.position[2] prefix');
    expect(await found('nav.position[7]')).to.deep.equal([]);
    for (const range of ['[1-2]', '[1-2'])
      expect((await found(`nav.position${range}`)).slice(0, 2), range).to.deep.equal([
        'vehicle.nav.position[1] prefix',
        'vehicle.nav.position[2] prefix',
      ]);
    expect((await found('nav.position[2'))[0]).to.equal('vehicle.nav.position[2] prefix');
    expect((await found('nav.position['))[0]).to.equal('vehicle.nav.position prefix');
    expect(await found('sensors[0-1].gain')).to.have.length(2);
    expect(await found('nav.position[2-1]')).to.deep.equal([]);
    const { is_complete } = await own.call('var/search', { text: 'nav.position[0-999999999]' });
    expect(is_complete).to.equal(false);
  });

  it('can be kept below a path, away from others, to values, and to so many', async () => {
    expect(await found('position', { under: 'vehicle', limit: 1 })).to.deep.equal(['vehicle.nav.position exact']);
    expect(await found('position', { without: ['trick_*', 'vehicle'] })).to.deep.equal(['ball.position exact']);
    expect(await found('sensors')).to.include('vehicle.nav.sensors exact');
    expect(await found('sensors', { kind: 'value', limit: 1 })).to.deep.equal(['vehicle.nav.sensors[0].gain prefix']);
  });

  it('refuses long texts and takes odd ones', async () => {
    expect((await server().respond('var/search', { text: 'x'.repeat(201) })).error.code).to.equal(-32602);
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 1, maxLength: 60, unit: anyCharacter }), async (words) => {
        const { result } = await own.respond('var/search', { text: words });
        expect(result.is_complete).to.equal(true);
      }),
      { numRuns: runs(60) },
    );
  });
  const own = server();

  it('finds every variable by its own path', async () => {
    for (const { alias } of await own.call('var/list')) {
      const { matches } = await own.call('var/search', { text: alias, limit: 5 });
      expect(matches[0].alias, alias).to.equal(alias);
    }
  });
});

describe('var/list below a path', () => {
  it('lists what lies below, page by page, and leaves out patterns', async () => {
    const own = server();
    const all = aliases(await own.call('var/list', { under: 'vehicle' }));
    expect(all.every((path) => path.startsWith('vehicle.'))).to.equal(true);
    const pages: string[] = [];
    for (let after: string | undefined; ; after = pages.at(-1)) {
      const page = aliases(await own.call('var/list', { under: 'vehicle', limit: 3, ...(after && { after }) }));
      if (page.length === 0) break;
      pages.push(...page);
    }
    expect(pages).to.deep.equal(all);
    expect(aliases(await own.call('var/list', { without: ['vehicle', 'trick_*'] }))).to.deep.equal([
      'ball.position',
      'ball.velocity',
    ]);
  });
});
