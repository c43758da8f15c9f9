// Compiled conditions say what the interpreter says, or nothing.
import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '../../../testing/aids/run-counts.js';
import { bareHost } from '../../../testing/aids/script-program.js';
import {
  BLOCK_LIMITS,
  compiled,
  type Expression,
  fixedModule,
  Interpreter,
  isTrue,
  Meter,
  mathModule,
  parseBlock,
  Quantity,
  type ScriptValue,
  withValues,
} from '../../python/index.js';
import { CONDITION_MODULES } from './conditions-here.js';
import { DOUBLE, SimulationVariable } from './simulation-variable.js';

const VARIABLES: Readonly<Record<string, ScriptValue>> = {
  'fx.d': new Quantity(2.5, 'm', DOUBLE),
  'fx.i': new Quantity(5n, 'cm', DOUBLE),
  'fx.plain': new Quantity(-3, '1', DOUBLE),
  'fx.on': new Quantity(true, '1', DOUBLE),
  'fx.name': 'Orion',
  'fx.list[1]': new Quantity(1e300, 's', DOUBLE),
};
const trick = fixedModule('trick', {
  FLYING: 5n,
  exec_get_sim_time: { kind: 'callable', name: 'exec_get_sim_time', call: () => 5n },
});

const treeOf = (text: string): Expression => {
  const [statement] = parseBlock(text).tree?.body ?? [];
  if (statement?.kind !== 'expression-statement') throw new Error(`${text} is no expression`);
  return statement.value;
};

/** What the interpreter says; undefined for an error. */
function interpreted(text: string, names = new Map<string, ScriptValue>()): boolean | undefined {
  const bare = bareHost(names, () => undefined);
  const surroundings = {
    ...bare,
    modules: new Map([...bare.modules, ['trick', trick]]),
    variable: (path: string) => VARIABLES[path] ?? (/^fx(\.list)?$/.test(path) ? holder(path) : undefined),
  };
  const run = new Interpreter(surroundings, new Meter(BLOCK_LIMITS, () => 0)).evaluate(treeOf(text));
  try {
    for (let step = run.next(); ; step = run.next()) if (step.done) return isTrue(step.value);
  } catch {
    return undefined;
  }
}

const holder = (path: string): SimulationVariable =>
  new SimulationVariable(path, { path, type: { kind: 'struct' } } as never);

const decided = (text: string, names = new Map<string, ScriptValue>()): boolean | undefined => {
  const modules = new Map<string, ScriptValue>([
    ['trick', trick],
    ['math', mathModule],
  ]);
  const closed = withValues(treeOf(text), (name) => names.get(name) ?? modules.get(name), CONDITION_MODULES);
  if (!closed) return undefined;
  const seen = {
    variable: (path: string) => () => VARIABLES[path],
    function: (path: string) => (path === 'trick.exec_get_sim_time' ? () => 5n : undefined),
    modules: CONDITION_MODULES,
  };
  return compiled(structuredClone(closed), seen)();
};

describe('a compiled condition', () => {
  const one = (choices: readonly string[]) => fc.constantFrom(...choices);
  const { condition } = fc.letrec<{ condition: string }>((tie) => {
    const inner = tie('condition');
    const leaf = one([
      ...Object.keys(VARIABLES),
      ...[
        '0',
        '1',
        '-2',
        '2.5',
        '1e308',
        '10**30',
        '5',
        'True',
        'None',
        '"Orion"',
        '"x" * 9',
        '[1, 2]',
        '(5, 2.5)',
        'b"a"',
      ],
      ...['trick.exec_get_sim_time()', 'math.pi', 'fx.nosuch', 'fx', 'nosuch', 'limit', 'fx.name.upper()', 'f"{fx.d}"'],
    ]);
    const operator = one('< <= > >= == != + - * / // % ** and or in is'.split(' '));
    return {
      condition: fc.oneof(
        { maxDepth: 4, withCrossShrink: true },
        leaf,
        fc.tuple(inner, operator, inner).map(([a, by, b]) => `(${a}) ${by} (${b})`),
        fc.tuple(one(['not', '-', '~']), inner).map(([sign, a]) => `${sign} (${a})`),
        fc
          .tuple(
            one('abs min max round int float bool len math.sqrt math.fabs sum print'.split(' ')),
            fc.array(inner, { minLength: 1, maxLength: 2 }),
          )
          .map(([name, args]) => `${name}(${args.join(', ')})`),
        fc.tuple(inner, inner, inner).map(([a, b, c]) => `(${a}) if (${b}) else (${c})`),
        fc.tuple(inner, inner, inner).map(([a, b, c]) => `(${a}) <= (${b}) < (${c})`),
      ),
    };
  });

  it('is what the interpreter says, or nothing', () => {
    const names = new Map<string, ScriptValue>([['limit', 3.5]]);
    let known = 0;
    fc.assert(
      fc.property(condition, (text) => {
        const found = decided(text, names);
        if (found === undefined) return;
        known++;
        expect(found, text).to.equal(interpreted(text, names));
      }),
      { numRuns: runs(10_000) },
    );
    expect(known).to.be.above(runs(10_000) / 20);
  });

  it('knows what conditions of events are made of', () => {
    const conditions: [string, boolean][] = [
      ['fx.d >= 0.55', true],
      ['fx.d > fx.i', true],
      ['fx.i > fx.d', false],
      ['trick.exec_get_sim_time() == 5', true],
      ['fx.name == "Orion" and not fx.plain > 0', true],
      ['abs(fx.plain) < 4 <= fx.list[1]', true],
      ['fx.on', true],
      ['fx.i == trick.FLYING', true],
      ['fx.d < math.pi', true],
      ['False', false],
      ['fx.d in (1, 2.5)', true],
      ['math.sqrt(fx.d * fx.d) > limit', false],
      ['"%s" == 5 if fx.on else None', false],
    ];
    const names = new Map<string, ScriptValue>([
      ['limit', 3.5],
      ['math', mathModule],
    ]);
    for (const [text, holds] of conditions) {
      expect(decided(text, names), text).to.equal(holds);
      expect(interpreted(text, names), text).to.equal(holds);
    }
  });

  it('leaves to the interpreter what fails, prints, runs long or depends on a session', () => {
    for (const text of [
      'fx.nosuch > 1',
      'nosuch',
      'fx.name > 5',
      'print(1)',
      'fx',
      'open("x")',
      'trick.var_add("fx.d")',
      '"x" * 10**9 == 1',
      '10**10**8 > 1',
      '[1 for k in [1]]',
      'limit > 1',
      'min(range(10**9))',
    ])
      expect(decided(text, new Map<string, ScriptValue>([['limit', new Quantity(1, 'm', DOUBLE)]])), text).to.equal(
        undefined,
      );
  });
});
