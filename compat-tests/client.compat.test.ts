// The client and its commands against the fixture simulation: every type in both directions, over TCP and UDP, binary
// and ASCII.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { discover, type SettableValue, TrickClient, type TrickValue } from '../lib/clients/trick/index.js';
import { commandHere } from './command-here.js';
import { ServerHere, showOutputOfFailure } from './launch.js';

const COMMAND = fileURLToPath(new URL('../lib/clients/cli/main.js', import.meta.url));

interface Case {
  readonly name: string;
  /** The initial value. */
  readonly initial: TrickValue;
  /** The value that the text of an ASCII reply suggests, where it differs. */
  readonly guessed?: TrickValue;
  /** The value that the k-th variant sets and reads back. */
  readonly set?: (k: number) => SettableValue;
  readonly guessedSet?: (k: number) => TrickValue;
}

const LONG = 2n ** 60n;
const CASES: readonly Case[] = [
  { name: 'c', initial: 65, set: (k) => -k - 1 },
  { name: 'uc', initial: 200, set: (k) => 250 + k },
  { name: 's', initial: -1234, set: (k) => -32768 + k },
  { name: 'us', initial: 54321, set: (k) => 65535 - k },
  { name: 'i', initial: -123456, set: (k) => -2147483648 + k },
  { name: 'ui', initial: 4000000000, set: (k) => 4294967295 - k },
  { name: 'l', initial: -1234567890123n, guessed: -1234567890123, set: (k) => -LONG - BigInt(k) },
  { name: 'ul', initial: 1234567890123n, guessed: 1234567890123, set: (k) => LONG + BigInt(k) },
  { name: 'll', initial: -9007199254740993n, set: (k) => -LONG * 8n + BigInt(k) },
  { name: 'ull', initial: 9007199254740993n, set: (k) => LONG * 4n + BigInt(k) },
  { name: 'f', initial: 1.5, set: (k) => 0.25 + k },
  { name: 'd', initial: -2.25, set: (k) => (k + 1) / 4 },
  { name: 't', initial: true, guessed: 1, set: () => false, guessedSet: () => 0 },
  { name: 'fa', initial: false, guessed: 0, set: () => true, guessedSet: () => 1 },
  { name: 'phase', initial: 7, set: (k) => k % 3 },
  { name: 'flags.lo', initial: 5, set: (k) => k },
  { name: 'flags.mid', initial: -200, set: (k) => -100 - k },
  { name: 'flags.hi', initial: 3000, set: (k) => 4000 + k },
  { name: 'name', initial: 'Orion', set: (k) => `Artemis ${k}` },
  { name: 'str', initial: 'plain text', set: (k) => `say "${k}" \\ bye` },
  { name: 'cp', initial: 'pointed text' },
  { name: 'cp_null', initial: '' },
  { name: 'wp', initial: 'wide text' },
  {
    name: 'str_utf8',
    initial: 'été →',
    guessed: '\\xc3\\xa9t\\xc3\\xa9 \\xe2\\x86\\x92',
    set: (k) => `naïve\t${k}\n`,
    guessedSet: (k) => `na\\xc3\\xafve\\t${k}\\n`,
  },
  {
    name: 'd3',
    initial: [0.1, 0.2, 0.30000000000000004],
    guessed: [0.1, 0.2, 0.3],
    set: (k) => [k, -0.5, 1e20],
  },
  { name: 'i222', initial: [0, 1, 10, 11, 100, 101, 110, 111] },
  {
    name: 'f4',
    initial: [1.100000023841858, 2.200000047683716, 3.3000001907348633, 4.400000095367432],
    guessed: [1.1, 2.2, 3.3000002, 4.4000001],
    set: (k) => [0.5, 0.25, k, 8],
  },
  {
    name: 'b3',
    initial: [true, false, true],
    guessed: [1, 0, 1],
    set: () => [false, true, true],
    guessedSet: () => [0, 1, 1],
  },
  { name: 's3', initial: [-100, -200, -300], set: (k) => [1, 2, k] },
  {
    name: 'uc4',
    initial: [65, 66, 67, 68],
    guessed: 'ABCD',
    set: (k) => [97, 98, 99, 100 + k],
    guessedSet: (k) => `abc${String.fromCharCode(100 + k)}`,
  },
  { name: 'phases', initial: [0, 2, 7], set: (k) => [7, 7, k % 3] },
  { name: 'd_nan', initial: Number.NaN },
  { name: 'd_ninf', initial: Number.NEGATIVE_INFINITY },
  { name: 'd_neg0', initial: -0 },
  { name: 'd_big', initial: Number.MAX_VALUE, guessed: Number.POSITIVE_INFINITY },
  { name: 'l_min', initial: -(2n ** 63n) },
  { name: 'ul_max', initial: 2n ** 64n - 1n },
];

const VARIANTS = (['tcp', 'udp'] as const).flatMap((transport) =>
  (['binary', 'ascii'] as const).map((form) => ({ transport, form })),
);

describe('the client against the fixture', () => {
  let server: ServerHere;
  before(async () => {
    server = await ServerHere.start('compat-tests/fixture/fixture.js');
  });
  afterEach(function () {
    showOutputOfFailure(this, server);
  });
  after(() => server.stop());

  for (const [k, { transport, form }] of VARIANTS.entries()) {
    describe(`over ${transport}, in ${form}`, () => {
      let client: TrickClient;
      before(async () => {
        const port = transport === 'tcp' ? server.port : server.udpPort;
        client = await TrickClient.connect({ port, transport, form, tag: `compat ${transport} ${form}` });
      });
      after(() => client.close());

      for (const { name, initial, guessed, set, guessedSet } of CASES) {
        const path = `fx.all.${name}`;
        it(`reads ${name}${set ? ', sets it and reads it back' : ''}`, async () => {
          const isExact = form === 'binary';
          expect(await client.get(path)).to.deep.equal(isExact ? initial : (guessed ?? initial));
          if (!set) return;
          const value = set(k);
          await client.set(path, value);
          expect(await client.get(path)).to.deep.equal(isExact ? value : (guessedSet?.(k) ?? value));
          await client.set(path, initial as SettableValue);
        });
      }

      it('converts units both ways', async () => {
        await client.set('fx.all.w_d', 10, 'ft');
        expect(await client.get('fx.all.w_d', { units: 'xx' })).to.deep.equal({ value: 3.048, units: 'm' });
        expect(await client.get('fx.all.w_d', { units: 'cm' })).to.deep.equal({ value: 304.8, units: 'cm' });
        await client.set('fx.all.w_d3', [1, 2, 3], 'km');
        expect(await client.get('fx.all.w_d3')).to.deep.equal([1000, 2000, 3000]);
      });

      it('sets an array of two dimensions', async () => {
        await client.set('fx.all.w_i23', [
          [k, 2, 3],
          [4, 5, 6],
        ]);
        expect(await client.get('fx.all.w_i23')).to.deep.equal([k, 2, 3, 4, 5, 6]);
      });

      it('asks for more variables than a message or a datagram holds', async () => {
        const names = Array.from({ length: 600 }, (_, index) => `fx.all.big_d[${index}]`);
        const values = await client.get(names);
        // ASCII has 16 digits, and a double may need 17.
        for (const [index, value] of values.entries()) expect(value).to.be.closeTo(index / 7, 1e-13);
      });

      it('reads the description of all variables, which no datagrams hold', async () => {
        expect(await client.sieResource()).to.match(/<class name="Fixture"[\s\S]*<\/sie>\s*$/);
      });

      it('knows what exists', async () => {
        expect(await client.exists('fx.all.vehicle')).to.equal(true);
        expect(await client.exists('fx.all.nosuch')).to.equal(false);
        expect(await client.get('fx.all.nosuch').catch((error: Error) => error.name)).to.equal('BadReferenceError');
      });

      it('gets updates exactly on the cycle, each whole, and can ask between them', async () => {
        const names = Array.from({ length: 500 }, (_, index) => `fx.all.big_d[${index}]`);
        const subscription = client.subscribe(['fx.ball.steps', ...names], { cycleSeconds: 0.05, mode: 'scheduled' });
        const times: number[] = [];
        for await (const { timeSeconds, values } of subscription) {
          times.push(Math.round(timeSeconds * 1000));
          expect(values.filter((value) => value === undefined)).to.deep.equal([]);
          expect(values[500]).to.be.closeTo(499 / 7, 1e-13);
          if (times.length === 2) expect(await client.exists('fx.all.i')).to.equal(true);
          const last = times.slice(-4);
          // A busy machine may leave some out, and never any between two.
          expect(times.map((time) => (time - (times[0] as number)) % 50)).to.deep.equal(times.map(() => 0));
          if (last.length === 4 && (last[3] as number) - (last[0] as number) === 150) break;
        }
      });

      it('gets updates in units', async () => {
        for await (const { values, units } of client.subscribe([{ name: 'fx.all.len', units: 'ft' }, 'fx.all.i'], {
          cycleSeconds: 0.02,
        })) {
          expect(values).to.deep.equal([4050.196850393701, -123456]);
          expect(units).to.deep.equal(['ft', undefined]);
          break;
        }
      });
    });
  }

  it('answers no more than is asked when a command fails', async function () {
    // On a busy machine both texts may arrive as one block, of which nothing runs then: that is Trick's way.
    this.retries(3);
    const client = await TrickClient.connect({ port: server.port });
    await client.send('this is no command');
    expect(await client.get('fx.all.i')).to.equal(-123456);
    client.close();
  });

  it('is found on the network', async () => {
    const ports: number[] = [];
    for await (const { port } of discover({ seconds: 6, interface: '127.0.0.1' })) {
      ports.push(port);
      if (port === server.port) break;
    }
    expect(ports).to.include(server.port);
  });

  const run = (...args: string[]) => commandHere(args);

  it('get prints name, value and units, a line each', async () => {
    const { code, output } = await run('get', `127.0.0.1:${server.port}`, 'fx.all.len', 'fx.all.d3', 'fx.all.t');
    expect([code, output]).to.deep.equal([
      0,
      'fx.all.len\t1234.5\tm\nfx.all.d3\t[0.1, 0.2, 0.30000000000000004]\nfx.all.t\ttrue\n',
    ]);
  });

  it('set changes a variable and shows it', async () => {
    const { code, output } = await run('set', String(server.port), 'fx.all.w_d', '-1.5', '--units', 'km');
    expect([code, output]).to.deep.equal([0, 'fx.all.w_d\t-1.5\tkm\n']);
  });

  it('watch prints an update a line when it is not on a terminal, and ends when nobody reads', async () => {
    const { execPath } = process;
    const command = `"${execPath}" "${COMMAND}" watch ${server.port} fx.all.len --cycle 0.02 | head -2`;
    const output = await new Promise<string>((resolve) => execFile('sh', ['-c', command], (_, text) => resolve(text)));
    expect(output).to.match(/^\d+(\.\d+)?\t1234\.5 m\n\d+(\.\d+)?\t1234\.5 m\n$/);
  });

  const failures: readonly (readonly [args: readonly string[], code: number, complaint: RegExp])[] = [
    [['get', ':PORT', 'fx.nosuch'], 1, /^varwire: BAD_REF: .* fx\.nosuch\n$/],
    [['watch', ':PORT', 'fx.nosuch'], 1, /^varwire: BAD_REF: .* fx\.nosuch\n$/],
    [
      ['set', ':PORT', 'fx.all.no_input', '3'],
      1,
      /^varwire: the simulation has not taken 3: fx\.all\.no_input 500; fx\.all\.no_input is read-only\n$/,
    ],
    [['set', ':PORT', 'fx.all.w_d', 'text'], 2, /^varwire: fx\.all\.w_d is of type double, .*\n$/],
    [['set', ':PORT', 'fx.all.w_d3', '4.5'], 2, /^varwire: fx\.all\.w_d3 is an array of 3 elements .*\n$/],
    [['get', ':PORT'], 2, /^varwire: varwire get takes .*\n$/],
    [['get', 'nowhere', 'x'], 2, /^varwire: expected a server like .*\n$/],
    [['get', ':PORT', 'x', '--nosuch'], 2, /^varwire: Unknown option .*\n$/],
  ];
  for (const [args, code, complaint] of failures) {
    it(`${args.join(' ')} fails with one sentence and exit code ${code}`, async () => {
      const result = await run(...args.map((arg) => arg.replace('PORT', String(server.port))));
      expect([result.code, result.output]).to.deep.equal([code, '']);
      expect(result.complaint).to.match(complaint);
    });
  }
});
