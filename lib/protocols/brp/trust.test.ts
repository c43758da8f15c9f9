// Who may use Bevy's protocol, what read-only tokens may do, and input that means nothing.
import { expect } from 'chai';
import fc from 'fast-check';
import { settled, TestBrp } from '../../testing/aids/brp-server.js';
import { webSocketOf } from '../../testing/aids/http-exchange.js';
import { runs } from '../../testing/aids/run-counts.js';
import { parseReflectPath } from './reflect-path.js';

const LIST = '{"jsonrpc":"2.0","id":1,"method":"world.list"}';

describe("trust in clients of Bevy's protocol", () => {
  const tokens = new Map([
    ['reader', 'read-only'],
    ['writer', 'read-write'],
  ] as const);
  let brp: TestBrp;
  before(async () => {
    brp = await TestBrp.start({ tokens });
  });
  after(() => brp.close());
  const ask = async (body: string, query: string, headers = {}) =>
    brp.exchange({ path: `/jsonrpc${query}`, headers, body });

  it('asks for a token on any path, and says so as an error of the protocol', async () => {
    for (const path of ['/', '/x/y', '/ws']) {
      const { status, json } = await brp.exchange({ path, body: LIST });
      expect([status, json.error.code]).to.deep.equal([401, -23416]);
    }
    expect((await ask(LIST, '?token=wrong')).status).to.equal(401);
    expect((await ask(LIST, '?token=reader')).json.result).to.include('server::Position');
  });

  it('refuses other names of this machine, and pages of other sites', async () => {
    expect((await ask(LIST, '?token=reader', { host: 'evil.example' })).status).to.equal(403);
    expect((await ask(LIST, '?token=reader', { origin: 'http://evil.example' })).status).to.equal(403);
  });

  const changes: readonly [method: string, params: object][] = [
    ['world.spawn_entity', { components: {} }],
    ['bevy/destroy', { entity: '1v0' }],
    ['world.insert_components', { entity: '1v0', components: {} }],
    ['world.remove_components', { entity: '1v0', components: [] }],
    ['bevy/reparent', { entities: [] }],
    ['world.mutate_components', { entity: '1v0', component: 'Position', path: '.x', value: 1 }],
    ['world.insert_resources', { resource: 'Body', value: {} }],
    ['world.remove_resources', { resource: 'Body' }],
    ['world.mutate_resources', { resource: 'Body', path: '.label', value: 'x' }],
    ['world.trigger_event', { event: 'server::push' }],
    ['world.write_message', { message: 'server::push' }],
    ['server/push', { by: 1, mode: 0 }],
  ];
  for (const [method, params] of changes) {
    it(`a read-only token may not call ${method}`, async () => {
      const before = brp.registry.source.catalog.version;
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
      expect((await ask(body, '?token=reader')).json.error).to.deep.include({ code: -23416 });
      expect(brp.registry.source.catalog.version).to.equal(before);
    });
  }

  it('a read-only token may not change anything in the proposal’s envelope or over a WebSocket', async () => {
    const spawn = JSON.stringify({ id: 1, request: 'SPAWN', params: { components: {} } });
    expect((await ask(spawn, '?token=reader')).json.response.error.name).to.equal('Other');
    expect((await ask(spawn, '?token=writer')).json.response.entity).to.match(/v0$/);
    const socket = webSocketOf({ path: '/ws?token=reader' });
    brp.router.open(socket);
    await settled();
    socket.send('{"jsonrpc":"2.0","id":1,"method":"world.spawn_entity","params":{"components":{}}}');
    await settled();
    expect(JSON.parse(socket.taken()).error.code).to.equal(-23416);
  });
});

describe('input that means nothing', () => {
  let brp: TestBrp;
  before(async () => {
    brp = await TestBrp.start();
  });
  after(() => brp.close());

  const methods = [
    'world.get_components',
    'world.query',
    'world.list',
    'world.spawn_entity',
    'world.insert_components',
    'world.remove_components',
    'world.mutate_components',
    'world.reparent_entities',
    'world.get_resources',
    'world.insert_resources',
    'world.mutate_resources',
    'registry.schema',
    'brp.poll',
    'world.trigger_event',
    'server/push',
    'server/shout',
  ];
  const word = fc.constantFrom(
    'entity',
    'components',
    'data',
    'filter',
    'path',
    'value',
    'component',
    'resource',
    'with',
  );
  const value = fc.letrec((tie) => ({
    node: fc.oneof(
      fc.jsonValue({ maxDepth: 1 }),
      fc.constantFrom('1v0', 4294967294, 'Position', 'Body', '.x', 'all', '__proto__'),
      fc.array(tie('node'), { maxLength: 3 }),
      fc.dictionary(fc.oneof(word, fc.string({ maxLength: 4 })), tie('node'), { maxKeys: 4 }),
    ),
  })).node;

  it('is refused with a sentence, and is never a fault of the server', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...methods),
        fc.dictionary(word, value, { maxKeys: 5 }),
        async (method, given) => {
          const params = method === 'brp.poll' ? { ...given, timeout_ms: 0 } : given;
          const answer = await brp.call(method, params);
          if (answer?.code !== undefined) {
            expect(answer.code).to.not.equal(-32603);
            expect(answer.message).to.be.a('string').with.length.above(3);
          }
          expect(brp.log).to.deep.equal([]);
        },
      ),
      { numRuns: runs(300) },
    );
  });

  it('as a path inside a component is parsed or refused, never lost', () => {
    const sign = fc.constantFrom('.', '#', '[', ']', 'x', '0', '12', 'name', ' ', '');
    fc.assert(
      fc.property(fc.array(sign, { maxLength: 12 }), (parts) => {
        const path = parts.join('');
        let accesses: ReturnType<typeof parseReflectPath>;
        try {
          accesses = parseReflectPath(path);
        } catch (error) {
          expect((error as Error).message).to.match(/^Encountered an error at offset \d+ while parsing `/);
          return;
        }
        const again = accesses.map((access) => {
          if (access.kind === 'name') return `.${access.name}`;
          if (access.kind === 'tuple') return `.${access.index}`;
          return access.kind === 'position' ? `#${access.index}` : `[${access.index}]`;
        });
        const spelled = path === '' || /^[.#[]/.test(path) ? path : `.${path}`;
        expect(again.join('').replace(/\d+/g, Number as never)).to.equal(spelled.replace(/\d+/g, Number as never));
      }),
    );
  });
});
