// How requests of the protocol are read and answered: ids, members, batches, and text that is no request.
import { expect } from 'chai';
import fc from 'fast-check';
import { TestBrp } from '../../testing/aids/brp-server.js';
import { GENERATIONS, type Generation } from './generation.js';
import { repeatedMembers } from './repeated-members.js';

const PING = '"jsonrpc":"2.0","method":"brp.ping"';
const PONG = { status: 'OK' };

describe("the envelope of Bevy's protocol", () => {
  const servers = new Map<Generation, TestBrp>();
  before(async () => {
    for (const preferred of GENERATIONS) servers.set(preferred, await TestBrp.start({ preferred }));
  });
  after(() => {
    for (const server of servers.values()) server.close();
  });
  const post = (body: string, preferred: Generation = '0.19') => (servers.get(preferred) as TestBrp).post(body);

  for (const id of ['7', '"a"', '{"a":[1,null]}', '[1]', 'true', '1.5']) {
    it(`echoes the id ${id}`, async () => {
      for (const generation of ['0.18', '0.19'] as const) {
        const answer = await post(`{${PING},"id":${id}}`, generation);
        expect(answer).to.deep.equal({ jsonrpc: '2.0', id: JSON.parse(id), result: PONG });
      }
    });
  }

  it('refuses an id that no answer can carry', async () => {
    expect(await post(`{${PING},"id":1e400}`)).to.have.nested.property('error.code', -32600);
  });

  it('refuses a member __proto__', async () => {
    expect(await post(`{${PING},"id":1,"__proto__":{}}`)).to.have.nested.property('error.code', -32600);
  });

  it('answers a request without id; since 0.19 without one, before with null', async () => {
    for (const body of [`{${PING}}`, `{${PING},"id":null}`]) {
      expect(await post(body)).to.deep.equal({ jsonrpc: '2.0', result: PONG });
      expect(await post(body, '0.18')).to.deep.equal({ jsonrpc: '2.0', id: null, result: PONG });
    }
  });

  it('takes a request without jsonrpc, as Bevy prints some, in every generation', async () => {
    for (const generation of GENERATIONS) {
      const answer = await post('{"method":"brp.ping","id":0}', generation);
      expect(answer).to.deep.equal({ jsonrpc: '2.0', id: 0, result: PONG });
    }
  });

  it('follows the generation of a method by its name', async () => {
    expect(await post('{"jsonrpc":"2.0","method":"bevy/list_resources","x":1}')).to.have.property('id', null);
    expect(await post('{"jsonrpc":"2.0","method":"world.list"}', '0.16')).to.not.have.property('id');
  });

  const refused: readonly [body: string, message: RegExp | string][] = [
    ['', 'EOF while parsing a value at line 1 column 0'],
    ['{', /is not JSON/],
    ['\u0000', /is not JSON/],
    ['"x"', /invalid type: "x", expected a request object/],
    ['5', /invalid type: 5/],
    ['null', /invalid type: null/],
    ['{}', 'missing field `method`'],
    ['{"jsonrpc":null,"method":"brp.ping"}', 'JSON-RPC request requires "jsonrpc": "2.0"'],
    ['{"jsonrpc":"1.0","method":"x"}', 'JSON-RPC request requires "jsonrpc": "2.0"'],
    ['{"jsonrpc":2,"method":"x"}', 'JSON-RPC request requires "jsonrpc": "2.0"'],
    ['{"jsonrpc":"2.0"}', 'missing field `method`'],
    ['{"jsonrpc":"2.0","method":1}', 'invalid type: 1, expected a string'],
    ['{"jsonrpc":"2.0","method":[1]}', 'invalid type: sequence, expected a string'],
    ['{"jsonrpc":"2.0","method":{"a":1}}', 'invalid type: map, expected a string'],
    [`"${'x'.repeat(100)}"`, `invalid type: "${'x'.repeat(39)}, expected a request object`],
    ['['.repeat(70), /nested deeper/],
  ];
  for (const [body, message] of refused) {
    it(`answers ${JSON.stringify(body.slice(0, 40))} with -32600`, async () => {
      for (const generation of GENERATIONS) {
        const { error, ...rest } = await post(body, generation);
        expect(error.code).to.equal(-32600);
        expect(error.message).to.match(
          typeof message === 'string' ? new RegExp(message.replace(/[.[\]]/g, '\\$&')) : message,
        );
        expect(rest).to.deep.equal({ jsonrpc: '2.0', id: null });
      }
    });
  }

  it('refuses unknown and repeated members since 0.19, and ignores them before', async () => {
    const stray = `{${PING},"id":null,"extra":1}`;
    expect(await post(stray)).to.deep.equal({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32600, message: 'unknown field `extra`, expected one of `jsonrpc`, `method`, `id`, `params`' },
    });
    expect((await post(stray, '0.18')).result).to.deep.equal(PONG);
    const twice = `{${PING},"id":1,"id" : 2}`;
    expect(await post(twice)).to.deep.equal({
      jsonrpc: '2.0',
      id: 2,
      error: { code: -32600, message: 'duplicate field `id`' },
    });
    expect((await post(twice, '0.17')).result).to.deep.equal(PONG);
  });

  it('answers a batch in order, one entry for each item, and [] with []', async () => {
    expect(await post('[]')).to.deep.equal([]);
    const answers = await post(`[{${PING},"id":1},5,{${PING}},{${PING},"id":2,"id":2},{${PING},"id":3}]`);
    expect(answers.map(({ error, id }: { error?: object; id?: unknown }) => [id, error === undefined])).to.deep.equal([
      [1, true],
      [null, false],
      [undefined, true],
      [2, false],
      [3, true],
    ]);
  });

  it('refuses a watch in a batch', async () => {
    const [answer] = await post('[{"jsonrpc":"2.0","id":1,"method":"world.get_components+watch"}]');
    expect(answer.error).to.deep.equal({ code: -32600, message: 'Streaming can not be used in batch requests' });
  });

  it('answers any path and any verb with status 200', async () => {
    const server = servers.get('0.19') as TestBrp;
    for (const [method, path] of [
      ['POST', '/'],
      ['PUT', '/jsonrpc'],
      ['GET', '/ws'],
      ['DELETE', '/a/b?c'],
      ['PROPFIND', '/x'],
    ] as const) {
      const { status, sentHeaders, json } = await server.exchange({ method, path, body: `{${PING},"id":1}` });
      expect([status, json.result]).to.deep.equal([200, PONG]);
      expect(sentHeaders['content-type']).to.equal('application/json');
    }
    const { status } = await server.exchange({ body: '{"jsonrpc":"2.0","method":"nope"}' });
    expect(status).to.equal(200);
  });

  it('refuses a body over 1 MB', async () => {
    const { status, json } = await (servers.get('0.19') as TestBrp).exchange({ body: ' '.repeat(1_000_001) });
    expect([status, json.id, json.error.code]).to.deep.equal([413, null, -32600]);
  });
});

describe('members that stand twice', () => {
  /** The members, and how many turns the search has taken. */
  async function search(text: string): Promise<{ readonly members: string[]; readonly turns: number }> {
    let turns = 0;
    const found = await repeatedMembers(Buffer.from(text), JSON.parse(text), async () => {
      turns++;
    });
    return { members: found.map(([, member]) => member), turns };
  }
  const found = async (text: string) => (await search(text)).members;

  it('are searched for in turns', async () => {
    const { members, turns } = await search(`{"a":1,"b":[${'1,'.repeat(200_000)}1],"a":2}`);
    expect(members).to.deep.equal(['a']);
    expect(turns).to.be.greaterThan(20);
  });

  it('are searched for in turns behind long texts and names', async () => {
    const quotes = '\\"'.repeat(200_000);
    for (const between of [`"b":"${quotes}"`, `"${quotes}":1`]) {
      const { members, turns } = await search(`{"a":1,${between},"a":2}`);
      expect(members).to.deep.equal(['a']);
      expect(turns).to.be.greaterThan(20);
    }
  });

  it('are found in a request and in each of a batch, not deeper', async () => {
    expect(await found('{"a":1,"b":{"c":1,"c":2},"a":2}')).to.deep.equal(['a']);
    expect(await found('{"a":"a\\":","b":"a"}')).to.deep.equal([]);
    expect(await found('[{"a":1},{"b":1,"b":2},[3,{"x":1,"x":1}]]')).to.deep.equal(['b']);
    expect(await found('{"a":1,"\\u0061":2}')).to.deep.equal(['a']);
  });

  it('are never found in what JSON.stringify wrote', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        expect(await found(JSON.stringify(value))).to.deep.equal([]);
      }),
    );
  });
});
