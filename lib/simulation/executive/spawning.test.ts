// Objects and components that come and go while a simulation runs.
import { expect } from 'chai';
import { array, bool, double, enumeration, int, pointer, struct, text } from '../../model/state/declare.js';
import type { Value } from '../../model/state/read.js';
import { TestRun } from '../../testing/aids/simulation-run.js';
import type { NewComponent, Request } from './request.js';
import type { Outcome } from './request-queue.js';
import { type Sim, simulation } from './simulation.js';

const Phase = enumeration('Phase', { STANDBY: 0, ENTRY: 7 });
const Body = struct('Body', {
  position: double(2, { units: 'm' }),
  phase: Phase,
  tag: text(8),
  fixed: int({ access: 'read-only' }),
  parts: array(struct('Part', { mass: double(), isOn: bool() }), 2),
});

function build(sim: Sim): void {
  sim.type(Body);
  sim.type(double(2, { units: 'm' }), { name: 'Place' });
  sim.type(struct('Secret', { x: double() }), { spawnable: false });
  const o = sim.object('o');
  o.component('x', double(), 1);
}

const spawn = (object: string, ...components: readonly NewComponent[]): Request => ({
  kind: 'spawn',
  object,
  components,
});
const body = (initial?: Value): NewComponent => ({ alias: 'body', type: 'Body', ...(initial ? { initial } : {}) });
const one = (run: TestRun, request: Request): Outcome => run.ask(request)[0] as Outcome;
const tree = (run: TestRun): unknown =>
  run.catalog.objects
    .filter(({ name }) => !name.startsWith('trick_'))
    .map(({ name, parent }) => [name, run.catalog.objects.find(({ number }) => number === parent)?.name ?? null]);

describe('spawning', () => {
  it('makes an object with its components, answered with its number and the frame that shows it', async () => {
    const run = await TestRun.start({}, build);
    const initial = { position: [1, 2], phase: 'ENTRY', parts: [{ mass: 3, isOn: true }, {}] };
    const outcome = one(run, spawn('pod', body(initial), { alias: 'place', type: 'Place', initial: [5, 0] }));
    expect(outcome).to.deep.equal({ frame: 2, value: run.catalog.object('pod')?.number });
    expect(run.last.value('pod.body')).to.deep.equal({
      position: [1, 2],
      phase: 7,
      tag: '',
      fixed: 0,
      parts: [
        { mass: 3, isOn: true },
        { mass: 0, isOn: false },
      ],
    });
    expect([run.last.value('pod.place'), run.catalog.find('pod.place')?.units]).to.deep.equal([[5, 0], 'm']);
    expect(run.write('pod.body.position[1]', 9)).to.deep.equal({ frame: 3 });
    expect(run.last.value('pod.body.position')).to.deep.equal([1, 9]);
  });

  const REFUSED: readonly [Request, string][] = [
    [spawn('o'), 'there is an object o already'],
    [spawn('5a'), 'an object is named with letters, digits and _, and starts with no digit: not "5a"'],
    [spawn('a'.repeat(256)), 'an object has a name of up to 255 characters, not 256'],
    [spawn('trick_sys'), "trick_sys is one of Trick's own objects, which clients do not change"],
    [{ kind: 'spawn', object: 'pod', parent: 'oo', components: [] }, 'there is no object oo; did you mean o?'],
    [spawn('pod', body(), { alias: 'b', type: 'Bdy' }), 'there is no type Bdy; did you mean Body?'],
    [spawn('pod', body(), { alias: 'b', type: 'Secret' }), 'the simulation alone makes components of type Secret'],
    [spawn('pod', body(), body()), 'object pod cannot have or lose a component body twice'],
    [
      spawn('pod', body(), { alias: 'a b', type: 'Body' }),
      'a component is named with letters, digits and _, and starts with no digit: not "a b"',
    ],
    [spawn('pod', body({ position: 'x' })), 'pod.body.position is a double[2]; the text "x" does not fit'],
    [spawn('pod', body({ position: [1] })), 'pod.body.position has 2 elements, a list of 1 does not fit'],
    [spawn('pod', body({ parts: [{}] })), 'pod.body.parts has 2 elements, a list of 1 does not fit'],
    [
      spawn('pod', body({ phase: 2 ** 32 })),
      'pod.body.phase is a whole number from -2147483648 to 2147483647; the number 4294967296 does not fit',
    ],
    [spawn('pod', body({ phase: 'LANDED' })), 'pod.body.phase is a Phase, which has no label "LANDED"'],
    [spawn('pod', body({ fixed: 1 })), 'pod.body.fixed is read-only'],
    [spawn('pod', body({ tag: 'far too long' })), 'pod.body.tag has room for 8 bytes of text, not 12'],
    [
      { kind: 'insert', object: 'o', components: [{ alias: 'x', type: 'Body' }] },
      'object o cannot have or lose a component x twice',
    ],
    [{ kind: 'insert', object: 'pod', components: [body()] }, 'there is no object pod; did you mean o?'],
    [{ kind: 'remove', object: 'o', aliases: ['x', 'y'] }, 'object o has no component y; did you mean x?'],
    [{ kind: 'remove', object: 'o', aliases: ['x', 'x'] }, 'object o cannot have or lose a component x twice'],
    [
      { kind: 'remove', object: 'trick_sys', aliases: ['sched'] },
      "trick_sys is one of Trick's own objects, which clients do not change",
    ],
    [{ kind: 'despawn', object: 'oo', isRecursive: true }, 'there is no object oo; did you mean o?'],
    [{ kind: 'reparent', object: 'o', parent: 'o' }, 'object o cannot be its own parent'],
    [
      { kind: 'reparent', object: 'o', parent: 'trick_sys' },
      "trick_sys is one of Trick's own objects, which clients do not change",
    ],
  ];
  for (const [request, error] of REFUSED) {
    it(`is refused whole: ${error.slice(0, 90)}`, async () => {
      const run = await TestRun.start({}, build);
      const before = structuredClone(run.running.state.describe());
      expect(one(run, request)).to.deep.equal({ error });
      expect(run.running.state.describe()).to.deep.equal(before);
      expect(run.frames.length).to.equal(1);
    });
  }

  it('ends at the limits that the simulation sets, which its own code may pass', async () => {
    const run = await TestRun.start({ mostObjects: 12, mostStateBytes: 30_000 }, build);
    let count = run.catalog.objects.length;
    while (count < 12) expect(one(run, spawn(`a${count++}`))).to.have.property('frame');
    expect(one(run, spawn('more'))).to.deep.equal({ error: 'there are 12 objects: clients may add more up to 12' });
    run.sim.object('own').component('large', double(3000));
    const insert: Request = { kind: 'insert', object: 'o', components: [body()] };
    expect((one(run, insert) as { error: string }).error).to.match(
      /^the state would take \d+ bytes: clients may add to it up to 30000$/,
    );
    const many = Array.from({ length: 1000 }, (_, index) => ({ alias: `c${index}`, type: 'Body' }));
    expect(one(run, { kind: 'insert', object: 'o', components: many })).to.deep.equal({
      error: 'object o would have more than 1000 components',
    });
    expect(() => simulation({ name: 'a', frameSeconds: 1, mostObjects: Number.NaN }, () => {})).to.throw(
      RangeError,
      'mostObjects is a number from 0 up, not NaN',
    );
  });

  it('uses memory again that was spawned, and never what simulation code has a view of', async () => {
    const run = await TestRun.start({}, (sim) => {
      build(sim);
      const seen = sim.object('seen').component('place', double(2), [1, 2]);
      sim.job(0.01, () => seen.fill(7));
    });
    one(run, spawn('pod', { alias: 'place', type: 'Place', initial: [3, 4] }));
    const used = run.running.state.arena.usedBytes;
    run.ask({ kind: 'despawn', object: 'pod', isRecursive: false }, spawn('pod2', { alias: 'place', type: 'Place' }));
    expect([run.last.value('pod2.place'), run.running.state.arena.usedBytes]).to.deep.equal([[0, 0], used]);
    run.ask({ kind: 'despawn', object: 'seen', isRecursive: false }, spawn('pod3', { alias: 'place', type: 'Place' }));
    run.ticks(2);
    expect([run.last.value('pod3.place'), run.last.value('seen.place')]).to.deep.equal([[0, 0], undefined]);
  });
});

describe('objects below objects', () => {
  const family = async (): Promise<TestRun> => {
    const run = await TestRun.start({}, build);
    const below = (object: string, parent: string): Request => ({
      kind: 'spawn',
      object,
      parent,
      components: [body()],
    });
    run.ask(below('a', 'o'), below('b', 'a'), below('c', 'b'));
    return run;
  };

  it('go with the one that is despawned, or stay without a parent', async () => {
    const run = await family();
    expect(tree(run)).to.deep.equal([
      ['o', null],
      ['a', 'o'],
      ['b', 'a'],
      ['c', 'b'],
    ]);
    run.ask({ kind: 'despawn', object: 'a', isRecursive: false });
    expect(tree(run)).to.deep.equal([
      ['o', null],
      ['b', null],
      ['c', 'b'],
    ]);
    run.ask({ kind: 'despawn', object: 'b', isRecursive: true });
    expect(tree(run)).to.deep.equal([['o', null]]);
    expect(run.last.value('c.body')).to.equal(undefined);
  });

  it('go in steps when they are many, children first, and whatever else is done meanwhile', async () => {
    const run = await family();
    for (let k = 0; k < 250; k++) run.ask({ kind: 'spawn', object: `c${k}`, parent: 'b', components: [] });
    let now = 0;
    Object.defineProperty(run, 'nowMillis', { get: () => (now += 2) });
    const outcomes: Outcome[] = [];
    run.running.submit({ kind: 'despawn', object: 'a', isRecursive: true }, (outcome) => outcomes.push(outcome));
    const names = () => run.catalog.objects.map(({ name }) => name).filter((name) => /^[abc]/.test(name));
    const step = (): number => {
      run.ticks(1);
      return names().length;
    };
    expect(step()).to.equal(153);
    expect(names()).to.include.members(['a', 'b', 'c', 'c149']);
    run.running.submit({ kind: 'despawn', object: 'c7', isRecursive: true }, (outcome) => outcomes.push(outcome));
    for (let steps = 0; outcomes.length < 2 && steps < 5; steps++) step();
    expect(names()).to.deep.equal([]);
    expect(outcomes.map((outcome) => 'frame' in outcome)).to.deep.equal([true, true]);
  });

  it('move to another parent, but never below themselves', async () => {
    const run = await family();
    expect(one(run, { kind: 'reparent', object: 'c', parent: 'o' })).to.deep.equal({ frame: 3 });
    expect(one(run, { kind: 'reparent', object: 'a', parent: 'b' })).to.deep.equal({
      error: 'object a cannot be put below b, which is below it',
    });
    one(run, { kind: 'reparent', object: 'a', parent: null });
    expect(tree(run)).to.deep.equal([
      ['o', null],
      ['a', null],
      ['b', 'a'],
      ['c', 'o'],
    ]);
  });

  it('are moved by the simulation too', async () => {
    const run = await TestRun.start({}, (sim) => {
      const ship = sim.object('ship');
      const pod = sim.object('pod', { parent: ship });
      pod.reparent(null);
      ship.reparent(pod);
      expect(() => pod.reparent(ship)).to.throw('object pod cannot be put below ship, which is below it');
      sim.removeObject('ship');
      expect(() => pod.reparent(ship)).to.throw('object ship has been removed');
      sim.object('boat', { parent: pod });
    });
    expect(tree(run)).to.deep.equal([
      ['pod', null],
      ['boat', 'pod'],
    ]);
  });

  it('go by the thousand at once', async () => {
    const run = await TestRun.start({}, build);
    run.ask(...Array.from({ length: 5000 }, (_, index) => ({ ...spawn(`a${index}`, body()), parent: 'o' })));
    expect(run.catalog.componentsOf('Body')).to.have.length(5000);
    run.ask({ kind: 'despawn', object: 'o', isRecursive: true });
    expect(tree(run)).to.deep.equal([]);
  });
});

describe('types known by name', () => {
  it('are in the catalog, and components are found by them', async () => {
    const run = await TestRun.start({}, (sim) => {
      build(sim);
      const Aim = sim.type(struct('Aim', { at: pointer(double()) }), { name: 'sim::Aim' });
      sim.object('p').component('aim', Aim);
      sim.object('q').component('body', Body);
    });
    run.ask(spawn('pod', body(), { alias: 'place', type: 'Place' }), spawn('gun', { alias: 'aim', type: 'sim::Aim' }));
    const { catalog } = run;
    expect(catalog.types.map(({ name, isSpawnable }) => [name, isSpawnable])).to.deep.equal([
      ['Body', true],
      ['Place', true],
      ['Secret', false],
      ['sim::Aim', true],
    ]);
    expect(catalog.typeOf('Place')).to.deep.include({ units: 'm', about: '' });
    expect(catalog.typeOf('Nothing')).to.equal(undefined);
    const found = (type: string) =>
      catalog.componentsOf(type).map(({ object, member }) => `${object.name}.${member.name}`);
    expect(found('Body')).to.deep.equal(['q.body', 'pod.body']);
    expect(found('Place')).to.deep.equal(['pod.place']);
    expect(found('sim::Aim')).to.deep.equal(['p.aim', 'gun.aim']);
    expect(found('double')).to.deep.equal(['o.x']);
    expect(found('Secret')).to.deep.equal([]);
    expect(run.last.value('gun.aim')).to.deep.equal({ at: null });
  });

  it('may come while the simulation runs', async () => {
    const run = await TestRun.start({}, build);
    run.sim.type(Phase);
    run.ticks(1);
    expect(run.catalog.typeOf('Phase')?.type.kind).to.equal('enumeration');
  });

  it('have one meaning each', async () => {
    await TestRun.start({}, (sim) => {
      sim.type(Body);
      expect(() => sim.type(double(2), { name: 'Body' })).to.throw('there is a type Body already');
      expect(() => sim.type(double(2))).to.throw('a type double[2] needs a name to be registered by');
    });
  });
});
