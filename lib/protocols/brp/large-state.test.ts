// A state of more than 1 MB, whose frames carry only what somebody has asked for.
import { expect } from 'chai';
import { double, struct } from '../../model/state/declare.js';
import type { Sim } from '../../simulation/executive/simulation.js';
import { settled, TestBrp } from '../../testing/aids/brp-server.js';

const Probe = struct('Probe', { speed: double(), height: double() });

function build(sim: Sim): void {
  sim.type(Probe);
  const many = sim.object('ballast').component('many', double(200_000));
  many[5] = 7;
  const probe = sim.object('probe').component('probe', Probe, { speed: 1, height: 2 });
  sim.job(0.01, () => {
    probe.height += probe.speed;
  });
}

describe("Bevy's protocol with a large state", () => {
  let brp: TestBrp;
  beforeEach(async () => {
    brp = await TestBrp.start({ build });
    await brp.ticks(3);
  });
  afterEach(() => brp.close());
  const Path = 'server::Probe';

  it('reads what no frame has carried yet', async () => {
    expect(brp.registry.source.frame.pages).to.not.equal(undefined);
    const { value } = await brp.call('world.get_resources', { resource: Path });
    expect(value).to.deep.equal({ speed: 1, height: 5 });
    const [row] = await brp.call('world.query', { data: { components: ['many'] } });
    expect(row.components.many).to.have.length(200_000);
  });

  it('reads much of it in its turn only', async () => {
    const { leave } = brp.registry.largeReads.enter({ network: '127.0.0.1' });
    let isAnswered = false;
    const reading = brp.call('world.query', { data: { components: ['many'] } }).then((rows) => {
      isAnswered = true;
      return rows;
    });
    await brp.ticks(5);
    await settled();
    expect([isAnswered, brp.registry.largeReads.held]).to.deep.equal([false, 1]);
    leave();
    await brp.ticks(2);
    expect((await reading)[0].components.many[5]).to.equal(7);
    expect(brp.registry.ledger.held('largeReads')).to.equal(0);
  });

  it('compares much of it in its turn only', async () => {
    const { leave } = brp.registry.largeReads.enter({ network: '127.0.0.1' });
    let isAnswered = false;
    const query = { data: { components: [] }, filter: { changed: ['many'] }, timeout_ms: 0 };
    const polling = brp.call('brp.poll', query).then((answer) => {
      isAnswered = true;
      return answer;
    });
    await brp.ticks(5);
    await settled();
    const { pages } = brp.registry.source.frame;
    expect([isAnswered, brp.registry.largeReads.held, pages?.carried.has(8 * 150_000, 8)]).to.deep.equal([
      false,
      1,
      false,
    ]);
    leave();
    await brp.ticks(3);
    expect((await polling).entities).to.have.length(1);
  });

  it('tells that a component has gone which no frame has carried', async () => {
    const { entity } = await brp.call('world.spawn_entity', { components: { [Path]: { speed: 4, height: 0 } } });
    await brp.ticks(5);
    const stream = await brp.watch('world.get_components+watch', { entity, components: [Path] });
    await brp.call('world.remove_components', { entity, components: [Path] });
    await brp.ticks(3);
    await settled();
    expect(stream.data.at(-1)?.result).to.deep.include({ components: {}, removed: [Path] });
  });

  it('watches and polls it', async () => {
    const entity = (await brp.call('world.query', { data: { components: [Path] } }))[0].entity;
    const stream = await brp.watch('world.get_components+watch', { entity, components: [Path] });
    await brp.ticks(3);
    const heights = stream.data.map(({ result }) => result.components[Path].height);
    expect(heights.slice(-3)).to.deep.equal([6, 7, 8]);
    const { watermark } = await brp.call('brp.poll', { data: { components: [Path] } });
    const polling = brp.call('brp.poll', { data: { components: [Path] }, watermark });
    await settled();
    await brp.ticks(1);
    expect((await polling).entities[0].components[Path].height).to.equal(9);
  });

  it('tells of no change at the start of a watch of what no frame has carried yet', async () => {
    const [{ entity }] = await brp.call('world.query', { data: { components: [] }, filter: { with: ['many'] } });
    const stream = await brp.watch('world.get_components+watch', { entity, components: ['many'] });
    await brp.ticks(5);
    expect(stream.data).to.deep.equal([]);
    await brp.call('world.mutate_components', { entity, component: 'many', path: '[5]', value: 8 });
    await brp.ticks(3);
    await settled();
    expect(stream.data.map(({ result }) => result.components.many[5])).to.deep.equal([8]);
  });

  it('spawns and changes in it', async () => {
    const { entity } = await brp.call('world.spawn_entity', { components: { Probe: { speed: 4, height: 0 } } });
    await brp.call('world.mutate_components', { entity, component: Path, path: '.speed', value: 7 });
    expect(await brp.call('world.get', { entity, components: [Path] })).to.deep.equal({
      [Path]: { speed: 7, height: 0 },
    });
  });
});
