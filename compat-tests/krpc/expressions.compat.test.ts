// Every method of kRPC's expressions over TCP: what it is worth, and which types it refuses.
import { expect } from 'chai';
import { call, callBytes, type KrpcClient, readEvent, readServices } from './client.js';
import { KrpcServed } from './served.js';
import { bool, dictionary, double, float, items, readBool, text, varint, zigzag } from './values.js';

type Made = Promise<Uint8Array>;

/** A method with operands: an expression that must be true, and calls that must be refused. */
interface Row {
  readonly isTrue: (e: Expressions) => Made;
  readonly refused: readonly ((e: Expressions) => Made)[];
}

/** Makes expressions by calls. */
class Expressions {
  constructor(private readonly client: KrpcClient) {}

  type = (name: string): Made => this.client.call(call('KRPC', `Type_static_${name}`));
  make = async (name: string, ...given: (Made | Uint8Array | null)[]): Made =>
    this.client.call(call('KRPC', `Expression_static_${name}`, ...(await Promise.all(given))));

  int = (value: number): Made => this.make('ConstantInt', zigzag(value));
  double = (value: number): Made => this.make('ConstantDouble', double(value));
  bool = (value: boolean): Made => this.make('ConstantBool', bool(value));
  text = (value: string): Made => this.make('ConstantString', text(value));
  steps = (): Made => this.make('Call', callBytes(call('VarServer', 'Get', text('clock.steps'))));
  equal = (one: Made, other: Made): Made => this.make('Equal', one, other);
  all = async (...made: Made[]): Promise<Buffer> => items(...(await Promise.all(made)));
  list = async (...values: number[]): Made => this.make('CreateList', await this.all(...values.map(this.int)));
  set = async (...values: number[]): Made => this.make('CreateSet', await this.all(...values.map(this.int)));
  tuple = async (...made: Made[]): Made => this.make('CreateTuple', await this.all(...made));
  parameter = (name: string, type = 'Int'): Made => this.make('Parameter', text(name), this.type(type));
  fun = async (body: (x: Made) => Made, type = 'Int'): Made => {
    const x = this.parameter('x', type);
    return this.make('Function', await this.all(x), await body(x));
  };
  sum = async (): Made => {
    const [a, b] = [this.parameter('a'), this.parameter('b')];
    return this.make('Function', await this.all(a, b), this.make('Add', a, b));
  };
  isOdd = (): Made => this.fun((x) => this.equal(this.make('Modulo', x, this.int(2)), this.int(1)));
}

const pair = (name: string, one: number, other: number, worth: number): [string, Row] => [
  name,
  {
    isTrue: (e) => e.equal(e.make(name, e.int(one), e.int(other)), e.int(worth)),
    refused: [
      (e) => e.make(name, e.int(1), e.double(1)),
      (e) => e.make(name, e.text('a'), e.text('b')),
      (e) => e.make(name, e.int(1), e.isOdd()),
    ],
  },
];
const order = (name: string, one: number, other: number): [string, Row] => [
  name,
  {
    isTrue: (e) => e.make(name, e.double(one), e.double(other)),
    refused: [(e) => e.make(name, e.int(1), e.double(1)), (e) => e.make(name, e.bool(true), e.bool(false))],
  },
];
const logic = (name: string, one: boolean, other: boolean): [string, Row] => [
  name,
  {
    isTrue: (e) => e.make(name, e.bool(one), e.bool(other)),
    refused: [(e) => e.make(name, e.bool(true), e.int(1)), (e) => e.make(name, e.double(1), e.double(1))],
  },
];
const constant = (name: string, value: Uint8Array, isTrue: Row['isTrue']): [string, Row] => [
  name,
  { isTrue, refused: [(e) => e.make(name, value.subarray(0, 0)), (e) => e.make(name, null)] },
];
const summary = (name: string, worth: (e: Expressions) => Made): [string, Row] => [
  name,
  {
    isTrue: (e) => e.equal(e.make(name, e.list(3, 1, 2)), worth(e)),
    refused: [(e) => e.make(name, e.int(1)), async (e) => e.make(name, e.make('CreateList', await e.all(e.text('a'))))],
  },
];
/** Methods of a collection and a function. */
const applied = (name: string, isTrue: Row['isTrue']): [string, Row] => [
  name,
  {
    isTrue,
    refused: [
      (e) => e.make(name, e.int(1), e.isOdd()),
      (e) => e.make(name, e.list(1), e.int(1)),
      (e) =>
        e.make(
          name,
          e.list(1),
          e.fun((x) => e.equal(x, e.double(1)), 'Double'),
        ),
    ],
  },
];

const ROWS = new Map<string, Row>([
  constant('ConstantDouble', double(2), (e) => e.equal(e.double(2), e.make('Add', e.double(1), e.double(1)))),
  constant('ConstantFloat', float(0.5), (e) =>
    e.equal(e.make('ConstantFloat', float(0.5)), e.make('Cast', e.double(0.5), e.type('Float'))),
  ),
  constant('ConstantInt', zigzag(7), (e) => e.equal(e.int(7), e.make('Add', e.int(3), e.int(4)))),
  constant('ConstantBool', bool(true), (e) => e.bool(true)),
  constant('ConstantString', text('a'), (e) => e.equal(e.text('ab'), e.text('ab'))),
  [
    'Call',
    {
      isTrue: (e) => e.make('GreaterThan', e.steps(), e.double(0)),
      refused: [
        (e) => e.make('Call', callBytes(call('VarServer', 'Nope'))),
        (e) => e.make('Call', callBytes(call('VarServer', 'Set', text('still.value'), double(1)))),
      ],
    },
  ],
  ['Equal', { isTrue: (e) => e.equal(e.int(1), e.int(1)), refused: [(e) => e.equal(e.int(1), e.double(1))] }],
  [
    'NotEqual',
    {
      isTrue: (e) => e.make('NotEqual', e.text('a'), e.text('b')),
      refused: [(e) => e.make('NotEqual', e.int(1), e.text('a'))],
    },
  ],
  order('GreaterThan', 2, 1),
  order('GreaterThanOrEqual', 2, 2),
  order('LessThan', 1, 2),
  order('LessThanOrEqual', 2, 2),
  logic('And', true, true),
  logic('Or', false, true),
  logic('ExclusiveOr', true, false),
  ['Not', { isTrue: (e) => e.make('Not', e.bool(false)), refused: [(e) => e.make('Not', e.double(1))] }],
  pair('Add', 2, 3, 5),
  pair('Subtract', 2, 3, -1),
  pair('Multiply', 2, 3, 6),
  pair('Divide', -7, 2, -3),
  pair('Modulo', 7, 4, 3),
  pair('LeftShift', 3, 2, 12),
  pair('RightShift', -8, 1, -4),
  [
    'Power',
    {
      isTrue: (e) => e.equal(e.make('Power', e.int(2), e.int(10)), e.int(1024)),
      refused: [(e) => e.make('Power', e.text('a'), e.int(1)), (e) => e.make('Power', e.int(2), e.bool(true))],
    },
  ],
  [
    'Cast',
    {
      isTrue: (e) => e.equal(e.make('Cast', e.double(2.9), e.type('Int')), e.int(2)),
      refused: [
        (e) => e.make('Cast', e.text('1'), e.type('Int')),
        (e) => e.make('Cast', e.int(1), e.type('String')),
        (e) => e.make('Cast', e.int(1), e.int(1)),
        (e) => e.make('Cast', e.type('Int'), e.type('Int')),
      ],
    },
  ],
  [
    'Parameter',
    {
      isTrue: async (e) =>
        e.equal(
          e.make(
            'Invoke',
            e.fun((x) => x),
            dictionary([text('x'), await e.int(4)]),
          ),
          e.int(4),
        ),
      refused: [(e) => e.make('Parameter', text('x'), e.int(1))],
    },
  ],
  [
    'Function',
    {
      isTrue: async (e) => e.make('All', e.list(1, 3), e.isOdd()),
      refused: [
        async (e) => e.make('Function', await e.all(e.int(1)), e.int(1)),
        async (e) => e.make('Function', await e.all(e.parameter('x')), e.isOdd()),
      ],
    },
  ],
  [
    'Invoke',
    {
      isTrue: async (e) =>
        e.equal(
          e.make('Invoke', e.sum(), dictionary([text('b'), await e.int(4)], [text('a'), await e.int(3)])),
          e.int(7),
        ),
      refused: [
        async (e) => e.make('Invoke', e.int(1), dictionary([text('x'), await e.int(1)])),
        (e) => e.make('Invoke', e.isOdd(), dictionary()),
        async (e) => e.make('Invoke', e.isOdd(), dictionary([text('x'), await e.text('a')])),
      ],
    },
  ],
  [
    'CreateTuple',
    {
      isTrue: (e) => e.equal(e.make('Get', e.tuple(e.int(1), e.text('b')), e.int(1)), e.text('b')),
      refused: [(e) => e.tuple(), (e) => e.tuple(e.isOdd())],
    },
  ],
  [
    'CreateList',
    {
      isTrue: (e) => e.equal(e.make('Get', e.list(4, 5), e.int(1)), e.int(5)),
      refused: [(e) => e.list(), async (e) => e.make('CreateList', await e.all(e.int(1), e.double(1)))],
    },
  ],
  [
    'CreateSet',
    {
      isTrue: (e) => e.equal(e.make('Count', e.set(1, 1, 2)), e.int(2)),
      refused: [(e) => e.set(), async (e) => e.make('CreateSet', await e.all(e.int(1), e.double(1)))],
    },
  ],
  [
    'CreateDictionary',
    {
      isTrue: async (e) =>
        e.equal(
          e.make('Get', e.make('CreateDictionary', await e.all(e.text('a')), await e.all(e.int(7))), e.text('a')),
          e.int(7),
        ),
      refused: [
        async (e) => e.make('CreateDictionary', await e.all(e.text('a')), await e.all(e.int(1), e.int(2))),
        async (e) => e.make('CreateDictionary', await e.all(e.text('a'), e.int(1)), await e.all(e.int(1), e.int(2))),
      ],
    },
  ],
  [
    'ToList',
    {
      isTrue: (e) => e.equal(e.make('Get', e.make('ToList', e.set(3)), e.int(0)), e.int(3)),
      refused: [(e) => e.make('ToList', e.int(1))],
    },
  ],
  [
    'ToSet',
    {
      isTrue: (e) => e.equal(e.make('Count', e.make('ToSet', e.list(1, 2, 1))), e.int(2)),
      refused: [(e) => e.make('ToSet', e.int(1))],
    },
  ],
  [
    'Get',
    {
      isTrue: (e) => e.equal(e.make('Get', e.list(4, 5), e.int(0)), e.int(4)),
      refused: [
        (e) => e.make('Get', e.int(1), e.int(0)),
        (e) => e.make('Get', e.list(1), e.text('a')),
        (e) => e.make('Get', e.tuple(e.int(1)), e.int(1)),
      ],
    },
  ],
  [
    'Count',
    { isTrue: (e) => e.equal(e.make('Count', e.list(4, 5)), e.int(2)), refused: [(e) => e.make('Count', e.int(1))] },
  ],
  summary('Sum', (e) => e.int(6)),
  summary('Max', (e) => e.int(3)),
  summary('Min', (e) => e.int(1)),
  summary('Average', (e) => e.double(2)),
  applied('Select', (e) =>
    e.equal(
      e.make(
        'Sum',
        e.make(
          'Select',
          e.list(1, 2, 3),
          e.fun((x) => e.make('Multiply', x, x)),
        ),
      ),
      e.int(14),
    ),
  ),
  applied('Where', (e) => e.equal(e.make('Sum', e.make('Where', e.list(1, 2, 3), e.isOdd())), e.int(4))),
  applied('OrderBy', (e) =>
    e.equal(
      e.make(
        'Get',
        e.make(
          'OrderBy',
          e.list(1, 3, 2),
          e.fun((x) => e.make('Subtract', e.int(0), x)),
        ),
        e.int(0),
      ),
      e.int(3),
    ),
  ),
  applied('All', (e) => e.make('All', e.list(1, 3), e.isOdd())),
  applied('Any', (e) => e.make('Not', e.make('Any', e.list(2, 4), e.isOdd()))),
  [
    'Contains',
    {
      isTrue: (e) => e.make('Contains', e.list(1, 2), e.int(2)),
      refused: [(e) => e.make('Contains', e.list(1), e.text('a')), (e) => e.make('Contains', e.int(1), e.int(1))],
    },
  ],
  [
    'Aggregate',
    {
      isTrue: (e) => e.equal(e.make('Aggregate', e.list(1, 2, 3), e.sum()), e.int(6)),
      refused: [(e) => e.make('Aggregate', e.list(1), e.isOdd()), (e) => e.make('Aggregate', e.int(1), e.sum())],
    },
  ],
  [
    'AggregateWithSeed',
    {
      isTrue: (e) => e.equal(e.make('AggregateWithSeed', e.list(1, 2), e.int(10), e.sum()), e.int(13)),
      refused: [
        (e) => e.make('AggregateWithSeed', e.list(1), e.text('a'), e.sum()),
        (e) => e.make('AggregateWithSeed', e.list(1), e.int(1), e.isOdd()),
        (e) => e.make('AggregateWithSeed', e.int(1), e.int(1), e.sum()),
      ],
    },
  ],
  [
    'Concat',
    {
      isTrue: (e) => e.equal(e.make('Count', e.make('Concat', e.list(1), e.list(2, 3))), e.int(3)),
      refused: [
        async (e) => e.make('Concat', e.list(1), e.make('CreateList', await e.all(e.text('a')))),
        (e) => e.make('Concat', e.list(1), e.int(1)),
      ],
    },
  ],
]);

const PLANT = new URL('./plant.js', import.meta.url);

describe("kRPC's expressions over TCP", () => {
  let served: KrpcServed;
  let client: KrpcClient;
  let e: Expressions;
  before(async () => {
    served = await KrpcServed.start(PLANT);
    client = await served.client('tcp');
    e = new Expressions(client);
  });
  after(() => served.stop());

  /** What a condition is: an event of it, or of its opposite, comes with the next frame. */
  async function truthOf(condition: Uint8Array): Promise<boolean> {
    const opposite = await e.make('Not', condition);
    const ids = [condition, opposite].map(async (one) => readEvent(await client.call(call('KRPC', 'AddEvent', one))));
    const [whenTrue, whenFalse] = await Promise.all(ids);
    for (const id of [whenTrue, whenFalse]) await client.call(call('KRPC', 'StartStream', varint(id as bigint)));
    for (;;) {
      const met = (await client.update()).find(({ id }) => id === whenTrue || id === whenFalse);
      if (!met) continue;
      expect(met.result?.error).to.equal(undefined);
      expect(readBool(met.result?.value as Uint8Array)).to.equal(true);
      for (const id of [whenTrue, whenFalse]) await client.call(call('KRPC', 'RemoveStream', varint(id as bigint)));
      return met.id === whenTrue;
    }
  }

  it('are all in this test', async () => {
    const services = readServices(await client.call(call('KRPC', 'GetServices')));
    const procedures = services.find(({ name }) => name === 'KRPC')?.procedures ?? [];
    const methods = procedures.flatMap(({ name }) => /^Expression_static_(.*)$/.exec(name)?.[1] ?? []);
    expect([...ROWS.keys()].sort()).to.deep.equal(methods.sort());
  });

  it('tell true from false', async () => {
    expect(await truthOf(await e.equal(e.int(1), e.int(1)))).to.equal(true);
    expect(await truthOf(await e.equal(e.int(1), e.int(2)))).to.equal(false);
  });

  for (const [name, { isTrue, refused }] of ROWS) {
    it(`${name} has its value, and refuses other types`, async () => {
      expect(await truthOf(await isTrue(e))).to.equal(true);
      for (const [index, make] of refused.entries()) {
        const outcome = await make(e).then(
          () => 'was made',
          (error: Error) => error.message,
        );
        expect(outcome, `${index}`).to.not.equal('was made').and.not.equal('');
        if (name !== 'Call') expect(outcome).to.not.match(/Procedure .* not found/);
      }
    });
  }
});
