// The OpenRPC document, checked against its schema and the methods.
import { createRequire } from 'node:module';
import { expect } from 'chai';
import { TestServer } from '../../testing/aids/http-exchange.js';
import { compileErrors, typesOf } from '../../testing/aids/schema-types.js';

// Loaded without `import`: its types are source text, which the compiler would check by this project's rules.
const require = createRequire(import.meta.url);
const { validateOpenRPCDocument } = require('@open-rpc/schema-utils-js') as {
  validateOpenRPCDocument(document: unknown): true | Error;
};

interface Example {
  readonly name: string;
  readonly params: readonly { readonly name: string; readonly value: unknown }[];
  readonly result: { readonly value: unknown };
}
interface DescribedMethod {
  readonly name: string;
  readonly result?: { readonly schema: object };
  readonly params: readonly { readonly name: string; readonly required: boolean; readonly schema: object }[];
  readonly examples: readonly Example[];
  readonly errors: readonly { readonly $ref: string }[];
}

const document = await new TestServer().call('rpc.discover');
const described: readonly DescribedMethod[] = document.methods;
/** What clients call; the others are sent to them. */
const methods = described.filter(({ result }) => result !== undefined);

describe('the OpenRPC document', () => {
  it('describes every method, itself included', () => {
    expect(described.map(({ name }) => name)).to.have.members([
      ...['var/list', 'var/exists', 'var/describe', 'var/units', 'var/get', 'var/set', 'var/set-result', 'var/wait'],
      ...[
        'var/children',
        'var/search',
        'var/history',
        'var/statistics',
        'var/spectrum',
        'session/me',
        'sim/clients',
        'sim/messages',
        'sim/marks',
      ],
      ...['sim/checkpoint', 'sim/load-checkpoint'],
      ...['var', 'var/refused', 'sim/message'],
      ...['var/subscribe', 'var/unsubscribe', 'var/pause', 'var/cycle'],
      ...['sim/status', 'sim/control', 'sim/seek', 'sim/functions', 'sim/call', 'rpc.discover'],
      ...['scene/get', 'runs/list', 'runs/curves'],
    ]);
    expect(document).to.include({ openrpc: '1.3.2' });
    expect(document.info.version).to.equal('1.2.3');
  });

  it("is valid by OpenRPC's own meta-schema", () => {
    expect(validateOpenRPCDocument(document)).to.equal(true);
    expect(validateOpenRPCDocument({ ...document, methods: [{ name: 'without parameters' }] })).to.have.property(
      'message',
    );
  });

  it('has needed parameters first, names in order of no repeat, and errors that exist', () => {
    for (const { name, params, errors } of methods) {
      const needed = params.map(({ required }) => required);
      expect(needed, name).to.deep.equal([...needed].sort((a, b) => Number(b) - Number(a)));
      expect(new Set(params.map((param) => param.name)).size).to.equal(params.length);
      for (const { $ref } of errors) {
        expect(document.components.errors).to.have.property($ref.replace('#/components/errors/', ''));
      }
    }
  });

  it('describes what the server sends by itself, and where the server is', () => {
    const sent = described.filter(({ result }) => result === undefined);
    expect(sent.map(({ name }) => name)).to.deep.equal(['var', 'var/refused', 'sim/message']);
    expect(sent[0]?.params.map(({ name }) => name)).to.include.members(['subscription_id', 'frame', 'values']);
    expect(document.servers[0].url).to.equal('http://127.0.0.1:7000/jsonrpc');
  });

  it('gives every schema a title of its own, from which TypeScript is made that compiles', () => {
    const text = typesOf(described);
    expect(text).to.include('VarGetResult').and.include('VarNotificationParamsValues');
    expect(compileErrors(text)).to.deep.equal([]);
    expect(compileErrors(`${text}\nconst wrong: VarGetResult = { frame: 'one' };`)).to.have.length(1);
  });

  it('tells which parameters may be left out', () => {
    const params = methods.find(({ name }) => name === 'var/subscribe')?.params ?? [];
    expect(params.filter(({ required }) => required).map(({ name }) => name)).to.deep.equal(['aliases']);
    expect(params.find(({ name }) => name === 'cycle_ms')?.schema).to.include({ type: 'number', minimum: 0 });
    expect(params.find(({ name }) => name === 'on')?.schema).to.include({ default: 'cycle' });
  });

  it('is served to people too', async () => {
    const { json, sentHeaders } = await new TestServer().ask({ path: '/openrpc.json' });
    expect(json).to.deep.equal(document);
    expect(sentHeaders['content-type']).to.match(/^application\/json/);
  });

  it('names the address by which each client has called the server', async () => {
    const server = new TestServer();
    for (const host of ['localhost:7000', '127.0.0.1:7000', '[::1]:7000']) {
      const { json } = await server.ask({ path: '/openrpc.json', headers: { host } });
      expect(json).to.deep.equal({ ...document, servers: [{ ...document.servers[0], url: `http://${host}/jsonrpc` }] });
    }
  });

  for (const { name, examples } of methods) {
    if (name !== 'rpc.discover') {
      it(`has an example of ${name}`, () => expect(examples).to.have.length.at.least(1));
    }
    for (const example of examples) {
      it(`is right about ${name}: ${example.name}`, async () => {
        const server = new TestServer();
        const params = Object.fromEntries(example.params.map((param) => [param.name, param.value]));
        if ('subscription_id' in params) await server.call('var/subscribe', { aliases: ['ball.position'] });
        if ('sequence' in params) await server.call('var/set', { alias: 'ball.velocity[1]', value: 5 });
        server.messages.add({ level: 'warning', text: 'low fuel', timeSeconds: 1.23 });
        const result = await server.call(name, params);
        // The example of this method names two of its methods.
        if (name === 'session/me')
          result.methods = result.methods.filter((each: string) => /var.(list|get)/.test(each));
        expect(result).to.deep.equal(example.result.value);
      });
    }
  }
});
