// What blocks say of numbers with units, and the recordings that they make, over a simulation that runs by the test's clock.
import { expect } from 'chai';
import { double } from '../../../model/state/declare.js';
import type { MemoryConnection } from '../../../testing/aids/memory-connection.js';
import { startTrickFixture, type TrickFixture } from '../../../testing/aids/trick-server.js';

describe('a block', () => {
  let fixture: TrickFixture;
  let client: MemoryConnection;
  beforeEach(async () => {
    fixture = await startTrickFixture({
      build: (sim) => sim.function('far_off', { gives: double({ units: 'km' }) }, () => 3),
    });
    client = fixture.connect();
    await fixture.ask(client, 'trick.var_set_send_stdio(True)\n');
  });
  afterEach(() => fixture.close());

  /** What a block prints on its standard output, and what it is told on the other one. */
  async function said(text: string): Promise<string> {
    const answer = await fixture.ask(client, text);
    const pieces = [...answer.matchAll(/4 [12] (\d+)\n/g)];
    return pieces
      .map((head) => answer.slice(head.index + head[0].length).slice(0, Number(head[1])))
      .join('')
      .trimEnd();
  }

  /** `fx.all.i` is 5 m, `fx.all.d` is 2.5 m. */
  const EXPRESSIONS: Readonly<Record<string, string>> = {
    'fx.all.i': '5 m',
    'fx.all.i + 1': '6 m',
    'fx.all.i * 2.5': '12.5 m',
    '2 * fx.all.i': '10 m',
    'fx.all.i / 2': '2.5 m',
    'fx.all.i * fx.all.i': '25 m*(m)',
    'fx.all.i / fx.all.i == 1': 'True',
    'fx.all.d / trick.attach_units("s", 2)': '1.25 m/(s)',
    '10 / fx.all.d': '4 1/(m)',
    'fx.all.d // 2, fx.all.d % 2, divmod(fx.all.i, 3)': '1 m 0.5 m (1 m, 2 m)',
    'fx.all.i ** 2, pow(fx.all.d, 3), fx.all.i ** 0': '25 m*(m) 15.625 m*(m)*(m) 1',
    'fx.all.i << 1, fx.all.i & 4, 1 | fx.all.i, ~fx.all.i': '10 m 4 m 5 m -6 m',
    'round(fx.all.d), round(trick.attach_units("ft", 1.25), 1), abs(-fx.all.d)': '2 m 1.2 ft 2.5 m',
    'sum([fx.all.d, trick.attach_units("ft", 10)]), max(fx.all.d, trick.attach_units("ft", 10))': '5.548 m 10 ft',
    'round(trick.attach_units("degC", 20) + trick.attach_units("degF", 50), 6)': '30 degC',
    'round(trick.attach_units("degF", 100) - trick.attach_units("degC", 20), 6)': '32 degF',
    'trick.attach_units("ft", trick.attach_units("ft", 10)) == trick.attach_units("ft", 10)': 'True',
    '-fx.all.i': '-5 m',
    'fx.all.d * 2': '5 m',
    'type(fx.all.i)': "<class 'swig_int.swig_int'>",
    'type(fx.all.d)': "<class 'swig_double.swig_double'>",
    'type(fx.all.d3)': "<class 'swig_ref.swig_ref'>",
    'type(fx.all.name)': "<class 'str'>",
    'type(int(fx.all.i)) == int, isinstance(fx.all.i, int)': 'True False',
    'fx.all.i + trick.attach_units("ft", 10)': '8.048 m',
    'fx.all.i > trick.attach_units("ft", 10), fx.all.i == 5': 'True True',
    '[fx.all.i, 1]': '[5 m, 1]',
    '"%d %.2f %s" % (fx.all.i, fx.all.i, fx.all.i)': '5 5.00 5 m',
    '"{} {:.1f}".format(fx.all.i, fx.all.i)': '5 m 5.0',
    'f"{fx.all.d3}"': '[1, 2, 3]',
    'str(fx.all.d3), repr(fx.all.i)': '[1, 2, 3] 5 m',
    'trick.attach_units("ft", [1, 2.5])': '[1 ft, 2.5 ft]',
    'trick.attach_units("cm", fx.all.d)': '250 cm',
    'trick.attach_units("cm", fx.all.i), trick.attach_units(" c m ", fx.all.d)': '500 cm 250 cm',
    'trick.attach_units("m", trick.attach_units("in", 6))': '0.1524 m',
    'trick.attach_units("kg", fx.all.d3)': '[1 kg, 2 kg, 3 kg]',
    'trick.attach_units("cm", [[fx.all.i, 2], (3, [fx.all.d])])': '[[500 cm, 2 cm], (3 cm, [250 cm])]',
    '[10, 20, 30, 40, 50, 60][fx.all.i]': '60',
    'range(fx.all.i)': 'range(0, 5)',
    'dir(fx.all.point)': "['this', 'thisown', 'x', 'y']",
  };
  it('makes durations of numbers with units, which are converted', async () => {
    const answers = {
      'timedelta(seconds=trick.attach_units("min", 2), hours=trick.attach_units("s", 1.5))': '0:02:01.500000',
      'timedelta(weeks=trick.attach_units("day", 1), days=trick.attach_units("hr", 3))': '1 day, 3:00:00',
      'timedelta(2) * fx.all.d3[1]': '4 days, 0:00:00',
      'timedelta(seconds=fx.all.d)': /TypeError: .*convert/,
      'timedelta(1) * fx.all.d':
        /TypeError: unsupported operand type\(s\) for \*: 'datetime.timedelta' and 'swig_double'/,
    };
    for (const [expression, shown] of Object.entries(answers))
      expect(await said(`from datetime import timedelta\nprint(${expression})\n`), expression).to.match(
        shown instanceof RegExp ? shown : new RegExp(`^${shown}$`),
      );
  });
  for (const [expression, shown] of Object.entries(EXPRESSIONS)) {
    it(`prints ${expression} as Trick does`, async () => {
      expect(await said(`print(${expression})\n`)).to.equal(shown);
    });
  }

  it('converts each number of a list that is assigned', async () => {
    await said('fx.all.d3 = [fx.all.i / trick.attach_units("cm", 20), 2, trick.attach_units("1", 3)]\n');
    expect(await said('print(fx.all.d3)\n')).to.equal('[25, 2, 3]');
    for (const value of ['[fx.all.i, 2]', 'trick.attach_units("in", [1, 2])'])
      expect(await said(`fx.all.d3 = ${value}\n`)).to.match(/expected units that convert from/);
    expect(await said('print(fx.all.d3)\n')).to.equal('[25, 2, 3]');
  });

  it('names the line whose units do not convert', async () => {
    expect(await said('x = 1\ny = 2\nz = fx.all.d > trick.attach_units("s", 1)\n')).to.include('line 3, in <module>');
  });

  it('stores products, quotients and powers in other units of their kind', async () => {
    await said('fx.all.d = fx.all.d * fx.all.i / trick.attach_units("ft", 10)\n');
    expect(await said('print(fx.all.d)\n')).to.equal('4.101049868766403 m');
    expect(await said('print(trick.far_off())\n')).to.equal('3.0');
  });

  const REFUSED: Readonly<Record<string, RegExp>> = {
    'trick.attach_units("kg", fx.all.d)': /expected units that convert from "m" \(m\), found "kg" \(kg\)$/,
    'trick.attach_units("ft", [1, fx.all.d, fx.all.name])':
      /TypeError: attach_units\(\) takes units and a number or a list of numbers$/,
    'fx.all.d + trick.attach_units("s", 1)': /expected units that convert from "s"/,
    'fx.all.d < trick.attach_units("s", 1)': /expected units that convert from "s"/,
    'fx.all.d % fx.all.i': /TypeError: the right side of % takes a number without units, not one in m$/,
    '2 ** fx.all.i': /TypeError: the exponent of a power takes a number without units, not one in m$/,
    'fx.all.d ** 0.5': /TypeError: a number in m has powers from 0 to 16, without fractions$/,
    'fx.all.i & fx.all.i': /TypeError: one side of & takes a number without units, not one in m$/,
    '1 << fx.all.i': /TypeError: the right side of << takes a number without units, not one in m$/,
    'trick.stop(fx.all.d)': /expected units that convert from "m" \(m\), found "s" \(s\)$/,
    'trick.real_time_set_rt_clock_ratio(fx.all.d)': /TypeError: .* argument 'in_clock_ratio' takes no units, not m$/,
    'trick.var_set("fx.all.d", trick.attach_units("s", 1))': /expected units that convert from "s"/,
  };
  for (const [expression, sentence] of Object.entries(REFUSED)) {
    it(`says why ${expression} makes no sense`, async () => {
      expect(await said(`${expression}\n`)).to.match(sentence);
      expect(await said('print(fx.all.d)\n')).to.equal('2.5 m');
    });
  }

  it('ends units that grow with every product', async () => {
    expect(await said('x = fx.all.d\nfor k in range(100): x = x * fx.all.d / fx.all.d\n')).to.match(
      /TypeError: the units of a result are limited to 200 characters$/,
    );
  });

  it('converts what commands take', async () => {
    await said('trick.var_set("fx.all.d", trick.attach_units("ft", 10))\n');
    await said('trick.var_set("fx.all.i", trick.attach_units("ft", 10), "cm")\n');
    await said('trick.exec_set_terminate_time(trick.attach_units("min", 2))\n');
    expect(await said('print(fx.all.d, fx.all.i, trick.exec_get_terminate_time())\n')).to.equal('3.048 m 3 m 120');
  });

  it('takes the text of a number where a command takes a number', async () => {
    await said('trick.exec_set_terminate_time(" 1e3 ")\ntrick.exec_set_freeze_frame("0.25")\n');
    expect(await said('print(trick.exec_get_terminate_time(), trick.exec_get_freeze_frame())\n')).to.equal('1000 0.25');
    expect(
      await fixture.ask(client, 'trick.var_add("fx.all.d")\ntrick.var_cycle("0.02")\ntrick.var_send()\n'),
    ).to.equal('0\t2.5\n');
    expect(await said('trick.var_cycle("0.02 s")\n')).to.match(/TypeError: .* 'in_rate' must be a number, not str$/);
    expect(await said('trick.var_sync("1.5")\n')).to.match(/TypeError: .* must be a whole number, not str$/);
  });

  it('expects a number near another one in the units of the first', async () => {
    await said('from trick.unit_test import *\n');
    expect(await said('TRICK_EXPECT_NEAR(fx.all.d, trick.attach_units("cm", 250), 0.001, "s", "c")\n')).to.equal('');
    expect(await said('TRICK_EXPECT_NEAR(fx.all.d, trick.attach_units("ft", 2.5), 0.001, "s", "c")\n')).to.match(
      /failed/,
    );
  });

  it('catches what an assignment does wrong, and goes on', async () => {
    const text =
      'try:\n  fx.all.i = trick.attach_units("kg", 1)\nexcept TypeError as e:\n  print("no:", e)\nprint(fx.all.i)\n';
    expect(await said(text)).to.match(/^no: expected units that convert from "kg" \(kg\), found "m" \(m\)\n5 m$/);
  });

  it('finds an object of the simulation before a function of the same name', async () => {
    expect(await said('print(fx, max(1, 2))\n')).to.equal('<variable fx> 2');
  });

  const GROUP = 'g = trick.DRAscii("g")\ng.add_variable("fx.all.i")\n';

  it('makes, finds, changes and removes recordings', async () => {
    expect(await said(`${GROUP}print(trick.add_data_record_group(g), trick.get_num_data_record_groups())\n`)).to.equal(
      '0 1',
    );
    expect(await said('h = trick.get_data_record_group("g")\nprint(h.get_group_name(), h, h.disable())\n')).to.equal(
      'g <DRAscii> 0',
    );
    expect(
      await said(
        'print(trick.get_data_record_group_by_idx(0).set_cycle(0.5), trick.get_data_record_group_by_idx(7))\n',
      ),
    ).to.equal('0 None');
    expect(await said('print(trick_data_record.drd.get_group("g"), trick.sim_services.DR_Changes)\n')).to.equal(
      '<DRAscii> 1',
    );
    expect(await said('h.add_variable("fx.all.d")\n')).to.match(
      /RuntimeError: add_variable\(\) is for the text that has made the group g$/,
    );
    expect(await said('print(trick.remove_data_record_group(h), trick.get_num_data_record_groups())\n')).to.equal(
      '0 0',
    );
  });

  it('is told why a recording is refused', async () => {
    expect(await said(`${GROUP}trick.add_data_record_group(g)\ntrick.add_data_record_group(g)\n`)).to.equal(
      'there is a recording g already',
    );
    expect(await said('g.set_cycle(0.00001)\n')).to.equal(
      "a client's recording has a cycle of 0.0001 s or more, not 0.00001",
    );
    for (const size of ['-1', 'float("inf")', 'float("nan")'])
      expect(await said(`g.set_max_file_size(${size})\n`)).to.match(
        /ValueError: a file's largest size is a number of bytes/,
      );
    expect(await said('g.set_freq(7)\n')).to.match(/ValueError: a frequency is trick.DR_Always/);
    expect(await said('g.thisown = 0\ng.nope = 1\n')).to.match(
      /AttributeError: 'DRAscii' object has no attribute 'nope'/,
    );
    expect(await said('trick.add_data_record_group(5)\n')).to.match(/TypeError: .* takes a recording, not int/);
  });

  it('copies no more texts to the simulation than a block may make', async () => {
    expect(await said(`${GROUP}g.add_variable("fx.all.d", "x"*5000)\n`)).to.match(
      /MemoryError: a path has at most 4096/,
    );
    expect(await said('for k in range(300): g.add_variable("fx.all.d", "x"*4000)\n')).to.match(
      /MemoryError: the paths and names of a group have at most 1000000 characters/,
    );
    expect(await said('for k in range(100): trick.add_data_record_group(g)\n')).to.match(
      /MemoryError: a block may make/,
    );
    // One text many times, and one large number.
    for (const many of ['[["x"*1000]*1000]*1000', '[[2**4000]*100000]*20'])
      expect(await said(`L = ${many}\nfx.all.vd = L\n`)).to.match(/MemoryError: a block may make/);
  });
});
