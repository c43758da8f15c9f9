// The var/ methods: reading, writing, listing and describing variables.
import { expect } from 'chai';
import {
  array,
  bits,
  bool,
  chars,
  double,
  enumeration,
  int,
  longLong,
  pointer,
  struct,
  text,
  unsignedLongLong,
} from '../../model/state/declare.js';
import { vector } from '../../model/state/declare-containers.js';
import type { State } from '../../model/state/state.js';
import { TestBall } from '../../testing/aids/http-ball.js';
import { TestServer, turn } from '../../testing/aids/http-exchange.js';

const SIM_TIME = { sec_si: 1.23, label: 'sim_elapsed' };

/** Declares one variable of each kind that JSON treats in its own way. */
function declareVehicle(state: State): void {
  const sensor = struct('Sensor', { gain: double({ units: 'V' }), label: text(8) });
  state.addObject('vehicle').component(
    'state',
    struct('Vehicle', {
      phase: enumeration('Phase', { IDLE: 0, ENTRY: 3 }),
      name: chars(8),
      flags: bits(3),
      big: longLong(),
      huge: unsignedLongLong(),
      angles: double([2, 2], { units: 'rad' }),
      count: int(),
      armed: bool(),
      secret: double({ access: 'write-only' }),
      fixed: double({ access: 'read-only' }),
      history: vector(double(), 4),
      sensors: array(sensor, 2),
      target: pointer(double()),
    }),
    { phase: 3, name: 'falcon', big: 9007199254740993n, huge: 5n, history: [1, 2], count: -7, armed: true },
  );
}

const vehicleServer = () => new TestServer(new TestBall(declareVehicle));

describe('var/get', () => {
  it('answers whole arrays and elements of the same frame', async () => {
    const params = { aliases: ['ball.position', 'ball.velocity[1]'] };
    expect(await new TestServer().call('var/get', params)).to.deep.equal({
      frame: 124,
      sim_time: SIM_TIME,
      values: { 'ball.position': [0, 9.1], 'ball.velocity[1]': -3.2 },
    });
  });

  it('answers each kind of value as JSON has it', async () => {
    const at = (name: string) => `vehicle.state.${name}`;
    const names = [
      'phase',
      'name',
      'flags',
      'big',
      'huge',
      'angles',
      'count',
      'armed',
      'history',
      'sensors[1]',
      'target',
    ];
    const { values } = await vehicleServer().call('var/get', { aliases: names.map(at) });
    expect(Object.values(values)).to.deep.equal([
      3,
      'falcon',
      0,
      '9007199254740993',
      5,
      [
        [0, 0],
        [0, 0],
      ],
      -7,
      true,
      [1, 2],
      { gain: 0, label: '' },
      null,
    ]);
  });

  it('answers a variable behind a null pointer, or past the end of a sequence, with null', async () => {
    const aliases = ['vehicle.state.target[0]', 'vehicle.state.history[3]'];
    const { values } = await vehicleServer().call('var/get', { aliases });
    expect(values).to.deep.equal({ 'vehicle.state.target[0]': null, 'vehicle.state.history[3]': null });
  });

  it('writes what JSON has no number for as text', async () => {
    const server = new TestServer();
    server.ball.store('ball.position', [Number.NaN, Number.POSITIVE_INFINITY]);
    server.ball.store('ball.velocity[0]', Number.NEGATIVE_INFINITY);
    server.ball.ticks(1);
    const { values } = await server.call('var/get', { aliases: ['ball.position', 'ball.velocity'] });
    expect(values).to.deep.equal({ 'ball.position': ['NaN', 'Infinity'], 'ball.velocity': ['-Infinity', -3.2] });
  });

  it('converts to the units asked for, for all or by alias', async () => {
    const server = new TestServer();
    const all = await server.call('var/get', { aliases: ['ball.position'], units: 'cm' });
    expect(all.values).to.deep.equal({ 'ball.position': [0, 910] });
    const aliases = ['ball.position[1]', 'ball.velocity[1]'];
    const one = await server.call('var/get', { aliases, units: { 'ball.velocity[1]': 'cm/s' } });
    expect(one.values).to.deep.equal({ 'ball.position[1]': 9.1, 'ball.velocity[1]': -320 });
  });

  const refused: readonly [what: string, params: object, code: number, sentence: RegExp, data: unknown][] = [
    [
      'an unknown alias, with the nearest ones',
      { aliases: ['ball.positon'] },
      -23402,
      /^ball has no member positon; did you mean ball\.position\?$/,
      { alias: 'ball.positon', nearest: ['ball.position'] },
    ],
    ['a write-only variable', { aliases: ['vehicle.state.secret'] }, -23413, /is write-only$/, undefined],
    ['units that do not convert', { aliases: ['ball.position'], units: 's' }, -23412, /"m".*"s"/, undefined],
    ['units of an alias not asked for', { aliases: ['ball.position'], units: { x: 'm' } }, -32602, /"x"/, undefined],
    ['no alias', { aliases: [] }, -32602, /^var\/get: aliases: /, { parameter: 'aliases' }],
    ['nothing', {}, -32602, /^var\/get needs the parameter aliases$/, { parameter: 'aliases' }],
    [
      'aliases as text',
      { aliases: 'ball.position' },
      -32602,
      /^var\/get: aliases: expected array, received string$/,
      { parameter: 'aliases' },
    ],
  ];
  for (const [what, params, code, sentence, data] of refused) {
    it(`refuses ${what}`, async () => {
      const { error } = await vehicleServer().respond('var/get', params);
      expect(error.code).to.equal(code);
      expect(error.message).to.match(sentence);
      expect(error.data).to.deep.equal(data);
    });
  }

  it('shows what the same client has set before, even when it did not wait', async () => {
    const server = new TestServer();
    server.ball.isSlow = true;
    await server.call('var/set', { alias: 'ball.position[1]', value: 4 });
    const reading = server.call('var/get', { aliases: ['ball.position[1]'] });
    await turn();
    server.ball.release();
    expect((await reading).values).to.deep.equal({ 'ball.position[1]': 4 });
  });
});

describe('var/list', () => {
  it('lists every variable with type, units and extents', async () => {
    const listed = await new TestServer().call('var/list', null);
    expect(listed).to.deep.equal([
      {
        alias: 'ball.position',
        type_path: 'double',
        unit: 'm',
        dim: [2],
        about: 'centre of the ball',
        access: 'read-write',
      },
      { alias: 'ball.velocity', type_path: 'double', unit: 'm/s', dim: [2], about: '', access: 'read-write' },
    ]);
  });

  it('gives extents of matrices, none of text, and 0 where they change', async () => {
    const listed = await vehicleServer().call('var/list', { prefix: 'vehicle.' });
    const dims = Object.fromEntries(listed.map(({ alias, dim }: { alias: string; dim: number[] }) => [alias, dim]));
    expect(dims).to.include.keys('vehicle.state.sensors[1].gain');
    expect(dims['vehicle.state.angles']).to.deep.equal([2, 2]);
    expect(dims['vehicle.state.name']).to.deep.equal([]);
    expect(dims['vehicle.state.history']).to.deep.equal([0]);
    expect(dims['vehicle.state.target']).to.deep.equal([0]);
  });

  it('takes a prefix, a pattern and both', async () => {
    const server = vehicleServer();
    const names = async (params: object) =>
      (await server.call('var/list', params)).map(({ alias }: { alias: string }) => alias);
    expect(await names({ pattern: '*.sensors[?].gain' })).to.deep.equal([
      'vehicle.state.sensors[0].gain',
      'vehicle.state.sensors[1].gain',
    ]);
    expect(await names({ prefix: 'ball.', pattern: '*city' })).to.deep.equal(['ball.velocity']);
  });

  it('gives pages that add up to the whole', async () => {
    const server = vehicleServer();
    const whole = await server.call('var/list');
    const pages = [];
    let page = await server.call('var/list', { limit: 4 });
    for (; page.length > 0; page = await server.call('var/list', { limit: 4, after: page.at(-1).alias })) {
      expect(page).to.have.length.at.most(4);
      pages.push(...page);
    }
    expect(pages).to.deep.equal(whole);
  });
});

describe('var/exists, var/describe and var/units', () => {
  it('know structures, elements and what is not there', async () => {
    const server = vehicleServer();
    for (const alias of ['ball', 'ball.position', 'ball.position[1]', 'vehicle.state.sensors[0]']) {
      expect(await server.call('var/exists', { alias }), alias).to.equal(true);
    }
    for (const alias of ['bal', 'ball.position[2]', 'ball.position[1', '__proto__']) {
      expect(await server.call('var/exists', { alias }), alias).to.equal(false);
    }
  });

  it('describe labels, capacities, bits and members', async () => {
    const server = vehicleServer();
    const about = (name: string) => server.call('var/describe', { alias: `vehicle.state${name}` });
    expect(await about('.phase'))
      .to.include({ kind: 'enumeration' })
      .and.deep.include({ labels: { IDLE: 0, ENTRY: 3 } });
    expect(await about('.name')).to.include({ kind: 'text', capacity: 7 });
    expect(await about('.flags')).to.include({ kind: 'bits', bits: 3 });
    expect(await about('.history')).to.include({ kind: 'number', capacity: 4 });
    const { members, kind } = await about('.sensors');
    expect(kind).to.equal('struct');
    expect(members.map(({ alias }: { alias: string }) => alias)).to.deep.equal([
      'vehicle.state.sensors[0].gain',
      'vehicle.state.sensors[0].label',
    ]);
  });

  it('tell how to convert, and that something does not convert', async () => {
    const server = new TestServer();
    const { conversion } = await server.call('var/units', { alias: 'ball.velocity', to: 'km/h' });
    expect(conversion.slope).to.be.closeTo(3.6, 1e-12);
    const { error } = await server.respond('var/units', { alias: 'ball.velocity', to: 'kg' });
    expect(error.code).to.equal(-23412);
  });
});

describe('var/set', () => {
  it('answers at once with a sequence number that counts up', async () => {
    const server = new TestServer();
    server.ball.isSlow = true;
    expect(await server.call('var/set', { alias: 'ball.position[1]', value: 4 })).to.deep.equal({ sequence: 1 });
    expect(await server.call('var/set', { alias: 'ball.position[1]', value: 5 })).to.deep.equal({ sequence: 2 });
  });

  it('sets several variables in one request', async () => {
    const server = new TestServer();
    const values = { 'ball.position': [1, 2], 'ball.velocity[0]': 3 };
    const answer = await server.call('var/set', { values, wait: true });
    expect(answer).to.deep.equal({ sequence: 1, frame: 125, sim_time: SIM_TIME });
    const catalogVersion = server.ball.catalog.version;
    expect(server.ball.requests).to.deep.equal([
      {
        kind: 'write',
        writes: [
          { path: 'ball.position', value: [1, 2], catalogVersion },
          { path: 'ball.velocity[0]', value: 3, catalogVersion },
        ],
      },
    ]);
  });

  it('sets none when one does not fit', async () => {
    const server = new TestServer();
    const values = { 'ball.position': [1, 2], 'ball.velocity': [1, 2, 3] };
    const { error } = await server.respond('var/set', { values });
    expect(error.code).to.equal(-23411);
    expect(error.message).to.equal('ball.velocity has 2 elements, a list of 3 does not fit');
    expect(server.ball.requests).to.deep.equal([]);
  });

  it('converts from the units given', async () => {
    const server = new TestServer();
    await server.call('var/set', { alias: 'ball.position', value: [100, 250], units: 'cm', wait: true });
    expect((await server.call('var/get', { aliases: ['ball.position'] })).values).to.deep.equal({
      'ball.position': [1, 2.5],
    });
  });

  it('takes back every value that var/get gives', async () => {
    const server = vehicleServer();
    const names = ['phase', 'name', 'flags', 'big', 'huge', 'angles', 'count', 'armed', 'history', 'sensors'];
    const aliases = names.map((name) => `vehicle.state.${name}`);
    const before = await server.call('var/get', { aliases });
    await server.call('var/set', { values: before.values, wait: true });
    expect((await server.call('var/get', { aliases })).values).to.deep.equal(before.values);
  });

  it('takes labels, NaN and 64-bit integers as text', async () => {
    const server = vehicleServer();
    const values = {
      'vehicle.state.phase': 'IDLE',
      'ball.position[0]': 'NaN',
      'vehicle.state.huge': '18446744073709551615',
    };
    await server.call('var/set', { values, wait: true });
    const read = await server.call('var/get', { aliases: Object.keys(values) });
    expect(read.values).to.deep.equal({ ...values, 'vehicle.state.phase': 0 });
  });

  const refused: readonly [what: string, params: object, code: number, sentence: string][] = [
    [
      'an integer out of range',
      set('count', 2 ** 31),
      -23411,
      'vehicle.state.count is a whole number from -2147483648 to 2147483647; the number 2147483648 does not fit',
    ],
    [
      'a bit field out of range',
      set('flags', 8),
      -23411,
      'vehicle.state.flags is a whole number from 0 to 7; the number 8 does not fit',
    ],
    [
      'an enumeration out of range',
      set('phase', 4294967297),
      -23411,
      'vehicle.state.phase is a whole number from -2147483648 to 2147483647; the number 4294967297 does not fit',
    ],
    [
      'an integer of which JSON has lost digits',
      set('huge', Number('1234567890123456789')),
      -23411,
      'vehicle.state.huge is an unsigned long long; a number beyond 2^53 - 1 such as 1234567890123456800 may have lost digits: in JSON it is given as text, in a program as bigint',
    ],
    [
      'a list that is too short',
      { alias: 'ball.velocity', value: [1] },
      -23411,
      'ball.velocity has 2 elements, a list of 1 does not fit',
    ],
    [
      'an unknown label',
      set('phase', 'ENTYR'),
      -23411,
      'vehicle.state.phase is a Phase, which has no label "ENTYR"; did you mean ENTRY?',
    ],
    ['a read-only variable', set('fixed', 1), -23411, 'vehicle.state.fixed is read-only'],
    ['text for a number', set('count', '5'), -23411, 'vehicle.state.count is an int; the text "5" does not fit'],
    [
      'an unknown alias',
      { alias: 'bal.position', value: 1 },
      -23402,
      'there is no object bal; did you mean ball.position?',
    ],
    [
      'what the simulation refuses',
      { alias: 'ball.position[0]', value: 666, wait: true },
      -23415,
      'the simulation does not take 666',
    ],
    [
      'neither a value nor values',
      { alias: 'ball.position' },
      -32602,
      'var/set needs either alias and value, or values',
    ],
    [
      'both',
      { alias: 'ball.position', value: 1, values: {} },
      -32602,
      'var/set needs either alias and value, or values',
    ],
    ['no values', { values: {} }, -32602, 'var/set: values holds no value'],
  ];
  function set(name: string, value: unknown): object {
    return { alias: `vehicle.state.${name}`, value };
  }
  for (const [what, params, code, sentence] of refused) {
    it(`refuses ${what}`, async () => {
      const { error } = await vehicleServer().respond('var/set', params);
      expect([error.code, error.message]).to.deep.equal([code, sentence]);
    });
  }

  it('tells the log of a change that is refused after its answer', async () => {
    const server = new TestServer();
    await server.call('var/set', { alias: 'ball.position[0]', value: 666 });
    await server.call('var/get', { aliases: ['ball.position'] });
    expect(server.log).to.deep.equal(['the change 1 of 127.0.0.1 was refused: the simulation does not take 666']);
  });
});
