// Everything that Trick's Python module has: each function is done, taken, or refused with its reason; each constant has its value.
import { expect } from 'chai';
import { enumeration } from '../../../model/state/declare.js';
import { startTrickFixture, type TrickFixture } from '../../../testing/aids/trick-server.js';
import oracle from '../commands/oracle/trick-module.json' with { type: 'json' };
import { COMMANDS } from '../commands/table.js';
import { ABOUT_WITHOUT_EFFECT, commandName, withoutEffect } from '../commands/without-effect.js';

const names = Object.values(oracle.functions).flatMap((text) => text.split(' '));
const constants = (text: string): [string, string][] =>
  text.split(' ').map((pair) => pair.split('=') as [string, string]);

describe("the module of Trick's functions", () => {
  let fixture: TrickFixture;
  let client: ReturnType<TrickFixture['connect']>;

  beforeEach(async () => {
    fixture = await startTrickFixture({
      build: (sim) => {
        sim.object('turned').component('by', enumeration('Orientation::Sequence', { Yaw_Roll: 3 }));
      },
    });
    client = fixture.connect();
    await fixture.ask(client, 'trick.var_pause()\ntrick.var_set_send_stdio(True)\n');
  });
  afterEach(() => fixture.close());

  /** Without the lines that announce how much was printed. */
  const lines = async (text: string): Promise<string[]> => {
    const answer = await fixture.ask(client, `${text}\n`);
    return answer
      .replace(/4 \d+ \d+\n/g, '')
      .split('\n')
      .filter((line) => line !== '');
  };
  const lastLine = async (text: string) => (await lines(text)).at(-1);

  it('has each of them once: as a command, as taken, or as refused', () => {
    const done = (name: string): boolean =>
      COMMANDS.has(commandName(name)) || ['attach_units', 'ip_parse', 'get_trick_env', 'env_get_var'].includes(name);
    expect(names.filter((name) => !done(name) && !withoutEffect(name))).to.deep.equal([]);
    expect([...ABOUT_WITHOUT_EFFECT.keys()].filter(done), 'in the table and done').to.deep.equal([]);
  });

  it('finds each of them', async () => {
    for (const name of names)
      expect(await lastLine(`print(type(trick.${name}))`), name).to.match(/<class '(function|type)'>/);
  });

  it('takes what does nothing with any arguments, and says so once', async () => {
    for (const name of ABOUT_WITHOUT_EFFECT.keys()) {
      if (name.endsWith('*') || !ABOUT_WITHOUT_EFFECT.get(name)?.startsWith('Taken')) continue;
      fixture.log.length = 0;
      expect(await lastLine(`x = trick.${name}("a", 2, [3], k=4)\nx = trick.${name}()\nprint("on")`), name).to.equal(
        'on',
      );
      expect(
        fixture.log.filter((line) => line.includes(`trick.${name} is taken and does nothing: `)),
        name,
      ).to.have.length(1);
    }
  });

  it('refuses the others in one sentence', async () => {
    expect(await lastLine('trick.jit_compile("a.cpp")')).to.equal(
      'RuntimeError: trick.jit_compile is not here: no C++ is compiled',
    );
    expect(await lastLine('trick.vval_int(1)')).to.equal(
      'RuntimeError: trick.vval_int hands over data of C++, and there is none here',
    );
    expect(await lastLine('trick.tc_connect(1)')).to.match(/^RuntimeError: trick\.tc_connect hands over/);
    expect(await lastLine('trick.nothing_like_it()')).to.match(/^AttributeError: /);
  });

  it('has the constants of the headers, and those of classes', async () => {
    for (const text of Object.values(oracle.constants)) {
      const pairs = constants(text);
      expect(await lastLine(`print([${pairs.map(([name]) => `trick.${name}`).join(', ')}])`)).to.equal(
        `[${pairs.map(([, value]) => value).join(', ')}]`,
      );
    }
    for (const [name, text] of Object.entries(oracle.classes)) {
      const pairs = constants(text);
      expect(await lastLine(`print([${pairs.map(([label]) => `trick.${name}.${label}`).join(', ')}])`)).to.equal(
        `[${pairs.map(([, value]) => value).join(', ')}]`,
      );
    }
  });

  it("has Trick's own objects with their methods, which say once that they do nothing", async () => {
    const text = `
trick_message.mtcout.init()
trick.message_subscribe(trick_message.mtcout)
trick_message.mpublisher.subscribe(trick_message.mtcout)
trick_message.separate_thread_set_enabled(True)
web.server.enable = 1
web.server.set_port(8888)
web.server.debug = True
integ = dyn_integloop.getIntegrator(trick.Runge_Kutta_4, 4)
integ.set_verbosity(1)
dyn_integloop.integ_sched.set_integ_cycle(0.01)
chart = trick.StripChart()
chart.set_input_file("a.sc")
trick.add_external_application(chart)
trick_vs.stripchart.set_host("here")
trick_frame_log.frame_log.set_max_samples(10)
print("on")`;
    fixture.log.length = 0;
    expect(await lastLine(text)).to.equal('on');
    expect(await lastLine(text)).to.equal('on');
    for (const taken of [
      'trick_message.mtcout',
      'trick.message_subscribe',
      'trick.separate_thread_set_enabled',
      'web',
      'dyn_integloop',
      'trick.StripChart',
      'trick_vs.stripchart',
    ])
      expect(
        fixture.log.filter((line) => line.includes(`${taken} is taken and does nothing: `)),
        taken,
      ).to.have.length(1);
    expect(await lastLine('trick_jit.jit.compile("a.cpp")')).to.contain('RuntimeError: trick.jit_compile is not here');
    expect(await lastLine('web.client(1)\nprint("on")')).to.equal('on');
    expect(await lastLine('webb.server.enable = 1')).to.contain("NameError: name 'webb'");
  });

  it('has labels of the classes of a simulation, values by name, and units', async () => {
    expect(await lastLine('print(trick.Phase.ENTRY, trick.Thing.ENTRY, trick.ENTRY)')).to.equal('7 7 7');
    expect(await lastLine('print(trick.Orientation.Yaw_Roll)')).to.equal('3');
    expect(await lastLine('trick.Phase.NOTHING')).to.contain(
      "AttributeError: type object 'Phase' has no attribute 'NOTHING'",
    );
    expect(await lastLine('print(trick.var_get("fx.all.d"), trick.var_get("fx.all.d").units)')).to.equal('2.5 m m');
    expect(await lastLine('print(trick.var_get("fx.all.points")[0].x, fx.all.d3.units)')).to.equal('0 m 1');
    expect(await lastLine('print(fx.all.d.units, trick.attach_units("ft", 2).units)')).to.equal('m ft');
    expect(await lastLine('trick.var_get("fx.all.nothing")')).to.contain(
      'AttributeError: fx.all has no member nothing',
    );
    expect(await lastLine('print(trick.unhex_double(4607182418800017408), trick.unhex_float(0x3f800000))')).to.equal(
      '1.0 1.0',
    );
  });

  it('sets variables from a text in the form of checkpoints, as clients do', async () => {
    const set = async (text: string): Promise<string | undefined> =>
      lastLine(`print(trick.read_checkpoint_from_string(${JSON.stringify(text)}))`);
    expect(await set('fx.all.d {ft} = 10.0;\nfx.all.i = -7;')).to.equal('0');
    expect(await lastLine('print(fx.all.d, fx.all.i)')).to.equal('3.048 m -7 m');
    expect(await set('fx.all.d3 = {1.5, 2, 3.0e0}; fx.all.d3[1] = 7; fx.all.points[1].y = 4;')).to.equal('0');
    expect(await lastLine('print(fx.all.d3, fx.all.points[1].y)')).to.equal('[1.5, 7, 3] 4 m');
    expect(await set('fx.all.str = "a {m} = 1;é"; fx.all.ll = 9007199254740993;')).to.equal('0');
    expect(await lastLine('print(fx.all.str == "a {m} = 1;é", fx.all.ll)')).to.equal('True 9007199254740993');
    expect(await set('fx.all.phase = ENTRY; fx.all.b = true;')).to.equal('0');
    expect(await lastLine('print(fx.all.phase == trick.ENTRY, fx.all.b)')).to.equal('True 1');
    // Nothing changes when a text cannot be read.
    for (const text of ['fx.all.i = 9; fx.all.i = ;', 'fx.all.i = 9; double x[2];', 'fx.all.i = 9; clear_all_vars();'])
      expect(await set(text), text).to.equal('-1');
    expect(await lastLine('print(fx.all.i)')).to.equal('-7 m');
    expect(await set('fx.all.nothing = 1; fx.all.fixed = 1; fx.all.i = 8;')).to.equal('0');
    expect(await lastLine('print(fx.all.i, fx.all.fixed)')).to.equal('8 m 7');
    expect(await lastLine('trick_mm.mm.read_checkpoint_from_string("fx.all.i = 6;")\nprint(fx.all.i)')).to.equal('6 m');
  });

  it('writes a checkpoint as a text, which an input file loads again', async () => {
    expect(await lastLine('trick.TMM_write_checkpoint()')).to.equal(
      'RuntimeError: a client writes a checkpoint to a file, which it must name',
    );
    expect(await lastLine('print(trick.read_checkpoint_from_string("clear_all_vars();"))')).to.equal('-1');
    const text =
      't = trick_mm.mm.write_checkpoint()\nfx.all.i = 9\nfx.all.str = "other"\nprint("fx.all.i = 5;" in t)\nprint("loads", trick_mm.mm.read_checkpoint_from_string(t))\n';
    await fixture.frontEnd.runInput({ name: 'input.py', text });
    expect(fixture.log.join('\n')).to.contain('True\nloads 0');
    expect(await lastLine('print(fx.all.i, fx.all.str)')).to.equal('5 m text');
  });
});
