// The module `trick.unit_test`: expectations in input files; those that fail are printed.
import { compare, outcomeOf } from './comparison.js';
import { ScriptError } from './error.js';
import { fixedModule } from './modules.js';
import { toReal } from './number-of.js';
import { binary } from './operators.js';
import { only } from './signature.js';
import {
  type Callable,
  isTrue,
  type ModuleValue,
  plain,
  type Run,
  type ScriptValue,
  type Tools,
  typeName,
} from './values.js';
import { textOf } from './variable-text.js';

/** Whether some values are as expected. */
type Expectation = (values: readonly ScriptValue[], tools: Tools) => Run<boolean>;

const compared =
  (operator: '==' | '!=' | '<' | '<=' | '>' | '>='): Expectation =>
  ([a = null, b = null], { meter }) =>
    outcomeOf(compare(operator, a, b, meter));

/** The difference is in the units of the first value. */
// biome-ignore lint/correctness/useYield: an expectation that never has to wait
function* isNear([a = null, b = null, tolerance = null]: readonly ScriptValue[], { meter }: Tools): Run<boolean> {
  return Math.abs(toReal(binary('-', a, b, meter))) < toReal(tolerance);
}

const truth = (wanted: boolean): Expectation =>
  // biome-ignore lint/correctness/useYield: an expectation that never has to wait
  function* ([value = null]) {
    return isTrue(value) === wanted;
  };

/** Each with its number of values; the names of a suite and of a case follow the values. */
const EXPECTATIONS: Readonly<Record<string, readonly [count: number, holds: Expectation]>> = {
  TRUE: [1, truth(true)],
  FALSE: [1, truth(false)],
  EQ: [2, compared('==')],
  NE: [2, compared('!=')],
  LT: [2, compared('<')],
  LE: [2, compared('<=')],
  GT: [2, compared('>')],
  GE: [2, compared('>=')],
  NEAR: [3, isNear],
};

function expecting(name: string, count: number, holds: Expectation): Callable {
  const called = `TRICK_EXPECT_${name}`;
  function* call(args: Parameters<Callable['call']>[0], tools: Tools): Run<ScriptValue> {
    const given = only(called, args, count + 2, count + 2);
    const values = given.slice(0, count);
    const [suite, testCase] = given.slice(count).map(nameIn);
    if (yield* holds(values, tools)) return null;
    const shown: string[] = [];
    for (const value of values) shown.push(yield* textOf(plain(value), tools));
    tools.write(`${called} failed in ${suite} ${testCase}: ${shown.join(', ')}\n`);
    return null;
  }
  return { kind: 'callable', name: called, takesElements: true, call };
}

function nameIn(value: ScriptValue): string {
  if (typeof value === 'string') return value;
  throw new ScriptError('TypeError', `a test is named by a text, not ${typeName(value)}`);
}

export const unitTestModule: ModuleValue = fixedModule(
  'trick.unit_test',
  Object.fromEntries(
    Object.entries(EXPECTATIONS).map(([name, [count, holds]]) => [
      `TRICK_EXPECT_${name}`,
      expecting(name, count, holds),
    ]),
  ),
);

const quiet = (name: string, least: number, most: number): Callable => ({
  kind: 'callable',
  name,
  call: (args) => {
    only(name, args, least, most);
    return null;
  },
});

/** `trick_utest.unit_tests`: no report is written; a failed expectation is printed at once. */
export const unitTestService: ModuleValue = fixedModule('trick_utest', {
  unit_tests: fixedModule('trick_utest.unit_tests', {
    enable: quiet('enable', 0, 0),
    disable: quiet('disable', 0, 0),
    set_file_name: quiet('set_file_name', 1, 1),
    set_test_name: quiet('set_test_name', 1, 1),
  }),
});
