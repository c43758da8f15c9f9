// kRPC's TestService: the procedures, classes, enumerations and exceptions that its clients' test suites call.
import {
  BOOL,
  BYTES,
  type CalledProcedure,
  type Caller,
  type Condition,
  classOf,
  DOUBLE,
  dictionaryOf,
  EVENT,
  enumerationOf,
  FLOAT,
  type KrpcType,
  type KrpcValue,
  listOf,
  type Parameter,
  type Service,
  ServiceError,
  SINT32,
  SINT64,
  STRING,
  setOf,
  tupleOf,
  UINT32,
} from '../../lib/protocols/krpc/index.js';
import { failed, floatText, type TestObject, TestState } from './test-objects.js';

const NAME = 'TestService';
/** The clients' tests compare the name that the class has in kRPC's test server. */
const TEST_CLASS = classOf(NAME, 'TestClass', 'TestServer.TestService+TestClass');
const TEST_ENUM = enumerationOf(NAME, 'TestEnum');
/** After so many calls the procedures that throw later do. */
const CALLS_BEFORE_FAILURE = 100;

type Call = CalledProcedure['call'];
const take = (name: string, type: KrpcType, byDefault?: KrpcValue): Parameter =>
  byDefault === undefined ? { name, type } : { name, type, byDefault };
const nullable = (name: string, type: KrpcType): Parameter => ({ name, type, isNullable: true });
const self = take('this', TEST_CLASS);

const make = (
  name: string,
  parameters: readonly Parameter[],
  returns: KrpcType | undefined,
  call: Call,
): CalledProcedure => ({
  name,
  about: '',
  parameters,
  ...(returns ? { returns } : {}),
  call,
});
const documented = (about: string, procedure: CalledProcedure): CalledProcedure => ({ ...procedure, about });
const orNull = (procedure: CalledProcedure): CalledProcedure => ({ ...procedure, returnsNull: true });
const deprecated = (reason: string, about: string, procedure: CalledProcedure): CalledProcedure => ({
  ...procedure,
  about,
  deprecated: reason,
});

const object = (value: KrpcValue | undefined): TestObject => value as unknown as TestObject;
const textOrNull = (value: KrpcValue | undefined): string => (value === null ? 'null' : object(value).value);

const VALUES: readonly CalledProcedure[] = [
  documented(
    'Procedure documentation string.',
    make('FloatToString', [take('value', FLOAT)], STRING, (_, [value]) => floatText(value as number)),
  ),
  make('DoubleToString', [take('value', DOUBLE)], STRING, (_, [value]) => String(value)),
  make('Int32ToString', [take('value', SINT32)], STRING, (_, [value]) => String(value)),
  make('Int64ToString', [take('value', SINT64)], STRING, (_, [value]) => String(value)),
  make('BoolToString', [take('value', BOOL)], STRING, (_, [value]) => (value ? 'True' : 'False')),
  make('StringToInt32', [take('value', STRING)], SINT32, (_, [value]) => Number(value)),
  make('BytesToHexString', [take('value', BYTES)], STRING, (_, [value]) =>
    Buffer.from(value as Uint8Array).toString('hex'),
  ),
  make('AddMultipleValues', [take('x', FLOAT), take('y', SINT32), take('z', SINT64)], STRING, (_, [x, y, z]) =>
    floatText(Math.fround(Math.fround((x as number) + (y as number)) + Number(z))),
  ),
];

const propertiesOf = (state: TestState): readonly CalledProcedure[] => [
  documented(
    'Property documentation string.',
    make('get_StringProperty', [], STRING, () => state.text),
  ),
  documented(
    'Property documentation string.',
    make('set_StringProperty', [take('value', STRING)], undefined, (_, [value]) => {
      state.text = value as string;
      return undefined;
    }),
  ),
  make('set_StringPropertyPrivateGet', [take('value', STRING)], undefined, (_, [value]) => {
    state.hiddenText = value as string;
    return undefined;
  }),
  make('get_StringPropertyPrivateSet', [], STRING, () => state.shownText),
  orNull(make('get_ObjectProperty', [], TEST_CLASS, () => state.object)),
  make('set_ObjectProperty', [nullable('value', TEST_CLASS)], undefined, (_, [value]) => {
    state.object = value === null ? null : object(value);
    return undefined;
  }),
];

const OPTIONAL: readonly Parameter[] = [
  take('x', STRING),
  take('y', STRING, 'foo'),
  take('z', STRING, 'bar'),
  take('obj', TEST_CLASS, null),
];
const optionalText = ([x, y, z, other]: readonly KrpcValue[]): string => `${x}${y}${z}${textOrNull(other)}`;

const objectsOf = (state: TestState): readonly CalledProcedure[] => [
  make('CreateTestObject', [take('value', STRING)], TEST_CLASS, (_, [value]) => state.objectOf(value as string)),
  orNull(make('EchoTestObject', [nullable('value', TEST_CLASS)], TEST_CLASS, (_, [value]) => value)),
  make('ReturnNullWhenNotAllowed', [], TEST_CLASS, () => null),
  make('OptionalArguments', OPTIONAL, STRING, (_, given) => optionalText(given)),
  make(
    'AddToObjectList',
    [take('l', listOf(TEST_CLASS)), take('value', STRING)],
    listOf(TEST_CLASS),
    (_, [all, value]) => [...(all as readonly KrpcValue[]), state.objectOf(value as string)],
  ),
];

const METHODS: readonly CalledProcedure[] = [
  documented(
    'Method documentation string.',
    make('TestClass_GetValue', [self], STRING, (_, [me]) => `value=${object(me).value}`),
  ),
  make(
    'TestClass_FloatToString',
    [self, take('x', FLOAT)],
    STRING,
    (_, [me, x]) => object(me).value + floatText(x as number),
  ),
  make(
    'TestClass_ObjectToString',
    [self, nullable('other', TEST_CLASS)],
    STRING,
    (_, [me, other]) => object(me).value + textOrNull(other),
  ),
  documented(
    'Property documentation string.',
    make('TestClass_get_IntProperty', [self], SINT32, (_, [me]) => object(me).integer),
  ),
  documented(
    'Property documentation string.',
    make('TestClass_set_IntProperty', [self, take('value', SINT32)], undefined, (_, [me, value]) => {
      object(me).integer = value as number;
      return undefined;
    }),
  ),
  orNull(make('TestClass_get_ObjectProperty', [self], TEST_CLASS, (_, [me]) => object(me).other)),
  make('TestClass_set_ObjectProperty', [self, nullable('value', TEST_CLASS)], undefined, (_, [me, value]) => {
    object(me).other = value === null ? null : object(value);
    return undefined;
  }),
  make('TestClass_set_StringPropertyPrivateGet', [self, take('value', STRING)], undefined, (_, [me, value]) => {
    object(me).value = value as string;
    return undefined;
  }),
  make('TestClass_get_StringPropertyPrivateSet', [self], STRING, (_, [me]) => object(me).value),
  make('TestClass_OptionalArguments', [self, ...OPTIONAL], STRING, (_, [, ...given]) => optionalText(given)),
  make(
    'TestClass_static_StaticMethod',
    [take('a', STRING, ''), take('b', STRING, '')],
    STRING,
    (_, [a, b]) => `jeb${a}${b}`,
  ),
];

const ENUMERATIONS: readonly CalledProcedure[] = [
  make('EnumReturn', [], TEST_ENUM, () => 1),
  make('EnumEcho', [take('x', TEST_ENUM)], TEST_ENUM, (_, [x]) => x),
  make('EnumDefaultArg', [take('x', TEST_ENUM, 2)], TEST_ENUM, (_, [x]) => x),
];

const increment = (value: KrpcValue): KrpcValue => (typeof value === 'bigint' ? value + 1n : (value as number) + 1);
const incrementAll = (values: KrpcValue): KrpcValue[] => Array.from(values as Iterable<KrpcValue>, increment);
const mapped = (value: KrpcValue | undefined, change: (held: KrpcValue) => KrpcValue): KrpcValue =>
  new Map(Array.from(value as ReadonlyMap<KrpcValue, KrpcValue>, ([key, held]) => [key, change(held)] as const));

const COUNTS = dictionaryOf(STRING, SINT32);
const NESTED = dictionaryOf(STRING, listOf(SINT32));
const PAIR = tupleOf(SINT32, SINT64);
const echo: Call = (_, [x]) => x;

const COLLECTIONS: readonly CalledProcedure[] = [
  make('IncrementList', [take('l', listOf(SINT32))], listOf(SINT32), (_, [l = []]) => incrementAll(l)),
  make('IncrementDictionary', [take('d', COUNTS)], COUNTS, (_, [d]) => mapped(d, increment)),
  make('IncrementSet', [take('h', setOf(SINT32))], setOf(SINT32), (_, [h = []]) => new Set(incrementAll(h))),
  make('IncrementTuple', [take('t', PAIR)], PAIR, (_, [t = []]) => incrementAll(t)),
  make('IncrementNestedCollection', [take('d', NESTED)], NESTED, (_, [d]) => mapped(d, incrementAll)),
  make('TupleDefault', [take('x', tupleOf(SINT32, BOOL), [1, false])], tupleOf(SINT32, BOOL), echo),
  make('ListDefault', [take('x', listOf(SINT32), [1, 2, 3])], listOf(SINT32), echo),
  make('SetDefault', [take('x', setOf(SINT32), new Set([1, 2, 3]))], setOf(SINT32), echo),
  make(
    'DictionaryDefault',
    [
      take(
        'x',
        dictionaryOf(SINT32, BOOL),
        new Map([
          [1, false],
          [2, true],
        ]),
      ),
    ],
    dictionaryOf(SINT32, BOOL),
    echo,
  ),
];

/** Takes one tick for each step. */
async function blocking(caller: Caller, steps: number, sum: number): Promise<number> {
  let total = sum;
  for (let left = steps; left > 0; left--) {
    await caller.nextTick();
    total += left;
  }
  return total;
}

const timed = (state: TestState): readonly CalledProcedure[] => [
  make('BlockingProcedure', [take('n', SINT32), take('sum', SINT32, 0)], SINT32, (caller, [n, sum]) =>
    blocking(caller, n as number, sum as number),
  ),
  make('Counter', [take('id', STRING, ''), take('divisor', SINT32, 1)], SINT32, ({ id }, [name, divisor]) => {
    const key = `${Buffer.from(id).toString('hex')} ${name}`;
    const count = (state.counters.get(key) ?? 0) + 1;
    state.counters.set(key, count);
    return Math.trunc(count / (divisor as number));
  }),
  make(
    'OnTimer',
    [take('milliseconds', UINT32), take('repeats', UINT32, 1)],
    EVENT,
    ({ streams }, [millis, repeats]) => ({
      streamId: streams.addEvent(timer(millis as number, repeats as number)),
    }),
  ),
  make('OnTimerUsingLambda', [take('milliseconds', UINT32)], EVENT, ({ streams }, [millis]) => ({
    streamId: streams.addEvent(timer(millis as number, 1)),
  })),
];

/** Met in one frame after each period; the periods follow each other without a gap. */
function timer(millis: number, repeats: number): Condition {
  const startMillis = performance.now();
  let told = 0;
  return {
    isMet: () => {
      if (told >= repeats || performance.now() - startMillis < (told + 1) * millis) return false;
      told++;
      return true;
    },
    get isOver() {
      return told >= repeats;
    },
  };
}

const customFailure = (): ServiceError => new ServiceError(NAME, 'CustomException', 'A custom kRPC exception');
const throws = (name: string, parameters: readonly Parameter[], error: () => Error): CalledProcedure =>
  make(name, parameters, SINT32, () => {
    throw error();
  });

const failures = (state: TestState): readonly CalledProcedure[] => [
  throws('ThrowInvalidOperationException', [], () => failed('InvalidOperationException', 'Invalid operation')),
  make('ResetInvalidOperationExceptionLater', [], undefined, () => {
    state.invalidOperations = 0;
    return undefined;
  }),
  make('ThrowInvalidOperationExceptionLater', [], SINT32, () => {
    if (state.invalidOperations > CALLS_BEFORE_FAILURE) throw failed('InvalidOperationException', 'Invalid operation');
    state.invalidOperations++;
    return 0;
  }),
  throws('ThrowArgumentException', [], () => failed('ArgumentException', 'Invalid argument')),
  throws('ThrowArgumentNullException', [take('foo', STRING)], () =>
    failed('ArgumentNullException', 'Value cannot be null. It is called foo.'),
  ),
  throws('ThrowArgumentOutOfRangeException', [take('foo', SINT32)], () =>
    failed('ArgumentOutOfRangeException', 'Specified argument was out of the range of valid values. It is called foo.'),
  ),
  throws('ThrowCustomException', [], customFailure),
  make('ResetCustomExceptionLater', [], undefined, () => {
    state.customFailures = 0;
    return undefined;
  }),
  make('ThrowCustomExceptionLater', [], SINT32, () => {
    if (state.customFailures > CALLS_BEFORE_FAILURE) throw customFailure();
    state.customFailures++;
    return 0;
  }),
];

const DEPRECATED_CLASS = classOf(NAME, 'DeprecatedClass');

const deprecations = (state: TestState): readonly CalledProcedure[] => [
  deprecated(
    'Use FloatToString instead.',
    'Deprecated procedure documentation string.',
    make('DeprecatedProcedure', [take('value', FLOAT)], STRING, (_, [value]) => floatText(value as number)),
  ),
  deprecated(
    '',
    'Deprecated procedure with no reason documentation string.',
    make('DeprecatedProcedureNoMessage', [take('value', FLOAT)], STRING, (_, [value]) => floatText(value as number)),
  ),
  deprecated(
    'Use StringProperty instead.',
    'Deprecated property documentation string.',
    make('get_DeprecatedProperty', [], STRING, () => state.deprecatedText),
  ),
  deprecated(
    'Use StringProperty instead.',
    'Deprecated property documentation string.',
    make('set_DeprecatedProperty', [take('value', STRING)], undefined, (_, [value]) => {
      state.deprecatedText = value as string;
      return undefined;
    }),
  ),
  deprecated(
    'Use TestClass.GetValue instead.',
    'Deprecated method documentation string.',
    make('DeprecatedClass_DeprecatedMethod', [take('this', DEPRECATED_CLASS)], STRING, () => 'value'),
  ),
];

/** A test service with a state of its own. */
export function testService(): Service {
  const state = new TestState();
  return {
    name: NAME,
    id: 9999,
    about: 'Service documentation string.',
    procedures: [
      ...VALUES,
      ...propertiesOf(state),
      ...objectsOf(state),
      ...ENUMERATIONS,
      ...COLLECTIONS,
      ...timed(state),
      ...failures(state),
      ...deprecations(state),
      ...METHODS,
    ],
    classes: [
      { name: 'TestClass', about: 'Class documentation string.' },
      {
        name: 'DeprecatedClass',
        about: 'Deprecated class documentation string.',
        deprecated: 'Use TestClass instead.',
      },
    ],
    enumerations: [
      {
        name: 'TestEnum',
        about: 'Enum documentation string.',
        values: ['ValueA', 'ValueB', 'ValueC'].map((name, value) => ({
          name,
          about: `Enum ${name} documentation string.`,
          value,
        })),
      },
      {
        name: 'DeprecatedEnum',
        about: 'Deprecated enum documentation string.',
        deprecated: 'Use TestEnum instead.',
        values: [
          { name: 'ValueA', about: 'Deprecated enum ValueA documentation string.', value: 0 },
          {
            name: 'ValueB',
            about: 'Deprecated enum ValueB documentation string.',
            value: 1,
            deprecated: 'Use ValueA instead.',
          },
        ],
      },
    ],
    exceptions: [
      { name: 'CustomException', about: '' },
      {
        name: 'DeprecatedException',
        about: 'Deprecated exception documentation string.',
        deprecated: 'Use CustomException instead.',
      },
    ],
  };
}
