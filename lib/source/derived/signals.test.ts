// Expressions as aliases of the JSON methods: read, subscribed to, remembered, refused.
import { expect } from 'chai';
import { Reason } from '../../model/frame/header.js';
import type { Variable } from '../../model/state/variable.js';
import { TestBrp } from '../../testing/aids/brp-server.js';
import { TestServer, turn } from '../../testing/aids/http-exchange.js';
import { derivedSignal } from './signals.js';

const SPEED = '=sqrt(ball.velocity[0]^2 + ball.velocity[1]^2)';

describe('derived signals', () => {
  const readingOf = async (server: TestServer, alias: string, units?: string): Promise<unknown> =>
    (await server.call('var/get', { aliases: [alias], ...(units && { units }) })).values[alias];
  const unitOf = async (alias: string): Promise<string> =>
    (await new TestServer().call('var/describe', { alias })).unit;

  it('are read like a variable, in units that are computed too', async () => {
    const server = new TestServer();
    server.ball.store('ball.velocity', [3, 4]);
    server.ball.ticks(1);
    expect(await readingOf(server, SPEED)).to.equal(5);
    expect(await readingOf(server, SPEED, 'km/h')).to.be.closeTo(18, 1e-9);
    const facts = await server.call('var/describe', { alias: SPEED });
    expect(facts).to.include({ alias: SPEED, kind: 'number', type_path: 'double', access: 'read-only' });
    expect(facts.unit).to.equal('m/s');
    expect(await readingOf(server, '=ball.position[1] + 100 {cm}')).to.be.closeTo(10.1, 1e-9);
    expect(await readingOf(server, '=sin(30 {degree}) * ball.velocity[0]')).to.be.closeTo(1.5, 1e-9);
    expect(await readingOf(server, '=max(ball.velocity[0], 36 {km/h})')).to.be.closeTo(10, 1e-9);
  });

  it('have the units of what is computed', async () => {
    expect(await unitOf('=ball.position[1]/ball.velocity[1]')).to.equal('s');
    expect(await unitOf('=d/dt(ball.velocity[1])')).to.equal('m/s2');
    expect(await unitOf('=integral(ball.velocity[1])')).to.equal('m');
    expect(await unitOf('=2*ball.position[1]')).to.equal('m');
    expect(await unitOf('=atan2(ball.velocity[1], ball.velocity[0])')).to.equal('rad');
  });

  it('refuse what makes no sense with one sentence, and change nothing', async () => {
    const server = new TestServer();
    const refusals: readonly (readonly [string, RegExp])[] = [
      ['=ball.position[1] + ball.velocity[1]', /units that convert from "m\/s"/],
      ['=ball.position[1] + 1', /units that convert from "1"/],
      ['=sqrt(ball.position[1])', /m has no power of 0.5/],
      ['=ball.positron', /did you mean ball.position/],
      ['=ball.position', /ball.position is not one number/],
      ['=ball.position[1', /expected|belongs/],
      ['=1 + 2', /a variable at least/],
      ['=eval(ball.position[1])', /there is no function eval; there are exp/],
      ['=constructor(ball.position[1])', /there is no function constructor/],
      ['=mean(ball.position[1])', /mean\(\) takes 2 values, found 1/],
      ['=mean(ball.position[1], -1)', /a number of seconds above 0/],
      ['=2^ball.position[1]', /an exponent has no units/],
      ['=', /expected a number/],
    ];
    for (const [alias, sentence] of refusals) {
      const { error } = await server.respond('var/get', { aliases: [alias] });
      expect(error?.message, alias).to.match(sentence);
    }
    const lenient = await server.call('var/get', { aliases: [SPEED, '=nothing'], lenient: true });
    expect(lenient.values).to.have.keys([SPEED]);
    expect(lenient.missing['=nothing']).to.include('nothing');
    expect((await server.respond('var/set', { alias: SPEED, value: 1 })).error).to.have.property('message');
    const change = { aliases: [SPEED], on: 'change' };
    expect((await server.respond('var/subscribe', change)).error.message).to.include('on each cycle');
  });

  it('come in subscriptions, and are remembered and measured like variables', async () => {
    const server = new TestServer();
    const { sse_url } = await server.call('var/subscribe', { aliases: [SPEED], cycle_ms: 0, history: true });
    const stream = await server.stream(sse_url.replace('/sse?sub=', ''));
    for (let k = 0; k < 20; k++) {
      server.ball.ticks(1, () => server.ball.store('ball.velocity', [k, 0]));
      await turn();
    }
    expect(stream.data.at(-1).values[SPEED] ?? stream.data.at(-1).params?.values[SPEED]).to.equal(19);
    const { values } = (await server.call('var/history', { aliases: [SPEED] })).series[SPEED];
    expect(values.slice(-3)).to.deep.equal([17, 18, 19]);
    const stretch = { aliases: [SPEED], from: 0, to: 1e6 };
    expect((await server.call('var/statistics', stretch)).series[SPEED]).to.include({ greatest: 19, is_exact: true });
  });

  describe('whose variables are plotted already', () => {
    const server = new TestServer();
    const past = async (alias: string): Promise<{ times: number[]; values: (number | null)[] }> =>
      (await server.call('var/history', { aliases: [alias] })).series[alias];
    const keep = (...aliases: string[]) => server.call('var/subscribe', { aliases, cycle_ms: 0, history: true });

    before(async () => {
      await keep('ball.velocity[0]');
      for (let k = 1; k <= 30; k++) {
        server.ball.ticks(1, () => server.ball.store('ball.velocity', [k, 0]));
        await turn();
      }
      await keep('ball.position[1]');
      for (let k = 31; k <= 40; k++) {
        server.ball.ticks(1, () => server.ball.store('ball.velocity', [k, 0]));
        await turn();
      }
    });

    it('have the past that these have, of their rows', async () => {
      const [double, plain] = [await past('=2*ball.velocity[0]'), await past('ball.velocity[0]')];
      expect(double.times).to.deep.equal(plain.times);
      expect(double.values).to.deep.equal(plain.values.map((value) => 2 * (value as number)));
      expect(double.values).to.have.length(41);
    });

    it('have all of it in the first answer, however long it takes to compute', async () => {
      const long = new TestServer();
      await long.call('var/history', { aliases: ['ball.velocity[0]'] });
      for (let k = 0; k < 300; k++) {
        long.ball.ticks(10);
        await turn();
      }
      const { series } = await long.call('var/history', { aliases: ['=-ball.velocity[0]'], points: 10_000 });
      expect(series['=-ball.velocity[0]'].times).to.have.length(3001);
    });

    it('are measured over all of it when they are first asked for', async () => {
      const stretch = { aliases: ['=3*ball.velocity[0]'], from: 0, to: 1e6 };
      const { count, greatest } = (await server.call('var/statistics', stretch)).series['=3*ball.velocity[0]'];
      expect([count, greatest]).to.deep.equal([41, 120]);
    });

    it('have it since all of these are plotted', async () => {
      const [sum, position] = [await past('=ball.velocity[0]*ball.position[1]'), await past('ball.position[1]')];
      expect(sum.times).to.deep.equal(position.times);
    });

    it('go on from it where they look at rows before', async () => {
      const area = '=integral(ball.velocity[0])';
      const { values } = await past(area);
      server.ball.ticks(1, () => server.ball.store('ball.velocity', [41, 0]));
      const now = (await readingOf(server, area)) as number;
      expect(now - (values.at(-1) as number)).to.be.closeTo(0.01 * 40.5, 1e-9);
      expect(values[0]).to.equal(0);
      expect(values).to.have.length(41);
    });

    it('have none from before when somebody has read them already, if they look at rows before', async () => {
      const rate = '=d/dt(ball.velocity[0])';
      await readingOf(server, rate);
      expect((await past(rate)).times).to.have.length(1);
    });

    it('have a gap where time has jumped, and begin anew there', async () => {
      for (let k = 0; k < 3; k++) {
        server.ball.publish({ jumps: 1, clockSeconds: 100 + k / 100, reason: Reason.freeze });
        await turn();
      }
      const area = await past('=2*integral(ball.velocity[0])');
      expect(area.values).to.include(null);
      expect(area.values.at(-1)).to.be.below(1);
    });
  });

  it('that look at rows before are computed of every frame, also of those that nobody has read', async () => {
    const server = new TestServer();
    const [area, rate] = ['=integral(ball.velocity[0])', '=d/dt(ball.position[1])'];
    server.ball.store('ball.velocity', [2, 0]);
    server.ball.ticks(1);
    expect(await readingOf(server, area)).to.equal(0);
    expect(await readingOf(server, rate)).to.equal('NaN');
    server.ball.ticks(100, (tick) => server.ball.store('ball.position', [0, 3 * (tick / 100)]));
    expect(await readingOf(server, area)).to.be.closeTo(2, 1e-9);
    expect(await readingOf(server, rate)).to.be.closeTo(3, 1e-6);
    server.ball.publish({ jumps: 1, clockSeconds: 0.5 });
    expect(await readingOf(server, area)).to.equal(0);
  });

  it('go on when other objects come and go, and begin anew when their own does', async () => {
    const brp = await TestBrp.start();
    const { source } = brp.registry;
    const area = (object: string) =>
      derivedSignal(source, `=integral(${object}.position.x)`, (path) => source.catalog.find(path) as Variable);
    const spawn = (name: string) =>
      brp.call('world.spawn_entity', {
        components: { 'server::Position': { x: 1, y: 0, z: 0 }, 'bevy_ecs::name::Name': name },
      });
    const { entity } = await spawn('cube');
    const [ship, cube] = [area('ship'), area('cube')];
    await spawn('other');
    expect([area('ship'), area('cube')]).to.deep.equal([ship, cube]);
    await brp.call('world.despawn_entity', { entity });
    await spawn('cube');
    expect(area('ship')).to.equal(ship);
    expect(area('cube')).to.not.equal(cube);
    await brp.close();
  });

  it('are bounded, and give way when nobody reads them', async () => {
    const server = new TestServer();
    for (let k = 0; k < 200; k++) await readingOf(server, `=ball.position[1]*${k}`);
    const { error } = await server.respond('var/get', { aliases: ['=ball.position[1]*200'] });
    expect(error.message).to.include('200 derived signals are computed already');
    server.ball.publish({ wallMillis: server.ball.frame.header.wallMillis + 61_000 });
    expect(await readingOf(server, '=ball.position[1]*200')).to.be.closeTo(1820, 1e-9);
  });
});
