// Large and costly requests: they are bounded early, and answered in turns with the values of one tick.
import { expect } from 'chai';
import { array, bool, double, float, int, pointer, struct, text } from '../../model/state/declare.js';
import { vector } from '../../model/state/declare-containers.js';
import type { State } from '../../model/state/state.js';
import { sizeOf } from '../../model/state/type.js';
import { SessionRegistry } from '../../serving/session/registry.js';
import { MOST_WRITTEN_BYTES } from '../../serving/session/written-bytes.js';
import { TestBall } from '../../testing/aids/http-ball.js';
import { TestServer } from '../../testing/aids/http-exchange.js';
import { ManualClock } from '../../testing/aids/manual-clock.js';
import type { CallContext } from './call-context.js';
import { valuesByAlias } from './schemas.js';
import { varValueMethods } from './var-value-methods.js';

const CELLS = 5000;

function declareTable(state: State): void {
  const cell = struct('Cell', {
    on: bool(),
    label: text(8),
    level: float(),
    wide: vector(int(), 3),
    far: pointer(double()),
  });
  const table = state.addObject('table');
  table.component(
    'row',
    double(CELLS, { units: 'm' }),
    Array.from({ length: CELLS }, (_, k) => k / 3),
  );
  table.component('cells', array(cell, 4));
  table.component('grid', array(struct('Point', { x: double(), y: double() }), 50));
}

/** A clock that moves whenever it is read, so that every slice is over at the first check. */
class HurriedClock extends ManualClock {
  override nowMillis(): number {
    this.advance(1);
    return super.nowMillis();
  }
}

const tableServer = () => new TestServer(new TestBall(declareTable));
const spellings = [
  'table.row',
  ' table.row',
  'table .row',
  'table. row',
  'table.row ',
  '\ttable.row',
  'table . row',
  '  table.row',
];

describe('var/get of much', () => {
  it('writes what is spelled in eight ways once, under each of them', async () => {
    const { values } = await tableServer().call('var/get', { aliases: spellings });
    expect(Object.keys(values)).to.have.members(spellings);
    for (const value of Object.values(values))
      expect(value).to.deep.equal(Array.from({ length: CELLS }, (_, k) => k / 3));
  });

  it('answers whatever there is as it answers it piece by piece', async () => {
    const server = tableServer();
    const aliases = [
      'table',
      'table.cells',
      'table.cells[1]',
      'table.grid',
      'ball',
      'table.cells[1].far',
      'table.cells[1].label',
    ];
    const { values } = await server.call('var/get', { aliases });
    expect(values.table).to.deep.equal({
      row: Array.from({ length: CELLS }, (_, k) => k / 3),
      cells: values['table.cells'],
      grid: values['table.grid'],
    });
    const empty = { on: false, label: '', level: 0, wide: [], far: null };
    expect(values['table.cells']).to.deep.equal([empty, empty, empty, empty]);
    expect(values['table.cells[1]']).to.deep.equal(empty);
    expect(values['table.cells[1].label']).to.equal('');
    const { values: converted } = await server.call('var/get', { aliases: ['table.row'], units: 'km' });
    expect(converted['table.row'].slice(0, 3)).to.deep.equal([0, 1 / 3 / 1000, 2 / 3 / 1000]);
  });

  it('shows one tick, however many come while it is written', async () => {
    const ball = new TestBall(declareTable);
    const server = new TestServer(ball, {}, ball, new HurriedClock());
    ball.store('table.row', Array(CELLS).fill(1));
    ball.ticks(1);
    const answer = server.call('var/get', { aliases: ['table.row'] });
    for (let tick = 2; tick < 20; tick++) {
      await new Promise((resolve) => setImmediate(resolve));
      ball.ticks(1, () => ball.store('table.row', Array(CELLS).fill(tick)));
    }
    const { sim_time, values } = await answer;
    expect(new Set(values['table.row']).size).to.equal(1);
    expect(sim_time.sec_si).to.be.closeTo(1.23 + values['table.row'][0] / 100, 1e-9);
  });

  it('gives back what it keeps meanwhile', async () => {
    const server = tableServer();
    await server.call('var/get', { aliases: ['table'] });
    expect([server.registry.ledger.held('keptBytes'), server.registry.ledger.held('unreadBytes')]).to.deep.equal([
      0, 0,
    ]);
  });
});

describe('a request that names too much', () => {
  const refused: readonly [what: string, method: string, params: object, sentence: RegExp][] = [
    [
      'more aliases than anybody needs',
      'var/get',
      { aliases: Array(10_001).fill('ball.position') },
      /^-32602: var\/get: aliases: expected at most 10000 of them, found 10001$/,
    ],
    [
      'more units than aliases',
      'var/get',
      {
        aliases: ['ball.position'],
        units: Object.fromEntries(Array.from({ length: 10_001 }, (_, k) => [`a${k}`, 'm'])),
      },
      /^-32602: var\/get: units: expected units as text, or an object/,
    ],
    [
      'a path longer than any',
      'var/get',
      { aliases: [`ball${'.a'.repeat(100_000)}`] },
      /^-32602: var\/get: aliases\[0\]: expected a path of at most 4096 characters$/,
    ],
    [
      'units longer than any',
      'var/get',
      { aliases: ['ball.position'], units: 'm'.repeat(1000) },
      /^-32602: var\/get: units: /,
    ],
    [
      'a pattern of stars',
      'var/list',
      { pattern: '*'.repeat(100_000) },
      /^-32602: .*expected at most 1000 characters$/,
    ],
    ['a page longer than any', 'var/list', { limit: 1_000_000 }, /^-32602: var\/list: limit: /],
    [
      'a parameter with a long name',
      'var/list',
      { ['p'.repeat(100_000)]: 1 },
      /^-32602: var\/list has no parameter "p{100}…"; it takes/,
    ],
  ];
  for (const [what, method, params, sentence] of refused) {
    it(`is refused with a sentence: ${what}`, async () => {
      const { error } = await new TestServer().respond(method, params);
      expect(`${error.code}: ${error.message}`).to.match(sentence);
      expect(JSON.stringify(error).length).to.be.below(1000);
    });
  }

  it('is refused with a short sentence where a method has a long name', async () => {
    const { error } = await new TestServer().respond('m'.repeat(100_000));
    expect(error).to.deep.equal({
      code: -32601,
      message: `there is no method "${'m'.repeat(100)}…"`,
      data: { nearest: [] },
    });
  });
});

describe('var/set of much', () => {
  it('checks many values without a copy of them', () => {
    const values = Object.fromEntries(Array.from({ length: 10_000 }, (_, k) => [`table.row[${k}]`, k]));
    expect(valuesByAlias.parse(values)).to.equal(values);
    for (const [wrong, kind] of [
      [[1], 'array'],
      [null, 'null'],
      [5, 'number'],
    ])
      expect(() => valuesByAlias.parse(wrong)).to.throw(`expected record, received ${kind}`);
  });

  it('gives way before its names are looked up, and before it is sent', async () => {
    const source = new TestBall(declareTable);
    const method = varValueMethods.find(({ name }) => name === 'var/set');
    const facts = { kind: 'http', peer: '127.0.0.1:40000' } as never;
    const session = new SessionRegistry(source, new ManualClock()).create(facts, {} as never);
    const sent: number[] = [];
    const turn = async () => void sent.push(source.requests.length);
    const context = { source, session, turn, changes: { nextSequence: () => 1, follow: () => undefined } };
    const params = { values: { 'table.row[0]': 1 } };
    await method?.call(context as unknown as CallContext, params);
    expect(sent).to.deep.equal([0, 0]);
    expect(source.requests).to.have.length(1);
  });

  const queueServer = () =>
    new TestServer(new TestBall((state) => void state.addObject('table').component('queue', vector(double(), CELLS))));
  const most = Math.floor(MOST_WRITTEN_BYTES / sizeOf(vector(double(), CELLS).type));
  const cleared = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, k) => [`${' '.repeat(k)}table.queue`, []]));

  it('sends few values of sequences as they are, up to so many bytes of variables', async () => {
    const server = queueServer();
    await server.call('var/set', { values: cleared(most) });
    const [request] = server.ball.requests;
    const values = request?.kind === 'write' ? request.writes.map(({ value }) => value) : [];
    expect(values).to.deep.equal(Array.from({ length: most }, () => []));
  });

  it('is refused with a sentence above that, and sends nothing', async () => {
    const server = queueServer();
    const { error } = await server.respond('var/set', { values: cleared(most + 1) });
    const sentence = `var/set: the variables of one call may have ${MOST_WRITTEN_BYTES} bytes together, set them, or parts of them, in several calls`;
    expect([error.code, error.message]).to.deep.equal([-23418, sentence]);
    expect(server.ball.requests).to.deep.equal([]);
  });

  it('is refused also for one variable that an empty list would clear', async () => {
    const server = new TestServer(
      new TestBall((state) => {
        state.addObject('large').component('all', vector(double(), MOST_WRITTEN_BYTES / 8 + 1));
      }),
    );
    const { error } = await server.respond('var/set', { alias: 'large.all', value: [] });
    expect(error.code).to.equal(-23418);
    expect(server.ball.requests).to.deep.equal([]);
  });
});

describe('what JSON can say and a variable cannot be', () => {
  const post = async (params: string) => {
    const server = new TestServer();
    const { json } = await server.post(`{"jsonrpc":"2.0","id":1,"method":"var/set","params":${params}}`);
    expect(server.ball.requests).to.deep.equal([]);
    return json.error.message;
  };

  it('is refused: a variable __proto__, beside others and alone', async () => {
    const sentence = 'var/set: values: __proto__ is no path of a variable';
    expect(await post('{"values":{"__proto__":1,"ball.position[0]":1}}')).to.equal(sentence);
    expect(await post('{"values":{"__proto__":1}}')).to.equal(sentence);
    expect(await post('{"alias":"ball","value":{"__proto__":[1,2]}}')).to.match(/no member __proto__/);
    expect(await post('{"alias":"ball.position[0]","value":1,"__proto__":{}}')).to.match(/no parameter "__proto__"/);
  });

  it('is refused: a number that is read as infinite', async () => {
    const sentence = 'a number is larger than a double can be; infinity is written "Infinity" or "-Infinity"';
    expect(await post('{"alias":"ball.position[0]","value":1e400}')).to.equal(sentence);
    expect(await post('{"alias":"ball.position","value":[0,-1e999]}')).to.equal(sentence);
  });

  it('is no parameters: an empty list, which standard clients send for none', async () => {
    expect(await new TestServer().call('sim/status', [])).to.include({ name: 'ball' });
    expect((await new TestServer().respond('sim/status', [1])).error.code).to.equal(-32602);
  });
});

describe('pages of var/list', () => {
  it('go on behind any variable without those before it', async () => {
    const { catalog } = new TestBall(declareTable);
    const paths = [...catalog.variables()].map(({ path }) => path);
    for (const [index, path] of paths.entries()) {
      const variable = catalog.find(path);
      const behind = variable && [...catalog.variablesBehind(variable)].map((next) => next.path);
      expect(behind, path).to.deep.equal(paths.slice(index + 1));
    }
  });

  it('go on behind a structure, an element of a listed array, and what a pointer leads to', () => {
    const { catalog } = new TestBall(declareTable);
    const behind = (path: string): string | undefined => {
      const variable = catalog.find(path);
      return variable && catalog.variablesBehind(variable).next().value?.path;
    };
    expect(behind('ball')).to.equal('table.row');
    expect(behind('table.row[17]')).to.equal('table.cells[0].on');
    expect(behind('table.cells[0]')).to.equal('table.cells[1].on');
    expect(behind('table.cells[1].far[0]')).to.equal('table.cells[2].on');
    expect(behind('table')).to.equal(undefined);
  });

  it('come in slices', async () => {
    const ball = new TestBall(declareTable);
    const whole = await new TestServer(ball).call('var/list');
    const server = new TestServer(ball, {}, ball, new HurriedClock());
    expect(await server.call('var/list', { pattern: '***' })).to.deep.equal(whole);
    const first = await server.call('var/list', { limit: 5 });
    expect(await server.call('var/list', { after: first[4].alias })).to.deep.equal(whole.slice(5));
  });
});

describe('var/set-result', () => {
  it('says what became of a change that was answered at once', async () => {
    const ball = new TestBall();
    ball.isSlow = true;
    const server = new TestServer(ball);
    const results = () => Promise.all([1, 2].map((sequence) => server.call('var/set-result', { sequence })));
    await server.call('var/set', { alias: 'ball.position[0]', value: 1 });
    await server.call('var/set', { alias: 'ball.position[0]', value: 666 });
    expect(await results()).to.deep.equal([{ state: 'waiting' }, { state: 'waiting' }]);
    ball.release();
    await new Promise((resolve) => setImmediate(resolve));
    expect(await results()).to.deep.equal([
      { state: 'done', frame: 125 },
      { state: 'refused', reason: 'the simulation does not take 666' },
    ]);
    expect((await server.respond('var/set-result', { sequence: 3 })).error.message).to.equal(
      'no change of this client has the sequence 3, or more than 1000 came after it',
    );
  });

  it('forgets all but the latest 1000', async () => {
    const server = new TestServer();
    for (let count = 0; count < 1001; count++)
      await server.call('var/set', { alias: 'ball.position[0]', value: count });
    expect((await server.respond('var/set-result', { sequence: 1 })).error.code).to.equal(-32602);
    expect(await server.call('var/set-result', { sequence: 2 })).to.include({ state: 'done' });
  });
});

describe('a batch of more than 8 KB', () => {
  const requests = Array.from({ length: 300 }, (_, id) => ({
    jsonrpc: '2.0',
    id,
    method: id % 3 ? 'var/exists' : 'var/set',
    params: id % 3 ? { alias: 'ball' } : { alias: 'ball.position[1]', value: id },
  }));

  it('is carried out and answered in its order', async () => {
    const server = new TestServer();
    const answers = (await server.post(JSON.stringify(requests))).json;
    expect(answers.map(({ id }: { id: number }) => id)).to.deep.equal(requests.map(({ id }) => id));
    expect(answers[1].result).to.equal(true);
    expect((await server.call('var/get', { aliases: ['ball.position[1]'] })).values['ball.position[1]']).to.equal(297);
  });

  it('changes nothing when its text is no JSON at its end, or when it has too many requests', async () => {
    const server = new TestServer();
    const before = await server.call('var/get', { aliases: ['ball.position[1]'] });
    const text = JSON.stringify(requests);
    for (const [wrong, code] of [
      [`${text.slice(0, -1)},}]`, -32700],
      [`${text}x`, -32700],
      [JSON.stringify([...requests, ...requests, ...requests, ...requests]), -32600],
    ] as const)
      expect((await server.post(wrong)).json.error.code).to.equal(code);
    expect(await server.call('var/get', { aliases: ['ball.position[1]'] })).to.deep.equal(before);
  });
});
