// The requests of public clients of Bevy's protocol, as they send them: a library for Node, an editor's inspector, and
// a server of tools for assistants.
import { expect } from 'chai';
import { endAfterFailure, ServerHere } from '../launch.js';

const FLEET = new URL('./fleet.js', import.meta.url);
const POSITION = 'server::Position';
const DESCRIPTION = 'server::Description';
const NAME = 'bevy_ecs::name::Name';
const CHILDREN = 'bevy_ecs::hierarchy::Children';

// biome-ignore lint/suspicious/noExplicitAny: whatever the server says
type Answer = any;

describe("public clients of Bevy's protocol", () => {
  let server: ServerHere;
  let url: string;
  const launch = async () => {
    server = await ServerHere.start(FLEET, { options: ['--no-discovery', '--brp', '0'] });
    url = `http://127.0.0.1:${server.brpPort}`;
  };
  before(launch);
  after(() => server?.stop());
  afterEach(async function () {
    if (await endAfterFailure(this, server)) await launch();
  });

  describe('the library for Node: numbers from 0 for requests, null for no parameters, each piece of a stream an event', () => {
    let id = 0;
    const wrapped = (method: string, params: unknown, signal?: AbortSignal): RequestInit => ({
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: id++, method, params }),
      ...(signal && { signal }),
    });
    const request = async (method: string, params: unknown): Promise<Answer> =>
      JSON.parse(await (await fetch(url, wrapped(method, params))).text());
    /** Begins to watch, and gives what reads events until one fits, as the library does. */
    async function stream(
      method: string,
      params: unknown,
      observe: (result: Answer, stop: AbortController) => void,
    ): Promise<{ ended: Promise<void> }> {
      const stop = new AbortController();
      const response = await fetch(url, wrapped(method, params, stop.signal));
      return { ended: readEvents(response, stop, observe) };
    }
    async function readEvents(
      response: Response,
      stop: AbortController,
      observe: (result: Answer, stop: AbortController) => void,
    ): Promise<void> {
      try {
        for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
          const decoded = new TextDecoder().decode(chunk);
          const { result } = JSON.parse(decoded.slice(decoded.indexOf('{')));
          if (result) observe(result, stop);
        }
      } catch (error) {
        if (!stop.signal.aborted) throw error;
      }
    }
    const query = (components?: string[], filterWith?: string[]): Promise<Answer> =>
      request('bevy/query', {
        data: { components, option: undefined, has: undefined },
        filter: { with: filterWith, without: undefined },
      });
    const spawn = async (components: object): Promise<number> =>
      (await request('bevy/spawn', { components })).result.entity;
    const armada = async (): Promise<number> => (await query([NAME], [CHILDREN])).result[0].entity;

    it('lists and queries everything', async () => {
      expect((await request('bevy/list', null)).result).to.include.members([POSITION, DESCRIPTION, NAME]);
      const { result, error } = await query();
      expect(error).to.equal(undefined);
      for (const row of result) expect(row).to.deep.equal({ entity: row.entity, components: {} });
    });

    it('spawns with any name, inserts, removes and destroys', async () => {
      const before = (await query()).result.length;
      const entity = await spawn({
        [NAME]: 'Newborn Node',
        [DESCRIPTION]: 'just created',
        [POSITION]: { x: 5, y: 5, z: 7 },
      });
      expect((await query()).result.length).to.equal(before + 1);
      const got = await request('bevy/get', { entity, components: [NAME, DESCRIPTION, POSITION], strict: false });
      expect(got.result).to.deep.equal({
        components: { [NAME]: 'Newborn Node', [DESCRIPTION]: 'just created', [POSITION]: { x: 5, y: 5, z: 7 } },
        errors: {},
      });
      const { result } = await request('bevy/remove', { entity, components: [DESCRIPTION] });
      expect(result).to.equal(null);
      expect((await request('bevy/list', { entity })).result.sort()).to.deep.equal([NAME, POSITION]);
      expect((await request('bevy/destroy', { entity })).result).to.equal(null);
      expect((await query()).result.length).to.equal(before);
    });

    it('sees its changes in the request after them, without waiting for their answers', async () => {
      const parent = await armada();
      for (let round = 0; round < 20; round++) {
        const children = [await spawn({ [NAME]: 'test child 1' }), await spawn({ [NAME]: 'test child 2' })];
        const moved = request('bevy/reparent', { entities: children, parent });
        const { result } = await query([CHILDREN]);
        const found = result.find((row: Answer) => row.entity === parent).components[CHILDREN];
        expect(found).to.include.members(children);
        await moved;
        for (const entity of children) await request('bevy/destroy', { entity });
      }
    });

    it('watches a component that it writes, also with the value that it has', async () => {
      const rows = (await query([NAME], [POSITION])).result;
      const { entity } = rows.find((row: Answer) => row.components[NAME] === 'pinta');
      const apply = { [POSITION]: { x: 8, y: 4, z: 2 } };
      for (const strict of [false, true, true]) {
        const seen: Answer[] = [];
        const watched = await stream('bevy/get+watch', { entity, components: [POSITION], strict }, (result, stop) => {
          seen.push(result);
          stop.abort();
        });
        await request('bevy/insert', { entity, components: apply });
        await watched.ended;
        expect(seen).to.deep.equal([{ components: apply, removed: [], ...(strict ? {} : { errors: {} }) }]);
      }
    });

    it('watches which components come and go', async () => {
      const entity = await spawn({ [NAME]: 'listed' });
      const seen: Answer[] = [];
      const watched = await stream('bevy/list+watch', { entity }, (result, stop) => {
        seen.push(result);
        stop.abort();
      });
      await request('bevy/insert', { entity, components: { [DESCRIPTION]: 'new' } });
      await watched.ended;
      expect(seen).to.deep.equal([{ added: [DESCRIPTION], removed: [] }]);
    });
  });

  it("an editor's inspector: the tree, a component, a resource, the registry", async () => {
    let id = 0;
    const request = async (method: string, params?: unknown): Promise<Answer> => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params });
      const response = await fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
      const answer = (await response.json()) as Answer;
      expect([answer.jsonrpc, answer.id]).to.deep.equal(['2.0', id]);
      return 'result' in answer ? answer.result : Promise.reject(answer.error);
    };
    const childOf = 'bevy_ecs::hierarchy::ChildOf';
    const rows = await request('world.query', { data: { option: [NAME, childOf] } });
    const nina = rows.find((row: Answer) => row.components[NAME] === 'nina');
    expect(rows.find((row: Answer) => row.entity === nina.components[childOf]).components[NAME]).to.equal('armada');
    const types = await request('world.list_components', { entity: nina.entity });
    const { components, errors } = await request('world.get_components', { entity: nina.entity, components: types });
    expect([Object.keys(components).sort(), errors]).to.deep.equal([types, {}]);
    const path = { entity: nina.entity, component: POSITION, path: '.x', value: 3.5 };
    expect(await request('world.mutate_components', path)).to.equal(null);
    expect(
      await request('world.insert_components', { entity: nina.entity, components: { [NAME]: 'La Niña' } }),
    ).to.equal(null);
    const strict = { entity: nina.entity, components: [NAME, POSITION], strict: true };
    expect(await request('world.get_components', strict)).to.deep.equal({
      [NAME]: 'La Niña',
      [POSITION]: { x: 3.5, y: 2, z: 0 },
    });
    for (const resource of await request('world.list_resources')) {
      expect(await request('world.get_resources', { resource })).to.have.keys('value');
    }
    const schemas = await request('registry.schema', { type_limit: { with: ['Component'] } });
    for (const type of types) expect(schemas[type].reflectTypes).to.include('Component');
    expect((await request('rpc.discover')).methods.length).to.be.greaterThan(20);
    const refused = await request('world.get_components', { entity: 1, components: [] }).catch((error) => error);
    expect(refused.code).to.equal(-23401);
  });

  it('a server of tools for assistants: always request 1 at /jsonrpc, null for no parameters, lines of a stream', async () => {
    const open = (method: string, params: unknown = null): Promise<Response> =>
      fetch(`${url}/jsonrpc`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ id: 1, jsonrpc: '2.0', method, params }),
      });
    const call = async (method: string, params?: unknown): Promise<Answer> => (await open(method, params)).json();
    for (const method of [
      'world.list_components',
      'world.list_resources',
      'registry.schema',
      'rpc.discover',
      'schedule.list',
    ]) {
      expect((await call(method)).error, method).to.equal(undefined);
    }
    expect((await call('brp_extras/agent_tools')).result.tools).to.have.length(1);
    expect((await call('world.spawn_entity', { components: { 'a::Nothing': {} } })).error.message).to.equal(
      'Unknown component type: `a::Nothing`',
    );
    const wrong = await call('world.spawn_entity', { components: { [POSITION]: 'x' } });
    expect(wrong.error.message).to.match(/^server::Position is invalid: /);
    const { entity } = (await call('world.query', { data: {}, filter: { with: ['fleet::Rudder'] } })).result[0];
    const response = await open('world.get_components+watch', { entity, components: ['fleet::Rudder'] });
    expect(response.headers.get('content-type')).to.equal('text/event-stream');
    await call('world.mutate_components', { entity, component: 'fleet::Rudder', path: 'angle', value: 1.5 });
    let text = '';
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += new TextDecoder().decode(chunk);
      if (text.includes('\n\n')) break;
    }
    const [line] = text.split('\n').filter((one) => one.startsWith('data: '));
    expect(JSON.parse((line as string).slice('data: '.length)).result.components['fleet::Rudder'].angle).to.equal(1.5);
  });
});
