// Expectations in input files: the module `trick.unit_test`, and what Trick's unit tests are told. Trick: UnitTest.cpp
import {
  binary,
  type Callable,
  compare,
  fixedModule,
  isTrue,
  type ModuleValue,
  only,
  outcomeOf,
  plain,
  type Run,
  ScriptError,
  type ScriptValue,
  type Tools,
  textOf,
  toReal,
  typeName,
} from '../../python/index.js';
import { type Command, type CommandContext, command, contextOf } from './command.js';

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
    const [suite = '', testCase = ''] = given.slice(count).map(nameIn);
    if (yield* holds(values, tools)) return null;
    const shown: string[] = [];
    for (const value of values) shown.push(yield* textOf(plain(value), tools));
    tools.write(`${called} failed in ${suite} ${testCase}: ${shown.join(', ')}\n`);
    noteFailure(contextOf(tools));
    return null;
  }
  return { kind: 'callable', name: called, takesElements: true, call };
}

/** The operator's tests, once they are enabled, end the run with exit code 1. */
function noteFailure({ server, owner, submit }: CommandContext): void {
  if (owner !== '') return;
  server.tests.hasFailed = true;
  if (server.tests.isEnabled) submit(FAILED);
}

const FAILED = { kind: 'control', control: { action: 'failed-tests' } } as const;

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

const method = (name: string, count: number, run?: (context: CommandContext) => void): Callable => ({
  kind: 'callable',
  name,
  call: (args, tools) => {
    only(name, args, count, count);
    run?.(contextOf(tools));
    return null;
  },
});

function enable({ server, owner, submit }: CommandContext): void {
  if (owner !== '') return;
  server.tests.isEnabled = true;
  if (server.tests.hasFailed) submit(FAILED);
}

/** `trick_utest.unit_tests`: no report is written; a failed expectation is printed at once. */
export const unitTestService: ModuleValue = fixedModule('trick_utest', {
  unit_tests: fixedModule('trick_utest.unit_tests', {
    enable: method('enable', 0, enable),
    disable: method('disable', 0),
    set_file_name: method('set_file_name', 1),
    set_test_name: method('set_test_name', 1),
  }),
});

const testSuite = { name: 'test_suite', type: 'text' } as const;
const testCase = { name: 'test_case', type: 'text' } as const;

/** Trick: UnitTest_c_intf.cpp */
export const unitTestCommands: readonly Command[] = [
  command(
    'add_test_result',
    [testSuite, testCase, { name: 'failure_string', type: 'text' }],
    'Notes that a test has held, with an empty text, or prints why it failed; failed tests of an input file give exit code 1.',
    (context, [suite, name, failure]) => {
      if (failure === '') return;
      const line = `${suite} ${name} failed: ${failure}\n`;
      context.spendOutput(line.length);
      context.session.stdio.write('stdout', line);
      noteFailure(context);
    },
  ),
  command('trick_test_enable', [], 'As trick_utest.unit_tests.enable(): failed tests give exit code 1.', enable),
];
