// The lines that end, hang or empty a real Trick simulation, over real connections: here they get a clear error only.
import { expect } from 'chai';
import { ServerHere, showOutputOfFailure } from './launch.js';
import { WireClient } from './wire-client.js';

const HOSTILE: readonly (readonly [block: string, sentence: RegExp])[] = [
  ['trick.var_set("fx.all.str", 5)\n', /fx\.all\.str/],
  ['trick.var_set("fx.all.d3", 4.5)\n', /fx\.all\.d3/],
  ['trick.var_set("fx.all.str", 2.5)\n', /fx\.all\.str/],
  [
    'trick.var_set_copy_mode(2)\ntrick.var_set_frame_multiple(0)\n',
    /var_set_frame_multiple takes a whole number from 1 up/,
  ],
  ['trick.var_cycle(-1)\n', /var_cycle takes seconds from 0 up/],
  ['import os; os._exit(3)\n', /module 'os' has no attribute '_exit'/],
  ['import os; os.system("kill -9 $PPID")\n', /module 'os' has no attribute 'system'/],
  ['fx.all.w_i = "text"\n', /TypeError: fx\.all\.w_i/],
  ['while True: pass\n', /RuntimeError: the block was stopped after/],
  ["x = 'x' * 10**9\n", /MemoryError: a text is limited/],
  ['x = [0]\nwhile True: x = x + x\n', /MemoryError: a list is limited/],
  ['y = 9 ** 9 ** 9\n', /OverflowError: an integer is limited/],
  ['list(range(10**10))\n', /(MemoryError|RuntimeError): /],
  ['def f(): return f()\nf()\n', /RecursionError: /],
];

const MARKER = 'trick.var_exists("fx.all.i")\n';

describe('a hostile Trick client', () => {
  let server: ServerHere;
  before(async () => {
    server = await ServerHere.start('compat-tests/fixture/fixture.js', { options: ['--udp', '127.0.0.1:0'] });
  });
  afterEach(function () {
    showOutputOfFailure(this, server);
  });
  after(() => server.stop());

  for (const [block, sentence] of HOSTILE) {
    it(`gets a clear error: ${block.trim().replaceAll('\n', ' ⏎ ')}`, async () => {
      const [client, witness] = [await WireClient.tcp(server.port), await WireClient.tcp(server.port)];
      client.send('trick.var_set_send_stdio(True)\n');
      client.send(block);
      await client.through((text) => sentence.test(text) && text.endsWith('\n'), `${sentence}`);
      client.send(MARKER);
      // The traceback ends with an empty write, which may arrive after the text that was read.
      await client.through((text) => text.endsWith('1\t1\n'), 'the answer to a good command');
      witness.send('trick.var_send_once("fx.all.str,fx.all.d3,fx.all.w_i", 3)\n');
      expect(await witness.line()).to.equal('5\tplain text\t0.1,0.2,0.3\t1');
      client.close();
      witness.close();
    });
  }

  it('does not slow the others while it computes', async () => {
    const witness = await WireClient.tcp(server.port);
    const computing = await Promise.all(Array.from({ length: 3 }, () => WireClient.tcp(server.port)));
    for (const client of computing) client.send('trick.var_set_send_stdio(True)\nwhile True: pass\n');
    for (let k = 0; k < 20; k++) {
      witness.send(MARKER);
      expect(await witness.line()).to.equal('1\t1');
    }
    // Its 20 answers came in turns between the others' work, before any of that was finished.
    expect(computing.map(({ leftovers }) => leftovers)).to.deep.equal(['', '', '']);
    for (const client of computing) {
      await client.through((text) => text.includes('the block was stopped after'), 'the end of its block');
      client.drop();
    }
    witness.close();
  });

  it('gets no answer to a datagram without a newline but the one it asked for', async () => {
    const client = await WireClient.udp(server.udpPort);
    client.send('trick.var_exists("fx');
    client.send('trick.var_exists("fx.all.i")');
    expect(await client.line()).to.equal('1\t1');
    client.close();
  });

  it('leaves everything as it was with 3,000 mutated blocks', async () => {
    const client = await WireClient.tcp(server.port);
    const parts = [
      'trick.',
      'var_',
      'add',
      '("fx.all.i"',
      ')',
      '(',
      '"',
      '\\',
      '\n',
      '[1,',
      'for k in ',
      'é',
      '\0',
      ':',
      '  ',
      '\t',
      'x',
    ];
    let state = 1;
    const next = (below: number): number => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    for (let k = 0; k < 3000; k++) {
      const block = Array.from({ length: next(12) }, () => parts[next(parts.length)]).join('');
      client.send(Buffer.from(`${block}\n`));
    }
    client.send('"""\n"""\n');
    client.drop();
    const witness = await WireClient.tcp(server.port);
    witness.send('trick.var_send_once("fx.all.str,trick_sys.sched.mode", 2)\n');
    expect(await witness.line()).to.equal('5\tplain text\t5');
    witness.close();
    expect(server.isRunning).to.equal(true);
    expect(server.output).to.not.contain('internal error');
  });
});
