// Clients of Bevy's protocol over real HTTP: an inspector's session, both generations, and what crashes Bevy.
import { expect } from 'chai';
import { WebSocket } from 'ws';
import { serve } from '../../lib/index.js';
import { endAfterFailure, ServerHere } from '../launch.js';
import { WireClient } from '../wire-client.js';
import { Inspector } from './inspector.js';

const FLEET = new URL('./fleet.js', import.meta.url);
const OPTIONS = ['--no-discovery', '--brp', '0'];
const POSITION = 'server::Position';
const NAME = 'bevy_ecs::name::Name';
const CHILD_OF = 'bevy_ecs::hierarchy::ChildOf';

async function sentence(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    (value) => `it was answered ${JSON.stringify(value)}`,
    (error: Error) => error.message,
  );
}

describe("clients of Bevy's protocol", () => {
  let server: ServerHere;
  let inspector: Inspector;
  const launch = async () => {
    server = await ServerHere.start(FLEET, { options: OPTIONS });
    inspector = new Inspector(server.brpPort);
  };
  before(launch);
  after(async () => {
    inspector?.close();
    await server?.stop();
  });
  afterEach(async function () {
    if (await endAfterFailure(this, server)) await launch();
  });

  it('an inspector works through a session of 31 interactions', async () => {
    let count = 0;
    const call = (method: string, params?: Parameters<Inspector['call']>[1]) => {
      count++;
      return inspector.call(method, params);
    };
    const watch = (method: string, params: Parameters<Inspector['watch']>[1]) => {
      count++;
      return inspector.watch(method, params);
    };
    // Which methods, types and entities there are.
    const document = await call('rpc.discover');
    expect(document.methods.map(({ name }: { name: string }) => name)).to.include('world.query');
    const schema = await call('registry.schema', { with_crates: ['server', 'fleet'] });
    expect(schema[POSITION].properties).to.have.keys('x', 'y', 'z');
    const components = await call('world.list_components');
    expect(components).to.include.members([POSITION, NAME, 'fleet::Rudder', 'fleet::Beacon']);
    expect(await call('world.list_resources')).to.include('fleet::Rudder');
    // The tree, by Name and ChildOf.
    const rows: readonly { entity: number; components: Record<string, unknown> }[] = await call('world.query', {
      data: { components: [NAME], option: [CHILD_OF], has: [POSITION] },
    });
    const byName = new Map(rows.map(({ entity, components: { [NAME]: name } }) => [name, entity]));
    const armada = byName.get('armada') as number;
    const nina = byName.get('nina') as number;
    const below = rows.filter((row) => row.components[CHILD_OF] === armada).map((row) => row.components[NAME]);
    expect(below).to.deep.equal(['santa_maria', 'nina', 'pinta', 'helm']);
    // One entity.
    expect(await call('world.list_components', { entity: nina })).to.deep.equal([CHILD_OF, NAME, POSITION]);
    const asked = { entity: nina, components: [POSITION] };
    expect(await call('world.get_components', asked)).to.deep.equal({
      components: { [POSITION]: { x: 1, y: 2, z: 0 } },
      errors: {},
    });
    const events = await watch('world.get_components+watch', asked);
    const lists = await watch('world.list_components+watch', { entity: nina });
    const set = (path: string, value: number) =>
      call('world.mutate_components', { entity: nina, component: POSITION, path, value });
    expect(await set('.x', 5)).to.equal(null);
    expect((await events.next()).result.components).to.deep.equal({ [POSITION]: { x: 5, y: 2, z: 0 } });
    expect(await set('z', -1)).to.equal(null);
    expect((await events.next()).result.components).to.deep.equal({ [POSITION]: { x: 5, y: 2, z: -1 } });
    expect((await call('world.get_components', { ...asked, strict: true }))[POSITION].z).to.equal(-1);
    // Components come and go.
    expect(await call('world.insert_components', { entity: nina, components: { 'fleet::Beacon': {} } })).to.equal(null);
    expect((await lists.next()).result).to.deep.equal({ added: ['fleet::Beacon'], removed: [] });
    expect(await call('world.query', { data: {}, filter: { with: ['fleet::Beacon'] } })).to.deep.equal([
      { entity: nina, components: {} },
    ]);
    expect(await call('world.remove_components', { entity: nina, components: ['fleet::Beacon'] })).to.equal(null);
    expect((await lists.next()).result).to.deep.equal({ added: [], removed: ['fleet::Beacon'] });
    // Entities come and go.
    const cube = { [NAME]: 'cube', [POSITION]: { x: 0, y: 0, z: 9 }, 'fleet::Fuel': 12 };
    const { entity } = await call('world.spawn_entity', { components: cube });
    expect((await call('world.get_components', { entity, components: Object.keys(cube) })).components).to.deep.equal(
      cube,
    );
    expect(await call('world.reparent_entities', { entities: [entity], parent: nina })).to.equal(null);
    expect(
      await call('world.query', { data: { components: [CHILD_OF] }, filter: { with: ['Fuel'], without: ['Beacon'] } }),
    ).to.deep.equal([{ entity, components: { [CHILD_OF]: nina } }]);
    expect(await call('world.reparent_entities', { entities: [entity] })).to.equal(null);
    expect(await call('world.list_components', { entity })).to.not.include(CHILD_OF);
    // Resources and functions.
    expect(await call('world.get_resources', { resource: 'fleet::Rudder' })).to.deep.equal({
      value: { angle: 0.1, side: 'PORT' },
    });
    const turned = { resource: 'fleet::Rudder', path: '.side', value: 'STARBOARD' };
    expect(await call('world.mutate_resources', turned)).to.equal(null);
    expect(await call('fleet/steer', { angle: 0.25 })).to.equal(0.25);
    expect(await call('world.get_resources', { resource: 'Rudder' })).to.deep.equal({
      value: { angle: 0.25, side: 'STARBOARD' },
    });
    // Its end.
    const last = await watch('world.get_components+watch', { entity, components: [POSITION] });
    expect(await call('world.despawn_entity', { entity })).to.equal(null);
    expect((await last.next()).error.code).to.equal(-23401);
    expect(await last.next()).to.equal(undefined);
    expect(await call('world.query', { data: { components: ['Fuel'] } })).to.deep.equal([]);
    expect((await call('brp_extras/agent_tools')).tools).to.have.length(1);
    expect((await call('brp.ping')).status).to.equal('OK');
    expect(await call('world.query', { data: { option: 'all' }, filter: { with: ['Rudder'] } })).to.have.length(1);
    for (const stream of [events, lists]) stream.close();
    expect(count).to.equal(31);
  });

  it('the methods of 0.15 and 0.16 answer in their numbering', async () => {
    const rows = await inspector.call('bevy/query', { data: { components: [NAME] }, filter: { with: ['Rudder'] } });
    const [{ entity }] = rows;
    expect(Math.floor(entity / 2 ** 32)).to.equal(1);
    const { entity: made } = await inspector.call('bevy/spawn', { components: { [POSITION]: { x: 1, y: 1, z: 1 } } });
    expect(await inspector.call('bevy/reparent', { entities: [made], parent: entity })).to.equal(null);
    const got = await inspector.call('bevy/get', { entity: made, components: [CHILD_OF], strict: true });
    expect(got).to.deep.equal({ [CHILD_OF]: entity });
    const events = await inspector.watch('bevy/get+watch', { entity: made, components: [POSITION] });
    const mutation = { entity: made, component: POSITION, path: '.y', value: 4 };
    expect(await inspector.call('bevy/mutate_component', mutation)).to.equal(null);
    const told: { components: Record<string, { y: number }> }[] = [];
    while (told.at(-1)?.components[POSITION]?.y !== 4) told.push((await events.next()).result);
    events.close();
    expect(await inspector.call('bevy/insert', { entity: made, components: { 'fleet::Fuel': 3 } })).to.equal(null);
    expect(await inspector.call('bevy/remove', { entity: made, components: ['fleet::Fuel'] })).to.equal(null);
    expect(await inspector.call('bevy/list', { entity: made })).to.deep.equal([CHILD_OF, NAME, POSITION]);
    expect(await inspector.call('bevy/destroy', { entity: made })).to.equal(null);
    expect(await sentence(inspector.call('bevy/destroy', { entity: made }))).to.match(
      /^-23401: Entity \d+v1 not found$/,
    );
  });

  it('shows the jobs as schedules', async () => {
    const { schedule_labels: labels } = await inspector.call('schedule.list');
    expect(labels).to.include('scheduled');
    const { schedule_data: data } = await inspector.call('schedule.graph', { schedule_label: 'scheduled' });
    expect(data.systems.map(({ name }: { name: string }) => name)).to.deep.equal(['beat']);
    expect(await sentence(inspector.call('schedule.graph', { schedule_label: 'Update' }))).to.equal(
      '-32602: Unknown schedule: `Update`',
    );
  });

  it('what one spawns, a Trick client sees at once, and a BAD_REF heals', async () => {
    const trick = await WireClient.tcp(server.port);
    trick.send('trick.var_pause()\ntrick.var_add("wreck.position.x")\ntrick.var_send()\n');
    expect(await trick.line()).to.match(/BAD_REF/);
    const components = { [NAME]: 'wreck', [POSITION]: { x: 42, y: 0, z: 0 } };
    const { entity } = await inspector.call('world.spawn_entity', { components });
    trick.send('trick.var_send()\n');
    expect(await trick.line()).to.equal('0\t42');
    trick.send('trick.var_set("wreck.position.x", 43)\n');
    let x = 42;
    while (x === 42) x = (await inspector.call('world.get', { entity, components: [POSITION] }))[POSITION].x;
    expect(x).to.equal(43);
    await inspector.call('world.despawn_entity', { entity });
    trick.drop();
  });

  describe('on the main port', () => {
    for (const path of ['/', '/jsonrpc']) {
      it(`are answered at ${path} by the names of their methods`, async () => {
        const main = new Inspector(server.port, path);
        const post = async (body: string) =>
          (await fetch(`http://127.0.0.1:${server.port}${path}`, { method: 'POST', body })).json();
        expect(await main.call('world.list', { entity: '1v0' })).to.include(NAME);
        expect(await post('{"jsonrpc":"2.0","method":"brp.ping"}')).to.deep.equal({
          jsonrpc: '2.0',
          result: { status: 'OK' },
        });
        expect(await post('{"jsonrpc":"2.0","id":1,"method":"fleet/steer","params":[0.5]}')).to.have.property(
          'result',
          0.5,
        );
        expect(await post('{"id":1,"request":"PING"}')).to.deep.equal({ id: 1, response: { status: 'OK' } });
        expect(await post('[{"jsonrpc":"2.0","id":1,"method":"brp.ping"}]')).to.have.length(1);
        const variables = await post(
          '{"jsonrpc":"2.0","id":1,"method":"var/get","params":{"aliases":["nina.position.y"]}}',
        );
        expect(variables).to.have.nested.property('result.values');
        // A method's name inside a value is no method.
        const wrong = '{"jsonrpc":"2.0","id":1,"method":"var/exists","params":{"alias":"x","method":"world.query"}}';
        expect(await post(wrong)).to.have.nested.property('error.code', -32602);
        main.close();
      });
    }

    for (const [where, url] of [
      ['the main port', () => `ws://127.0.0.1:${server.port}/ws`],
      ['their own', () => `ws://127.0.0.1:${server.brpPort}/`],
    ] as const) {
      it(`watch over a WebSocket of ${where}, and stop`, async () => {
        const socket = new WebSocket(url());
        // biome-ignore lint/suspicious/noExplicitAny: whatever the server says
        const heard: any[] = [];
        let wake = () => {};
        socket.on('message', (text) => {
          heard.push(JSON.parse(String(text)));
          wake();
        });
        const until = async (isMet: () => boolean) => {
          while (!isMet()) await new Promise<void>((resolve) => (wake = resolve));
        };
        await new Promise((resolve) => socket.once('open', resolve));
        const say = (id: number | string, method: string, params: object) =>
          socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
        const pulses = await inspector.call('world.query', { data: { components: ['Pulse'] } });
        say('w', 'world.get_components+watch', { entity: pulses[0].entity, components: ['Pulse'] });
        await until(() => heard.filter(({ id }) => id === 'w').length >= 5);
        say(2, 'brp.unwatch', { watch: 'w' });
        await until(() => heard.some(({ id }) => id === 2));
        const before = heard.length;
        say(3, 'brp.ping', {});
        await until(() => heard.length > before);
        expect(heard.at(-1)).to.deep.equal({ jsonrpc: '2.0', id: 3, result: { status: 'OK' } });
        socket.close();
      });
    }
  });

  describe('what crashes or stalls Bevy is answered:', () => {
    it('a value that does not fit (a panic in 0.15)', async () => {
      const params = { components: { [POSITION]: 'nowhere' } };
      expect(await sentence(inspector.call('bevy/spawn', params))).to.match(/^-23402: server::Position is invalid: /);
    });
    it('a mutation of an entity that is not there (a panic in every release)', async () => {
      for (const method of ['bevy/mutate_component', 'world.mutate_components']) {
        const params = { entity: 4294000000, component: POSITION, path: '.x', value: 1 };
        expect(await sentence(inspector.call(method, params))).to.match(/^-23401: Entity \d+v\d not found$/);
      }
    });
    it('two observers of one event, who both get all of it', async () => {
      const observers = await Promise.all(
        [1, 2].map(() => inspector.watch('world.observe+watch', { event: 'varwire::SimMessage' })),
      );
      await inspector.call('fleet/steer', { angle: 0.0625 });
      for (const observer of observers) {
        expect((await observer.next()).result[0].text).to.equal('the rudder is at 0.0625 rad');
        observer.close();
      }
    });
    it('an unknown method, without making others wait', async () => {
      const names = Array.from({ length: 20 }, (_, index) => (index % 2 ? 'brp.ping' : 'no.such'));
      const answers = await Promise.all(names.map((name) => sentence(inspector.call(name))));
      expect(answers.filter((answer) => answer.includes('-32601: Method `no.such` not found'))).to.have.length(10);
    });
    it('malformed, empty and huge bodies', async () => {
      for (const body of ['', '{', 'null', '"x"', '[[]]', '\u0000', '{"jsonrpc":"2.0","method":"\\ud800"}']) {
        const answer = await inspector.send(body);
        expect(JSON.stringify(answer)).to.include('"error"');
      }
      const huge = await fetch(`http://127.0.0.1:${inspector.port}/`, { method: 'POST', body: ' '.repeat(2_000_000) });
      expect(huge.status).to.equal(413);
    });
    it('any path and verb', async () => {
      const body = '{"jsonrpc":"2.0","id":1,"method":"brp.ping"}';
      for (const [method, path] of [
        ['PUT', '/'],
        ['GET', '/a'],
        ['DELETE', '/jsonrpc?x=1'],
        ['GET', '/ws'],
      ] as const) {
        expect((await inspector.send(body, { method, path })).result).to.deep.equal({ status: 'OK' });
      }
    });
  });

  it('are not answered anywhere with --brp off', async () => {
    const silent = await ServerHere.start(FLEET, { options: ['--no-discovery', '--brp', 'off'] });
    expect(silent.output).to.not.include('Bevy');
    const body = '{"jsonrpc":"2.0","id":1,"method":"world.list"}';
    const answer = await fetch(`http://127.0.0.1:${silent.port}/`, { method: 'POST', body });
    expect(await answer.json())
      .to.have.nested.property('error.message')
      .that.includes('there is no method "world.list"');
    await silent.stop();
  });

  it('find the server at the usual port; a second server goes on without it', async () => {
    const place = {
      kind: 'http',
      trust: 'request',
      name: 'usual',
      speaks: ['Bevy'],
      routes: [],
      givesWay: true,
    } as const;
    const at = { host: '127.0.0.1', port: inspector.port };
    const logged: string[] = [];
    const second = await serve(FLEET, {
      port: 0,
      discovery: false,
      log: (_, text) => logged.push(text),
      frontEnds: [() => ({ name: 'usual', endpoints: () => [{ ...place, at }], close: () => undefined })],
    });
    expect(second.endpoints.map(({ name }) => name)).to.not.include('usual');
    expect(logged.join()).to.match(
      /port \d+ on 127\.0\.0\.1 is already in use, so Bevy is spoken on the main port alone/,
    );
    await second.close();
  });

  it('answer with the shapes of an older release when the operator prefers it', async () => {
    const old = await ServerHere.start(FLEET, { options: [...OPTIONS, '--brp-generation', '0.15'] });
    const client = new Inspector(old.brpPort);
    expect(await client.send('{"jsonrpc":"2.0","method":"rpc.discover","extra":1}')).to.have.property('id', null);
    expect(await client.call('bevy/list')).to.include('bevy_core::name::Name');
    client.close();
    await old.stop();
  });
});
