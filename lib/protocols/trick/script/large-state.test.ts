// Sessions of a simulation whose frames carry only what has been asked for.
import { expect } from 'chai';
import { Reason } from '../../../model/frame/header.js';
import { Lease } from '../../../model/frame/lease.js';
import type { Value } from '../../../model/state/read.js';
import type { Variable } from '../../../model/state/variable.js';
import type { MemoryConnection } from '../../../testing/aids/memory-connection.js';
import { settle, startTrickFixture, type TrickFixture } from '../../../testing/aids/trick-server.js';

/** 4 MB. */
const BALLAST = 2 ** 19;

describe('a Trick session of a large state', () => {
  let fixture: TrickFixture;
  let client: MemoryConnection;

  beforeEach(async () => {
    fixture = await startTrickFixture({ ballast: BALLAST });
    client = fixture.connect();
  });
  afterEach(() => fixture.close());

  const ask = (text: string): Promise<string> => fixture.ask(client, text);
  const isCarried = (path: string): boolean => {
    const { frame, catalog } = fixture.local.source;
    const variable = catalog.find(path);
    return variable !== undefined && frame.pages?.carried.has(variable.offsetBytes, 1) === true;
  };

  it('is answered from the first question on, about values that no frame has carried', async () => {
    fixture.local.host.running.turn();
    expect(['fx.all.d', 'ballast.many[400000]'].map(isCarried)).to.deep.equal([false, false]);
    expect(await ask('trick.var_send_once("fx.all.d, ballast.many[400000], fx.all.name", 3)\n')).to.equal(
      '5\t2.5\t0\tOrion\n',
    );
    expect(['fx.all.d', 'ballast.many[400000]', 'ballast.many[100000]'].map(isCarried)).to.deep.equal([
      true,
      true,
      false,
    ]);
  });

  const COUNT = 1200;
  const manyOf = (start: number): string[] =>
    Array.from({ length: COUNT }, (_, k) => `ballast.many[${start + 100 * k}]`);

  it('is answered about many values that no frame has carried, and sees its own writes among them', async () => {
    const many = manyOf(100_000);
    const last = many.at(-1) as string;
    const text = `${last} = 5\ntrick.var_send_once("${many.join(',')}", ${COUNT})\n`;
    expect(await ask(text)).to.equal(`5${'\t0'.repeat(COUNT - 1)}\t5\n`);
    expect([many[0] as string, last].map(isCarried)).to.deep.equal([true, true]);
  });

  /** Stays until `leave` is called. */
  const somebodyElse = () => fixture.registry.largeReads.enter({ network: '127.0.0.1' });
  const apart = (count: number): string =>
    Array.from({ length: count }, (_, k) => `ballast.many[${512 * k + 1}]`).join(',');

  for (const [what, text, answer] of [
    ['a command', `trick.var_send_once("${apart(600)}", 600)`, `5${'\t0'.repeat(600)}\n`],
    ['a long list', `trick.var_send_once("${apart(1010)}", 1010)`, `5${'\t0'.repeat(1010)}\n`],
  ] as const)
    it(`reads much of it in its turn only: ${what}`, async () => {
      const { leave } = somebodyElse();
      expect(await ask(`${text}\n`)).to.equal('');
      await fixture.pass(30);
      expect([client.taken(), fixture.registry.largeReads.held]).to.deep.equal(['', 1]);
      leave();
      for (let k = 0; k < 100 && client.written.length === 0; k++) await fixture.pass(10);
      expect(client.taken()).to.equal(answer);
      expect(fixture.registry.ledger.held('largeReads')).to.equal(0);
    });

  it('reads values that lie side by side at once, and what frames carry anyway', async () => {
    const neighbours = Array.from({ length: 9000 }, (_, k) => `ballast.many[${k}]`).join(',');
    const [side, carried] = [`"${neighbours}", 9000`, `"${apart(1010)}", 1010`];
    const isAnswered = async (names: string): Promise<boolean> => {
      client.send(`trick.var_send_once(${names})\n`);
      for (let k = 0; k < 100 && client.written.length === 0; k++) await fixture.pass(1);
      return client.taken().length > 2000;
    };
    expect(await isAnswered(carried)).to.equal(true);
    const { leave } = somebodyElse();
    expect([await isAnswered(carried), await isAnswered(side)]).to.deep.equal([true, true]);
    leave();
  });

  it('that leaves while it waits for its turn leaves nothing', async () => {
    const { leave } = somebodyElse();
    await ask(`trick.var_send_once("${apart(600)}", 600)\n`);
    expect(fixture.registry.ledger.held('largeReads')).to.equal(1);
    client.leave();
    await settle();
    expect([fixture.registry.ledger.held('largeReads'), fixture.registry.largeReads.held]).to.deep.equal([0, 0]);
    leave();
  });

  it('is sent a long list that no frame has carried', async () => {
    await ask('trick.var_pause()\n');
    const adding = manyOf(300_000).map((name) => `trick.var_add("${name}")\n`);
    expect(await ask(`${adding.join('')}ballast.many[300000] = 7\ntrick.var_send()\n`)).to.equal(
      `0\t7${'\t0'.repeat(COUNT - 1)}\n`,
    );
  });

  it('has no more names looked up than it may have, however many it asks for', async () => {
    const { catalog } = fixture.local.source;
    const find = catalog.find.bind(catalog);
    let looks = 0;
    catalog.find = (path) => {
      looks++;
      return find(path);
    };
    const names = 'a,'.repeat(90_000);
    const answer = ask(`trick.var_send_once("${names}", 90000)\ntrick.var_send_list_size()\n`);
    expect(await answer).to.equal('3\t0\n');
    expect(fixture.log.join()).to.include('nothing is sent');
    expect(looks).to.be.below(90_000);
  });

  it('gets its answers in the order of its questions', async () => {
    const lines = [
      'var_exists("ballast.many[300000]")',
      'var_send_once("fx.all.i")',
      'var_get_stl_size("fx.all.vd")',
      'var_send_once("ballast.many[200000]")',
      'var_send_list_size()',
    ];
    expect(await ask(lines.map((line) => `trick.${line}\n`).join(''))).to.equal('1\t1\n5\t5\n6\t2\n5\t0\n3\t0\n');
  });

  it('is told of a large object that it exists, and no frame carries it for that', async () => {
    expect(await ask('trick.var_exists("ballast")\ntrick.var_exists("ballast.many")\n')).to.equal('1\t1\n1\t1\n');
    fixture.local.host.running.turn();
    expect(isCarried('ballast.many[300000]')).to.equal(false);
  });

  it('reads in its blocks what it needs, element by element, list by list', async () => {
    await ask('trick.var_set_send_stdio(True)\nballast.many[350000] = 4\nfx.all.point.x = 3\n');
    expect(await ask('print(ballast.many[350000] + fx.all.i, end="")\n')).to.match(/^4 1 3\n9 m4/);
    expect(await ask('print(fx.all.d3, end="")\n')).to.match(/^4 1 9\n\[1, 2, 3\]/);
    expect(await ask('s = 0\nfor x in fx.all.d3: s += x\nprint(s, end="")\n')).to.match(/^4 1 1\n6/);
    expect(await ask('a, b, c = fx.all.d3\nprint(a + c, end="")\n')).to.match(/^4 1 1\n4/);
    expect(await ask('print(fx.all.points[0].x == fx.all.point.x, end="")\n')).to.match(/^4 1 5\nFalse/);
    expect(isCarried('ballast.many[100000]')).to.equal(false);
  });

  it('sees its own writes, wherever they are', async () => {
    expect(await ask('ballast.many[123456] = 5\ntrick.var_send_once("ballast.many[123456]")\n')).to.equal('5\t5\n');
  });

  it('sends assignments after each long list, which stays as short as it is', async () => {
    const { source } = fixture.local;
    const submit = source.submit.bind(source);
    const sent: (readonly Value[])[] = [];
    source.submit = (request) => {
      if (request.kind === 'write') sent.push(request.writes.map(({ value }) => value));
      return submit(request);
    };
    await ask('all = fx.all\nb = ballast\nfor k in range(2): all.i = 5; all.i = k; b.many = [k]\n');
    expect(sent).to.deep.equal([
      [5, 0, [0]],
      [5, 1, [1]],
    ]);
    expect(await ask('trick.var_send_once("ballast.many[0], fx.all.i", 2)\n')).to.equal('5\t1\t1\n');
  });

  it('gets its cyclic messages on time from the first on', async () => {
    await ask('trick.var_cycle(0.05)\ntrick.var_add("time")\ntrick.var_add("ballast.many[250000]")\n');
    await fixture.pass(260);
    const times = client
      .taken()
      .trimEnd()
      .split('\n')
      .map((line) => Number(/^0\t([\d.]+) \{s\}\t0$/.exec(line)?.[1]));
    expect(times).to.have.length(5);
    for (const [k, time] of times.entries()) expect(time).to.be.closeTo(0.05 * (k + 1), 0.0101);
  });

  it('misses no exact copy when its list grows', async () => {
    await ask(
      'trick.var_pause()\ntrick.var_cycle(0.02)\ntrick.var_add("time")\ntrick.var_sync(2)\ntrick.var_unpause()\n',
    );
    await fixture.pass(100);
    let shown = client.taken();
    for (const index of [10_000, 200_000, 400_000]) {
      shown += await ask(`trick.var_add("ballast.many[${index}]")\n`);
      await fixture.pass(100);
      shown += client.taken();
    }
    const lines = shown.trimEnd().split('\n');
    const times = lines.map((line) => Math.round(1000 * Number(line.split('\t')[1]?.split(' ')[0])));
    expect(times).to.deep.equal(times.map((_, k) => (times[0] as number) + 20 * k));
    expect(times.length).to.be.within(19, 21);
    expect(lines.at(-1)).to.match(/\{s\}\t0\t0\t0$/);
  });

  it('keeps what it follows in the frames, and lets go of the rest', async () => {
    const realNow = Date.now;
    let wall = realNow();
    Date.now = () => wall;
    const carried = async (): Promise<string> => {
      for (let second = 0; second < 3; second++) {
        wall += 1000;
        await fixture.pass(50);
      }
      return ['ballast.many[250000]', 'ballast.many[400000]'].map((path) => Number(isCarried(path))).join('');
    };
    try {
      await ask('trick.var_add("ballast.many[250000]")\ntrick.var_send_once("ballast.many[400000]")\n');
      expect(['ballast.many[250000]', 'ballast.many[400000]'].map(isCarried)).to.include(true);
      expect(await carried()).to.equal('10');
      await ask('trick.var_pause()\n');
      expect(await carried()).to.equal('00');
      await ask('trick.var_unpause()\n');
      expect(await carried()).to.equal('10');
      await ask('trick.var_clear()\n');
      expect(await carried()).to.equal('00');
      await ask('trick.var_add("ballast.many[250000]")\n');
      expect(await carried()).to.equal('10');
      client.leave();
      expect(await carried()).to.equal('00');
    } finally {
      Date.now = realNow;
    }
  });

  it('follows a pointer from one page to another without a wrong value', async () => {
    await ask('ballast.many[2] = 7\ntrick.var_cycle(0.01)\ntrick.var_add("fx.all.far[2]")\n');
    let shown = '';
    for (const aim of ['', 'aim_far', 'aim_near', 'aim_far', 'aim_near']) {
      if (aim) shown += await ask(`trick.${aim}()\n`);
      await fixture.pass(50);
      shown += client.taken();
    }
    const values = shown.trimEnd().replaceAll('0\t', '').split('\n');
    const runs = values.filter((value, k) => value !== values[k - 1]);
    expect(runs).to.deep.equal(['BAD_REF', '7', '3', '7', '3']);
    expect(values.length).to.be.within(24, 26);
  });

  it('is answered in a freeze, and about the last frame when the simulation has ended', async () => {
    await ask('trick.exec_freeze()\n');
    expect(await ask('trick.var_send_once("ballast.many[77777]")\n')).to.equal('5\t0\n');
    await ask('trick.stop()\n');
    fixture.local.host.running.turn();
    await settle();
    expect(await ask('trick.var_send_once("ballast.many[177777],fx.all.i", 2)\n')).to.equal('5\t0\t5\n');
  });

  it('is told once that nothing more can be read of a simulation that is gone', async () => {
    fixture.local.source.end("the simulation's thread failed: out of memory");
    await ask('trick.var_set_send_stdio(True)\n');
    const answer = await ask('trick.var_send_once("ballast.many[177777]")\ntrick.var_send_list_size()\n');
    expect(answer).to.match(/RuntimeError: the simulation has ended: the simulation's thread failed: out of memory/);
    expect(await ask('trick.var_send_list_size()\n')).to.equal('3\t0\n');
  });
});

describe('a Trick session that clears a variable of more than 8 MB', () => {
  it('is refused with a sentence, and its block goes on', async () => {
    const fixture = await startTrickFixture({ ballast: 2 ** 20 + 1 });
    const client = fixture.connect();
    await fixture.ask(client, 'trick.var_set_send_stdio(True)\n');
    const told = await fixture.ask(client, 'ballast.many = []\nballast.many[3] = 4\n');
    expect(told).to.contain('may have 8388608 bytes together');
    expect(await fixture.ask(client, 'trick.var_send_once("ballast.many[3]")\n')).to.contain('5\t4\n');
    await fixture.close();
  });
});

describe('exact copies of frames that come to carry much', () => {
  // Frames carry 8 and 16 MB in turn.
  const SENTENCE =
    /exact copies are made (?:35|71) times a second at most, not 1000 times; the variables are copied by wall time/g;

  it('end with a sentence, and the list is sent by wall time', async () => {
    const fixture = await startTrickFixture({ ballast: 2 ** 21 });
    const client = fixture.connect();
    const { source } = fixture.local;
    const ballast = source.catalog.find('ballast.many') as Variable;
    const lease = new Lease();
    let isRead = false;
    let copies = 0;
    source.onFrame((frame) => {
      if (isRead) lease.ask([{ isCarriedBy: (asked) => asked.carries(ballast) }], frame);
      if (frame.header.reason === Reason.scheduled) copies++;
    });
    const list = ['var_set_send_stdio(True)', 'var_cycle(0.001)', 'var_sync(2)', 'var_add("fx.all.i")'];
    await fixture.ask(client, list.map((command) => `trick.${command}\n`).join(''));
    await fixture.pass(100);
    expect(copies).to.be.above(30);
    isRead = true;
    await fixture.pass(900);
    copies = 0;
    client.taken();
    await fixture.pass(300);
    expect([copies, client.taken().match(SENTENCE)?.length]).to.deep.equal([0, 1]);
    await fixture.pass(100);
    expect(client.taken()).to.contain('0\t5\n');
    await fixture.close();
  });
});

describe("what Trick's event viewer asks for at its start", () => {
  const EVENTS = 60;
  const made = Array.from(
    { length: EVENTS },
    (_, k) =>
      `e${k} = trick.new_event("ev${k}")\ne${k}.condition(0, "False")\ne${k}.action(0, "x = ${k}", "act ${k}")\ntrick.add_event(e${k})\n`,
  );

  it('is the same whether frames carry the whole state or what is read of it', async () => {
    const answers: string[] = [];
    for (const ballast of [0, 200_000]) {
      const fixture = await startTrickFixture({ ballast });
      const client = fixture.connect();
      await fixture.ask(client, 'trick.var_pause()\n');
      for (const event of made) await fixture.ask(client, event);
      answers.push(await fixture.ask(client, 'trick.mtv_send_event_data()\n'));
      await fixture.close();
    }
    expect(answers[0]).to.contain(`act ${EVENTS - 1}`);
    expect(answers[1]).to.equal(answers[0]);
  });
});
