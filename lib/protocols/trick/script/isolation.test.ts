// What one session keeps, names or asks for never changes or slows what others do.
import { expect } from 'chai';
import { DEFAULT_BOUNDS } from '../../../serving/scheduling/holdings.js';
import { settle, startTrickFixture, type TrickFixture } from '../../../testing/aids/trick-server.js';

type Client = ReturnType<TrickFixture['connect']>;

describe('a session beside another', () => {
  let fixture: TrickFixture;
  let client: Client;
  let other: Client;

  beforeEach(async () => {
    fixture = await startTrickFixture();
    [client, other] = [fixture.connect(), fixture.connect()];
    for (const each of [client, other]) await fixture.ask(each, 'trick.var_pause()\ntrick.var_set_send_stdio(True)\n');
  });
  afterEach(() => fixture.close());

  const works = async (): Promise<void> => {
    expect(await fixture.ask(other, 'trick.var_exists("fx")\n')).to.equal('1\t1\n');
    expect(await fixture.ask(other, 'print(fx.all.i)\n')).to.match(/^4 1 3\n5 m/);
    expect(await fixture.ask(other, 'x = math.sqrt(4.0)\nsys.stdout.write(str(x))\n')).to.match(/2\.0$/);
  };
  const held = (): number => fixture.registry.ledger.held('keptBytes');

  for (const name of ['trick', 'print', 'str', 'math', 'sys', 'fx', 'trick_sys']) {
    it(`finds what it knows by the name ${name} when there is an event of that name`, async () => {
      expect(await fixture.ask(client, `e = trick.new_event("${name}")\n`)).to.equal('');
      await works();
      expect(await fixture.ask(client, 'e.condition(0, "fx.all.i > 3")\nprint(e.condition_count)\n')).to.match(/\n1/);
    });
  }

  it('keeps the meaning of names in text that runs for all', async () => {
    for (const text of ['print = 3', 'fx = 3', 'def str(x): return 0', 'for max in [1]: pass']) {
      fixture.log.length = 0;
      await fixture.ask(client, `trick.add_read(0, ${JSON.stringify(text)})\n`);
      await fixture.pass(20);
      expect(fixture.log.join('\n'), text).to.match(
        /TypeError: (print|fx|str|max) cannot be replaced in text that runs for all sessions/,
      );
    }
    await works();
  });

  it('cannot change the class that is above all classes', async () => {
    await fixture.ask(client, 'object.x = 5\n');
    await fixture.ask(client, 'object.__init__ = len\n');
    const answer = await fixture.ask(other, 'class A: pass\nprint(hasattr(object, "x") + hasattr(A(), "x"))\n');
    expect(answer).to.match(/\n0/);
  });

  describe('whose reads run beside the input file', () => {
    const input = (text: string) => fixture.frontEnd.runInput({ name: 'input.py', text });
    const read = async (text: string) => {
      await fixture.ask(client, `trick.add_read(0, ${JSON.stringify(text)})\n`);
      await fixture.pass(20);
    };
    const value = () => fixture.ask(other, 'trick.var_send_once("fx.all.d")\n');

    it('sees its classes and what they have made, and changes none of them', async () => {
      await input(
        `class C:
    n = [1]
    def __init__(self): self.a = []
    def add(self, x):
        self.a.append(x)
        C.n.append(x)
        return len(self.a) + 10 * len(C.n) + 100 * isinstance(self, C)
class D(C):
    def add(self, x): return super().add(x) + 1000
c = D()
add = c.add
`,
      );
      await read('fx.all.d = c.add(1) + add(2) + c.add(3)\nC.n.append(5)\nc.other = 3');
      expect(await value()).to.equal('5\t3333\n');
      await read('fx.all.d = len(c.a) + 10 * len(C.n) + 100 * hasattr(c, "other")');
      expect(await value()).to.equal('5\t10\n');
      await input('fx.all.d = c.add(1)');
      expect(await value()).to.equal('5\t1121\n');
    });

    it('sees its names and calls its functions, and changes none of them', async () => {
      await input(
        'n = 1\nL = [1, [2]]\nD = {"a": [1]}\ndef f(x, seen=[]):\n    seen.append(x)\n    return n + len(seen)\n',
      );
      await read('fx.all.d = 100 * n + 10 * len(L) + f(1)');
      expect(await value()).to.equal('5\t122\n');
      await read('n = 7\nL.append(3)\nL[1].append(4)\nD["a"].append(2)\nD["b"] = 1\nf(1)\nf(2)\nfx.all.d = f(3)');
      // Its own name is what the function sees when it calls it.
      expect(await value()).to.equal('5\t8\n');
      await input('fx.all.d = 1000 * n + 100 * len(L) + 10 * len(L[1]) + len(D) + f(0)\n');
      expect(await value()).to.equal('5\t1213\n');
    });

    it('fires an event of the input file with the names of the input file', async () => {
      await input('n = 1\ne = trick.new_event("step")\ne.action(0, "n += 1")\n');
      await read('n = 50');
      await fixture.ask(client, 'step.manual_fire()\n');
      await fixture.pass(20);
      await read('step.manual_fire()\nfx.all.d = n');
      expect(await value()).to.equal('5\t50\n');
      await input('fx.all.d = n\n');
      expect(await value()).to.equal('5\t3\n');
    });

    it('keeps its own within its bound, and those of the input file stay', async () => {
      await input('n = 41\n');
      const before = held();
      await read('mine = "x" * 60000');
      expect(held()).to.be.above(before + 50_000);
      await read(`L = [str(k) * 20000 for k in range(300)]`);
      expect(held()).to.be.below(before + 5 * 1024 * 1024);
      await read('fx.all.d = n + 1');
      expect(await value()).to.equal('5\t42\n');
      expect(fixture.log.join('\n')).to.match(/the names of this session held more than \d+ bytes and are forgotten/);
    });
  });

  it('cannot lose the modules to a loop, a function or an import', async () => {
    for (const text of ['for trick in [1]: pass', 'def sys(): pass', 'import math as trick', 'trick = 1'])
      expect(await fixture.ask(client, `${text}\n`), text).to.match(/TypeError: (trick|sys) cannot be replaced/);
    expect(await fixture.ask(client, 'import trick, sys\ntrick.var_exists("fx")\n')).to.equal('1\t1\n');
  });

  it('is not kept waiting by a long block that is parsed', async () => {
    client.send(`${'x = fx.all.i * 2 + 1 if fx.all.i > 3 else 0\n'.repeat(1000)}trick.var_send_list_size()\n`);
    other.send('trick.var_exists("fx")\n');
    let turns = 0;
    for (; other.written.length === 0; turns++) await new Promise((resolve) => setImmediate(resolve));
    expect(turns).to.be.at.most(3);
    expect(await fixture.answer(other)).to.equal('1\t1\n');
    expect(await fixture.answer(client)).to.equal('3\t0\n');
  });

  it('is told that a line or a statement holds too much, and nothing of the block runs', async () => {
    const ask = async (text: string): Promise<string> => {
      client.send(text);
      return fixture.answer(client);
    };
    expect(await ask(`fx.all.i = 9\nx = [${'1, '.repeat(10_000)}]\n`)).to.match(/a line is limited to 5000/);
    await settle();
    client.taken();
    expect(await ask(`fx.all.i = 9\nif True:\n${'  x = 1\n'.repeat(5000)}`)).to.match(/a statement is limited to 5000/);
    await settle();
    client.taken();
    expect(await ask(`x = f"${'{x}'.repeat(20_000)}"\n`)).to.match(/a line is limited to 5000/);
    await works();
  });

  it('keeps names within its bound, which are counted and given back', async () => {
    const before = held();
    await fixture.ask(client, 'L = [0] * 1000\n');
    const lines = Array.from({ length: 300 }, (_, k) => `L[${k}] = "${`${k} `.repeat(10_000).slice(0, 30_000)}"\n`);
    let said = '';
    for (const line of lines) {
      said += await fixture.ask(client, line);
      expect(held() - before).to.be.at.most(5 * 1024 * 1024);
    }
    expect(said).to.match(/the names of this session held more than 2097152 bytes and are forgotten/);
    client.leave();
    expect(held()).to.be.at.most(before);
  });

  it('keeps names in a server that keeps no more', async () => {
    let address = 0;
    const filler = () => fixture.registry.ledger.open(`filler ${address++ % 4}`);
    const { each, all } = DEFAULT_BOUNDS.keptBytes;
    const fillers = [filler()];
    for (let free = all; free > each; free -= each) fillers.push(filler());
    try {
      for (const one of fillers) one.take('keptBytes', each);
    } catch {
      // As many as fit.
    }
    for (let step = each; step >= 1; step = Math.floor(step / 2)) {
      try {
        for (;;) filler().take('keptBytes', step);
      } catch {
        // As much as fits.
      }
    }
    expect(await fixture.ask(client, 'x = "some text" * 10\n')).to.match(/this server has too few bytes of names/);
    expect(await fixture.ask(client, 'print(x)\n')).to.match(/NameError/);
    expect(await fixture.ask(client, 'trick.var_add("fx.all.i")\ntrick.var_send_list_size()\n')).to.equal('3\t0\n');
    expect(await fixture.ask(other, 'trick.var_exists("fx")\n')).to.equal('1\t1\n');
  });

  it('counts the variables of its list', async () => {
    const before = held();
    await fixture.ask(client, 'trick.var_add("fx.all.i")\ntrick.var_add("fx.all.d")\n');
    const two = held() - before;
    expect(two).to.be.greaterThan(0);
    await fixture.ask(client, 'trick.var_remove("fx.all.i")\n');
    expect(held() - before).to.equal(two / 2 + ('fx.all.d'.length - 'fx.all.i'.length));
    await fixture.ask(client, 'trick.var_clear()\n');
    expect(held()).to.equal(before);
  });

  it('adds reads within the bounds of its address, and leaves room for others', async () => {
    const text = JSON.stringify('#'.repeat(90_000));
    const asked: string[] = [];
    for (let k = 0; k < 50; k++) asked.push(await fixture.ask(client, `trick.add_read(1000, ${text})\n`));
    expect(asked.slice(0, 44).join('')).to.equal('');
    expect(asked[49]).to.match(/too many reads wait already, this one is left out/);
  });

  it('gives events short comments', async () => {
    const long = JSON.stringify('c'.repeat(10_001));
    expect(await fixture.ask(client, `e = trick.new_event("e")\ne.condition(0, "True", ${long})\n`)).to.match(
      /a condition, an action or a comment has at most 10000 characters/,
    );
  });
});
