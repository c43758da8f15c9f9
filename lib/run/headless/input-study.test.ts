// What an input file asks of a Monte Carlo is what Trick draws; numbers of its generator are those that NASA's own run has.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { bool, double, int, text } from '../../model/state/declare.js';
import { simulation } from '../../simulation/executive/simulation.js';
import { type InputStudy, readStudy } from './input-study.js';
import { monteCarlo } from './monte-carlo.js';
import { run } from './run.js';

const LAB = simulation({ name: 'lab', frameSeconds: 0.1 }, (sim) => {
  sim.object('lab').components({ x: double(5), far: double({ units: 'm' }), count: int(), on: bool(), word: text(20) });
});
const OLD = 'trick.mc_set_enabled(1)\ntrick.mc_set_num_runs(2)\n';
const NEW = `monte_carlo.mc_master.activate("RUN_lab")
monte_carlo.mc_master.set_num_runs(2)
def add(v):
    v.thisown = False
    monte_carlo.mc_master.add_variable(v)
    return v
`;
const NORMAL = 'v = add(trick.MonteCarloVariableRandomNormal("lab.x[0]", 2, 10, 2))\n';
const DATA = '# x y z\n0 1 2\n/ no line of data\n10 11 12\n\n20 21 22\n30 31 32\n';
const RANDOM = 'v = trick.MonteVarRandom("lab.far", trick.MonteVarRandom';

describe('the Monte Carlo of an input file', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'varwire-study-'));
    mkdirSync(join(directory, 'RUN_lab'));
    writeFileSync(join(directory, 'RUN_lab', 'data.txt'), DATA);
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const said: string[] = [];
  const read = (input: string): Promise<InputStudy> => {
    const inputFile = join(directory, 'RUN_lab', 'input.py');
    writeFileSync(inputFile, input);
    said.length = 0;
    const say = ({ text: sentence }: { readonly text: string }) => void said.push(sentence);
    return readStudy(LAB, { inputFile, inputDirectories: [], arguments: [], say });
  };
  const shown = async (input: string) => [...(await read(input)).runs(100)].map((run) => run.shown);
  const statements = async (input: string) =>
    [...(await read(input)).runs(100)].map(({ input: { text: given } }) => given.split('\n').slice(1, -1));
  /** What the first of the shown variables is in each run. */
  const values = async (input: string) => (await shown(input)).map((run) => Object.values(run)[0]);
  const refusal = (input: string): Promise<string> =>
    shown(input).then(
      () => 'not refused',
      (error: Error) => error.message,
    );

  describe('by the generator', () => {
    for (const [what, input, expected] of [
      [
        'uniform numbers',
        'add(trick.MonteCarloVariableRandomUniform("lab.x[0]", 0, 10, 20))',
        [15.92844616516683, 18.44265744256598],
      ],
      ['normal numbers', NORMAL, [9.954870507417668, 11.32489560639709]],
      [
        'normal numbers near the mean',
        `${NORMAL}v.truncate(0.5, trick.MonteCarloVariableRandomNormal.StandardDeviation)`,
        [9.954870507417668, 9.078215205210737],
      ],
      [
        'normal numbers within a range',
        `${NORMAL}v.truncate(-0.5, 0.7, trick.MonteCarloVariableRandomNormal.Relative)`,
        [9.954870507417668, 9.912272360185705],
      ],
      [
        'normal numbers between two',
        `${NORMAL}v.truncate(9.9, 11, trick.MonteCarloVariableRandomNormal.Absolute)`,
        [9.954870507417668, 10.72611121241102],
      ],
      [
        'normal numbers above one',
        `${NORMAL}v.truncate_low(9.9, trick.MonteCarloVariableRandomNormal.Absolute)`,
        [9.954870507417668, 11.32489560639709],
      ],
      [
        'normal numbers below one',
        `${NORMAL}v.truncate_high(4, trick.MonteCarloVariableRandomNormal.Absolute)`,
        [3.772280419911035, 3.806042167887552],
      ],
      [
        'normal numbers once more without limits',
        `${NORMAL}v.truncate_high(4, trick.MonteCarloVariableRandomNormal.Absolute)\nv.untruncate()`,
        [9.954870507417668, 11.32489560639709],
      ],
      ['whole numbers', 'add(trick.MonteCarloVariableRandomUniformInt("lab.count", 1, 0, 2))', [1, 2]],
      ['truth values', 'add(trick.MonteCarloVariableRandomBool("lab.on", 4))', [true, false]],
      ['a fixed number', 'add(trick.MonteCarloVariableFixed("lab.count", 7))', [7, 7]],
      ['a fixed text', 'add(trick.MonteCarloVariableFixed("lab.word", "\\"7\\""))', ['7', '7']],
      [
        'texts of a set',
        'v = add(trick.MonteCarloVariableRandomStringSet("lab.word", 3))\nv.add_string("\\"ABC\\"")\nv.add_string("\\"DEF\\"")\nv.add_string("\'GHIJKL\'")',
        ['ABC', 'GHIJKL'],
      ],
      ['lines of a file', 'add(trick.MonteCarloVariableFile("lab.x[0]", "data.txt", 2))', [1, 11]],
      ['the columns of a file from 0', 'add(trick.MonteCarloVariableFile("lab.x[0]", "data.txt", 2, 0))', [2, 12]],
    ] as const) {
      it(`has ${what}`, async () => {
        expect(await values(NEW + input)).to.deep.equal(expected);
      });
    }

    it('takes the columns of one line for all variables of a file, and skips lines as NASA does', async () => {
      const files = [3, 2, 1].map(
        (column, index) => `v${index} = add(trick.MonteCarloVariableFile("lab.x[${index}]", "data.txt", ${column}))\n`,
      );
      const skips = 'monte_carlo.mc_master.set_num_runs(4)\nv0.max_skip = 3\n';
      expect((await shown(NEW + files.join('') + skips))[3]).to.deep.equal({
        'lab.x[0]': 2,
        'lab.x[1]': 1,
        'lab.x[2]': 0,
      });
      const semi = 'add(trick.MonteCarloVariableSemiFixed("lab.far", v0))';
      expect((await shown(NEW + files.join('') + semi)).map((run) => run['lab.far'])).to.deep.equal([2, 2]);
      // It begins again after the last line.
      const five = await values(`${NEW}monte_carlo.mc_master.set_num_runs(5)\n${files[2]}`);
      expect(five).to.deep.equal([0, 10, 20, 30, 0]);
    });

    it('gives runs the statements that Trick writes', async () => {
      const units = 'v.units = "ft"\n';
      const lines =
        'add(trick.MonteCarloPythonLineExec("lab.x[1]", "2 * lab.x[0]"))\nadd(trick.MonteCarloPythonLineExec("print(1)"))\nadd(trick.MonteCarloPythonFileExec("some.py"))\n';
      expect(await statements(NEW + NORMAL + units + lines)).to.deep.equal(
        ['9.954870507417668', '11.32489560639709'].map((drawn) => [
          `lab.x[0] = trick.attach_units("ft", ${drawn})`,
          'lab.x[1] = 2 * lab.x[0]',
          'print(1)',
          'exec(open("some.py").read())',
        ]),
      );
      expect(await shown(NEW + NORMAL + units)).to.deep.include({ 'lab.x[0]{ft}': 9.954870507417668 });
    });

    it('does not hang where no number lies in the limits', async () => {
      const far = 'v.truncate(10, 11, trick.MonteCarloVariableRandomNormal.StandardDeviation)\n';
      expect(await values(`${NEW}${NORMAL}v.max_num_tries = 20\n${far}`)).to.deep.equal([31, 31]);
      expect(await refusal(`${NEW}${NORMAL}v.truncate(3, 2, trick.MonteCarloVariableRandomNormal.Absolute)`)).to.equal(
        'lab.x[0] is limited to values from 3 to 2, which are none',
      );
    });

    it('is set, asked and numbered', async () => {
      const {
        directory: named,
        isOn,
        numberOfRuns,
        ...study
      } = await read(
        `${NEW}${NORMAL}m = monte_carlo.mc_master
m.minimum_padding = 3
m.remove_variable("lab.x[0]")
print(m.active, m.generate_dispersions, m.find_variable("lab.x[0]"), v.get_variable_name(), v.get_seed())`,
      );
      expect([named, isOn, numberOfRuns]).to.deep.equal([resolve('MONTE_RUN_lab'), true, 2]);
      expect([...study.runs(9)].map(({ input }) => input.here?.runDirectory)).to.deep.equal([
        resolve('MONTE_RUN_lab/RUN_000'),
        resolve('MONTE_RUN_lab/RUN_001'),
      ]);
      expect(said).to.deep.equal(['True True None lab.x[0] 2']);
      expect((await read(`${NEW}m = monte_carlo.master\nm.generate_dispersions = False`)).isOn).to.equal(false);
    });
  });

  describe("by Trick's own variables", () => {
    it('has random numbers as they are with and without an engine', async () => {
      for (const [kind, expected] of [
        // The first numbers in the examples of GSL's manual: 2 5, and 0.99974 0.16291.
        ['.POISSON, "m")\nv.set_mu(3)', [2, 5]],
        ['.FLAT, "m")\nv.set_min(0)\nv.set_max(2)\nv.set_mu(0)', [1.99948349781334, 0.325819750782102]],
        [
          '.FLAT, "m", trick.MonteVarRandom.TRICK_DEFAULT_ENGINE)\nv.set_seed(0)\nv.set_sigma_range(0)\nv.set_mu(0)\nv.set_min(10)\nv.set_max(20)',
          [15.9284461651668, 18.442657442566],
        ],
      ] as const) {
        const drawn = await values(`${OLD}${RANDOM}${kind}\ntrick.mc_add_variable(v)`);
        expect(drawn, kind).to.deep.equal(expected);
      }
      const normal = `${OLD}${RANDOM}.GAUSSIAN, "m")\nv.set_seed(1)\nv.set_mu(4)\nv.set_sigma(2)\nv.set_min(-1)\nv.set_max(1)\nv.set_sigma_range(0)\ntrick.mc_set_num_runs(50)\ntrick_mc.mc.add_variable(v)`;
      const drawn = (await values(normal)) as number[];
      expect(drawn.every((one) => one >= 3 && one <= 5)).to.equal(true);
      expect(new Set(drawn).size).to.equal(50);
    });

    it('has the lines of a file, to its end, fixed and calculated values, and code', async () => {
      const input = `${OLD}trick.mc_set_num_runs("10")
trick.mc_add_variable(trick.MonteVarFile("lab.x[0]", "own.txt", 1))
trick.mc_add_variable(trick.MonteVarFile("lab.far", "own.txt", 2, "ft"))
trick.mc_add_variable(trick.MonteVarFixed("lab.x[1]", 6.666))
trick.mc_add_variable(trick.MonteVarCalculated("lab.x[2]"))
trick.mc_add_variable(trick.MonteVarExecCode("more.py"))
lab.x[2] = 1.5
`;
      writeFileSync(join(directory, 'RUN_lab', 'own.txt'), '# x far\n 1.50\t3\n\n2 4');
      expect(await statements(input)).to.deep.equal(
        [
          ['1.50', '3'],
          ['2', '4'],
        ].map(([x, far]) => [
          `lab.x[0] = ${x}`,
          `lab.far = trick.attach_units("ft", ${far})`,
          'lab.x[1] = 6.666',
          'lab.x[2] = 1.5',
          'exec(open("more.py").read())',
        ]),
      );
      expect((await shown(input))[0]).to.deep.equal({
        'lab.x[0]': 1.5,
        'lab.far{ft}': 3,
        'lab.x[1]': 6.666,
        'lab.x[2]': 1.5,
      });
    });

    it('makes the runs of ranges, dry ones, and keeps the number of each', async () => {
      const study = await read(`${OLD}trick.mc_set_num_runs(10)
trick.mc_add_range(2, 4)
trick.mc_add_range(8)
trick.mc_set_dry_run(1)
trick.mc_set_timeout(7)
trick.mc_set_verbosity(trick.MonteCarlo.MC_ALL)
trick.mc_set_max_tries(1)
far = trick.MonteSlave("far")
far.set_S_main_name("S_main.exe")
trick_mc.mc.add_slave(far)
trick.mc_add_variable(trick.MonteVarFile("lab.x[0]", "data.txt", 1))
trick.mc_add_variable(trick.MonteVarFixed("lab.far", 1))
trick.mc_add_variable(trick.MonteVarFixed("lab.far", 2))
print(trick.mc_is_slave(), trick.mc_get_num_runs(), trick.mc_get_enabled(), trick.mc_get_current_run(), len(trick.mc_get_variables()))
`);
      expect([study.isDry, study.timeoutSeconds]).to.deep.equal([true, 7]);
      // The lines of the file that no run has are passed; the one that begins with / is data here.
      const runs = [...study.runs(100)];
      expect(runs.map(({ number, shown: { 'lab.x[0]': x } }) => [number, x])).to.deep.equal([
        [2, 10],
        [3, 20],
        [4, 30],
      ]);
      expect(runs[0]?.input.here?.runDirectory).to.equal(resolve('MONTE_RUN_lab/RUN_00002'));
      expect(said.at(-1)).to.equal('0 10 1 0 2');
      expect(said.join('\n')).to.match(
        /mc_set_verbosity is taken and does nothing: threads of this machine make the runs/,
      );
      expect(said.join('\n')).to.match(/mc_add_slave is taken[\s\S]*a Monte Carlo variable lab\.far already/);
    });
  });

  it('is left at a signal in the middle of the file, and so is a run of it', async () => {
    const inputFile = join(directory, 'RUN_lab', 'input.py');
    writeFileSync(inputFile, `${OLD}print("begins")\nwhile True:\n    lab.count = lab.count + 1\n`);
    for (const [runs, missing] of [
      [undefined, 0],
      [3, 3],
    ] as const) {
      const stop = new AbortController();
      const say = () => stop.abort(143);
      const given = runs === undefined ? {} : { runs };
      const table = await monteCarlo(LAB, { ...given, inputFile, say, signal: stop.signal });
      expect([table.rows, table.missing]).to.deep.equal([[], missing]);
    }
    writeFileSync(inputFile, 'print("begins")\nwhile True:\n    lab.count = lab.count + 1\n');
    const stop = new AbortController();
    const say = () => stop.abort(143);
    const left = await run(LAB, { inputFile, say, signal: stop.signal, read: ['lab.far'] });
    expect(left).to.deep.include({ isStopped: true, end: undefined, timeSeconds: 0, values: { 'lab.far': 0 } });
  });

  it('refuses what makes no runs, with a sentence', async () => {
    for (const [input, sentence] of [
      [
        `${OLD}trick.mc_add_variable(1)`,
        /line 3[\s\S]*mc_add_variable\(\) takes a variable such as trick\.MonteVarRandom/,
      ],
      [
        `${OLD}trick.mc_set_num_runs("a")`,
        /line 3[\s\S]*a setting of a Monte Carlo takes a whole number, True or False$/,
      ],
      [
        `${OLD}trick.mc_add_variable(trick.MonteVarFile("lab.far", "none.txt", 1))`,
        /^a Monte Carlo variable is read from a file: there is no file none\.txt$/,
      ],
      [
        `${OLD}trick.mc_add_variable(trick.MonteVarFile("lab.far", "/etc/passwd", 1))`,
        /is neither below the working directory nor beside/,
      ],
      [
        `${OLD}trick.mc_add_variable(trick.MonteVarFile("lab.far", "data.txt", 4))`,
        /^data\.txt has columns 1 to 3 in line 2, and lab\.far is in column 4$/,
      ],
      [
        `${OLD}trick.mc_add_variable(trick.MonteVarCalculated("lab.word"))`,
        /^lab\.word, which is calculated, is no number$/,
      ],
      [
        `${OLD}${RANDOM}.GAUSSIAN)\nv.set_mu(0)\nv.set_sigma(1)\nv.set_min(50)\nv.set_max(60)\ntrick.mc_add_variable(v)`,
        /^no value between 50 and 60 could be drawn for lab\.far, with the mean 0 and the deviation 1$/,
      ],
      [
        `${OLD}trick.mc_set_num_runs(float("nan"))`,
        /TypeError: a setting of a Monte Carlo takes a whole number, True or False$/,
      ],
      [`${NEW}${NORMAL}v.max_num_tries = float("inf")`, /TypeError: .*\.max_num_tries takes no such value$/],
      [
        `${OLD}${RANDOM}.POISSON)\nv.set_mu(1e18)\ntrick.mc_add_variable(v)`,
        /^lab\.far has the mean 1000000000000000000: POISSON takes one from 0 to 1000000$/,
      ],
      [
        `${NEW}add(trick.MonteCarloVariableRandomUniformInt("lab.count", 1, 0, 1e12))`,
        /takes whole numbers of 32 bits/,
      ],
      [
        `${OLD}trick.MonteVarRandom("lab.far", 9)`,
        /a distribution is trick\.MonteVarRandom\.GAUSSIAN, FLAT or POISSON/,
      ],
      [
        `${OLD}${NEW}${NORMAL}trick.mc_add_variable(trick.MonteVarFixed("lab.far", 1))`,
        /^monte_carlo\.mc_master is active, and lab\.far is a variable of trick_mc\.mc: one of the two makes runs$/,
      ],
      [`${NEW}${NORMAL}${NORMAL}`, /there are two settings of the Monte Carlo variable lab\.x\[0\]/],
      [
        `${NEW}add(trick.MonteCarloVariableFile("lab.far", "data.txt", 9))`,
        /^data\.txt has columns 1 to 3, and lab\.far is in column 9$/,
      ],
      [
        `${NEW}add(trick.MonteCarloVariableRandomStringSet("lab.word", 1))`,
        /^lab\.word has no strings: add_string adds them$/,
      ],
      [
        `${NEW}add(trick.MonteCarloVariableRandomUniformInt("lab.count", 1, 3, 2))`,
        /lab\.count takes whole numbers of 32 bits, and there are none from 3 to 2/,
      ],
      [
        `${NEW}add(trick.MonteCarloVariableSemiFixed("lab.far", trick.MonteCarloVariableFixed("lab.count", 1)))`,
        /^lab\.far takes the value of lab\.count, which is added before it$/,
      ],
    ] as const)
      expect(await refusal(input), input).to.match(sentence);
  });
});
