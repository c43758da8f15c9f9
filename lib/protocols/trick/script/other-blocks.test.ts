// What names bring from one block into another acts for the block that uses it: modules, commands, and objects.
import { expect } from 'chai';
import type { MemoryConnection } from '../../../testing/aids/memory-connection.js';
import { settle, startTrickFixture, type TrickFixture } from '../../../testing/aids/trick-server.js';
import type { TrickEvent } from '../events/event.js';

const [FIRST, SECOND] = ['10.0.0.1:5000', '10.0.0.2:5000'];

describe('what comes from another block by a name', () => {
  let fixture: TrickFixture;
  let first: MemoryConnection;
  let second: MemoryConnection;

  const start = async (ballast = 0): Promise<void> => {
    fixture = await startTrickFixture({ ballast });
    [first, second] = [fixture.connect('tcp', FIRST), fixture.connect('tcp', SECOND)];
    fixture.local.host.running.turn();
  };
  afterEach(() => fixture.close());

  const run = (client: MemoryConnection, ...lines: readonly string[]): Promise<string> =>
    fixture.ask(client, `${lines.join('\n')}\n`);
  /** The event `keep` puts something under a name, and `use` does something with it. */
  const events = (kept: string, use: string): readonly string[] => [
    'keep = trick.new_event("keep")',
    `keep.action(0, ${JSON.stringify(kept)})`,
    'use = trick.new_event("use")',
    `use.action(0, ${JSON.stringify(use)})`,
    'trick.add_event(keep)',
    'trick.add_event(use)',
    'keep.manual_fire()',
  ];
  const input = (text: string): Promise<unknown> => fixture.frontEnd.runInput({ name: 'input.py', text });
  const reads = async (client: MemoryConnection, text: string): Promise<void> => {
    await run(client, `trick.add_read(0, ${JSON.stringify(text)})`);
    await fixture.pass(50);
  };

  for (const [what, kept, use] of [
    ['the module of commands', 't = trick', 't.var_send_once("fx.all.d")'],
    ['a command', 't = trick.var_send_once', 't("fx.all.d")'],
    ['the module of Python for output', 'import sys\nt = sys', 't.stdout.write("x")\ntrick.var_send_once("fx.all.d")'],
    ['the input processor', 't = trick_ip.ip', 't.parse(\'trick.var_send_once("fx.all.d")\')'],
    ['a command that waits for the simulation', 't = trick', 't.checkpoint("x")\nt.var_send_once("fx.all.d")'],
  ] as const)
    it(`lets the server go on: ${what}`, async () => {
      await start();
      await run(first, ...events(kept, use));
      await fixture.pass(20);
      await run(second, 'use.manual_fire()');
      await fixture.pass(50);
      // Both are answered afterwards.
      expect(await run(first, 'trick.var_send_once("fx.all.s")')).to.match(/5\t0\n$/);
      expect(await run(second, 'trick.var_send_once("fx.all.s")')).to.match(/5\t0\n$/);
    });

  it('lets the server go on when what it reads of a large state is carried by no frame', async () => {
    await start(2 ** 19);
    await run(first, ...events('t = trick', 't.var_send_once("ballast.many[400000]")'));
    await fixture.pass(20);
    second.send('use.manual_fire()\n');
    await fixture.pass(100);
    expect(await run(second, 'trick.var_send_list_size()')).to.match(/3\t0\n$/);
  });

  it("gives no client the operator's rights", async () => {
    await start();
    await input('import trick\nt = trick\nallow = trick.var_add_ip\np = trick_ip.ip\n');
    for (const text of [
      'trick.var_add_ip("0.0.0.0/0")',
      't.var_disable_connections()',
      'allow("0.0.0.0/0")',
      "p.parse('trick.var_allow_all()')",
    ])
      await reads(first, text);
    expect(fixture.allowed).to.deep.equal([]);
    expect(fixture.log.some((line) => line.includes('only the operator decides'))).to.equal(true);
  });

  it("puts what a client's reads and events say under the client's address in the log, and the operator's under none", async () => {
    await start();
    await input(
      'print("input says")\ntrick.add_read(0, "print(\'later says\')\\ntrick.message_publish(3, \'later warns\')")\n',
    );
    const closing =
      "print('session 2 says')\ntrick.message_publish(3, 'the server says')\nimport sys\nsys.stderr.write('oh says')";
    await reads(first, closing);
    await run(second, 'e = trick.new_event("e")', `e.action(0, ${JSON.stringify(closing)})`, 'e.manual_fire()');
    await fixture.pass(50);
    const texts = ['session 2 says', 'the server says', 'oh says'];
    const of = (address: string) => texts.map((text) => `events and reads of ${address}: ${text}`);
    expect(fixture.log.filter((line) => /says|warns/.test(line))).to.have.members([
      'input says',
      'later says',
      'later warns',
      ...of('10.0.0.1'),
      ...of('10.0.0.2'),
    ]);
  });

  it("does not make the operator's event run a client's text as the operator's", async () => {
    await start();
    await input('e = trick.new_event("e")\nother = e\ntrick.add_event(e)\n');
    await reads(
      first,
      'other.action(0, "trick.var_add_ip(\\"0.0.0.0/0\\")")\nother.condition(0, "True")\nother.activate()',
    );
    await fixture.pass(100);
    expect(fixture.allowed).to.deep.equal([]);
    expect(fixture.server.events.find('e')?.owner).to.equal('10.0.0.1');
  });

  it('asks the simulation as the client that uses it: a recording group of the operator', async () => {
    await start();
    await input('g = trick.DRAscii("g")\ng.add_variable("fx.all.d")\n');
    const asked: unknown[] = [];
    const { source } = fixture.local;
    const submit = source.submit.bind(source);
    source.submit = (request) => {
      if (request.kind === 'record') asked.push('by' in request ? request.by : undefined);
      return submit(request);
    };
    await reads(first, 'h = g\ntrick.add_data_record_group(h)\nh.disable()');
    await settle();
    expect(asked.map((by) => (by as { address?: string } | undefined)?.address)).to.deep.equal([
      '10.0.0.1',
      '10.0.0.1',
    ]);
  });

  const EVIL = "trick.var_add_ip('0.0.0.0/0')";
  const HOOKS = 'hooks = []\n';
  const RUN_HOOKS = 'trick.add_read(1.0, "for h in hooks:\\n    h()\\n")\n';
  const defining = (last: string): string => `def f():\n    ${EVIL}\n\n${last}\n`;

  for (const [what, text, act] of [
    [
      "an event of the operator that is a client's now, and that the operator fires",
      'ev = trick.new_event("ev")\nev.action(0, "x = 1")\ntrick.add_event(ev)\ntrick.add_read(1.0, "ev.manual_fire()")\n',
      `ev.action(0, "${EVIL}")`,
    ],
    [
      'such an event, fired by its name',
      'ev = trick.new_event("ev")\nev.action(0, "x = 1")\ntrick.add_event(ev)\ntrick.add_read(1.0, "trick.manual_fire(\'ev\')")\n',
      `ev.action(0, "${EVIL}")`,
    ],
    [
      "a method of the operator's list",
      `${HOOKS}add = hooks.append\n${RUN_HOOKS}`,
      `trick.add_read(0, ${JSON.stringify(defining('add(f)'))})`,
    ],
    [
      "an exception that holds the operator's list",
      `${HOOKS}try:\n    raise ValueError(hooks)\nexcept ValueError as e:\n    kept = [e]\n\n${RUN_HOOKS}`,
      `trick.add_read(0, ${JSON.stringify(defining('kept[0].args[0].append(f)'))})`,
    ],
    [
      'an exception that it raises again while the operator handles it',
      `${HOOKS}try:\n    raise ValueError(hooks)\nexcept ValueError as e:\n    kept = [e]\n\ntrick.add_read(0.5, ${JSON.stringify(
        'try:\n    try:\n        raise kept[0]\n    except ValueError:\n        fx.all.i = 3\n        y = fx.all.i\n        raise\nexcept ValueError as e2:\n    for h in e2.args[0]: h()\n',
      )})\n`,
      `trick.add_read(0.5, ${JSON.stringify(defining('k = kept[0]\nk.args[0].append(f)\nraise k'))})`,
    ],
    [
      'the local names of a function in which an event of the operator is fired',
      `${HOOKS}def helper():\n    return None\n\nev = trick.new_event("ev")\nev.action(0, "hooks.append(helper)")\ntrick.add_event(ev)\n${RUN_HOOKS}`,
      `trick.add_read(0, ${JSON.stringify(defining('def go():\n    helper = f\n    ev.manual_fire()\n\ngo()'))})`,
    ],
  ] as const)
    it(`gives no rights through ${what}`, async () => {
      await start();
      await input(text);
      await run(first, act);
      await fixture.pass(1200);
      expect(fixture.allowed).to.deep.equal([]);
    });

  it("runs a client's text as its own when its event is fired by the operator", async () => {
    await start();
    await input(
      'ev = trick.new_event("ev")\nev.action(0, "x = 1")\ntrick.add_event(ev)\ntrick.add_read(0.5, "ev.manual_fire()")\n',
    );
    await run(first, `ev.action(0, "fx.all.d = 77.0\\nm = trick.new_event('mine')\\ntrick.add_event(m)")`);
    await fixture.pass(800);
    const { events } = fixture.server;
    expect([events.find('ev')?.owner, events.find('mine')?.owner]).to.deep.equal(['10.0.0.1', '10.0.0.1']);
    expect(await run(second, 'trick.var_send_once("fx.all.d")')).to.equal('5\t77\n');
  });

  it('changes no recording group of the operator that is not added yet', async () => {
    await start();
    await input(
      'g = trick.DRAscii("g")\ng.add_variable("fx.all.d")\nadd = g.add_variable\nkept = [g.set_cycle]\ntrick.add_read(0.5, "trick.add_data_record_group(g)")\n',
    );
    const asked: unknown[] = [];
    const { source } = fixture.local;
    const submit = source.submit.bind(source);
    source.submit = (request) => {
      if (request.kind === 'record' && request.control.action === 'add')
        asked.push([request.control.options.variables, request.control.options.cycleSeconds]);
      return submit(request);
    };
    await reads(first, 'g.add_variable("fx.all.s")\ng.set_cycle(0.001)\ng.single_prec_only = 1');
    await reads(first, 'add("fx.all.s")\nkept[0](0.001)');
    await fixture.pass(600);
    expect(asked).to.deep.equal([[['fx.all.d'], undefined]]);
  });

  it("fires a client's event once, however often the operator has fired it before it begins", async () => {
    await start();
    await input('ev = trick.new_event("ev")\nev.action(0, "x = 1")\ntrick.add_event(ev)\n');
    await run(first, 'ev.action(0, "fx.all.i = fx.all.i + 1")', 'fx.all.i = 0');
    await input('for k in range(50): ev.manual_fire()\n');
    await fixture.pass(50);
    const [, count] = (await run(second, 'trick.var_send_once("fx.all.i")')).split('\t');
    expect(Number(count)).to.be.within(1, 3);
  });

  it("stops to evaluate an event of the operator when a client's text comes in the middle", async () => {
    await start();
    // The condition reads what it has written, and so it waits.
    await input(
      'def slow():\n    fx.all.i = 3\n    return fx.all.i == 3\n\ne = trick.new_event("e")\ne.set_cycle(0.1)\ne.condition(0, "slow()")\ne.action(0, "x = 1")\ntrick.add_event(e)\ne.activate()\n',
    );
    const event = fixture.server.events.find('e') as TrickEvent;
    const { process } = event;
    let isSent = false;
    event.process = function* (...given) {
      for (const wait of process.apply(this, given)) {
        if (!isSent) first.send(`e.action(0, "m = trick.new_event('mine')\\ntrick.add_event(m)")\n`);
        isSent = true;
        yield wait;
      }
    };
    await fixture.pass(60);
    expect([isSent, event.owner, fixture.server.events.find('mine')]).to.deep.equal([true, '10.0.0.1', undefined]);
    await fixture.pass(200);
    expect(fixture.server.events.find('mine')?.owner).to.equal('10.0.0.1');
  });

  /** The first event waits for what it has written, and the second one behind it, until the returned function is called. */
  async function heldAtWrite(): Promise<() => void> {
    const { source } = fixture.local;
    const submit = source.submit.bind(source);
    let release = (): void => undefined;
    source.submit = (request) =>
      request.kind === 'write' ? new Promise((resolve) => (release = () => resolve(submit(request)))) : submit(request);
    await fixture.pass(60);
    return () => {
      source.submit = submit;
      release();
    };
  }

  it("runs no text of a client for the operator's event that waited when the client made it its own", async () => {
    await start();
    const event = (name: string, action: string): string =>
      `${name} = trick.new_event("${name}")\n${name}.set_cycle(0.05)\n${name}.condition(0, "True")\n${name}.action(0, "${action}")\ntrick.add_event(${name})\n${name}.activate()\n`;
    await input(event('b', 'fx.all.i = 3\\ny = fx.all.i') + event('e', 'x = 1'));
    const goOn = await heldAtWrite();
    first.send(`e.action(0, "m = trick.new_event('mine')\\ntrick.add_event(m)")\n`);
    await fixture.pass(5);
    goOn();
    for (let k = 0; k < 5; k++) await fixture.pass(100);
    expect(fixture.server.events.find('e')?.owner).to.equal('10.0.0.1');
    const { events } = fixture.server;
    expect([events.find('e')?.owner, events.find('mine')?.owner]).to.deep.equal(['10.0.0.1', '10.0.0.1']);
  });

  const MINE = `"m = trick.new_event('mine')\\ntrick.add_event(m)"`;
  const owners = (...names: readonly string[]): unknown[] =>
    names.map((name) => fixture.server.events.find(name)?.owner);

  for (const [what, fire] of [
    ['a block', 'e.manual_fire()'],
    ['a read', 'trick.add_read(0, "e.manual_fire()")'],
  ] as const)
    it(`runs a client's text as its own when ${what} of another client fires its event`, async () => {
      await start();
      await run(first, 'e = trick.new_event("e")', `e.action(0, ${MINE})`, 'trick.add_event(e)');
      await run(second, fire);
      await fixture.pass(50);
      expect(owners('e', 'mine')).to.deep.equal(['10.0.0.1', '10.0.0.1']);
    });

  it('runs the text of a client in no session of another whose event waited when the client made it its own', async () => {
    await start();
    const event = (name: string, action: string): readonly string[] => [
      `${name} = trick.new_event("${name}")`,
      `${name}.set_cycle(0.05)`,
      `${name}.condition(0, "True")`,
      `${name}.action(0, "${action}")`,
      `trick.add_event(${name})`,
      `${name}.activate()`,
    ];
    await run(first, ...event('b', 'fx.all.i = 3\\ny = fx.all.i'), ...event('e', 'x = 1'));
    const goOn = await heldAtWrite();
    second.send(`e.action(0, ${MINE})\n`);
    await fixture.pass(5);
    goOn();
    for (let k = 0; k < 5; k++) await fixture.pass(100);
    expect(owners('e', 'mine')).to.deep.equal(['10.0.0.2', '10.0.0.2']);
  });
});
