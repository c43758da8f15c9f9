// The module `datetime`: moments and durations to compute with, and the time of the clock.
import { bind } from './bind.js';
import { ScriptError } from './error.js';
import { fixedModule } from './modules.js';
import { inUnits } from './quantities.js';
import { only } from './signature.js';
import { DAY, DateTime, Duration, SECOND, wholeMicros } from './time-values.js';
import { typeName } from './type-name.js';
import {
  type Arguments,
  arithmetic,
  type Callable,
  ClassValue,
  type ModuleValue,
  plain,
  Quantity,
  type ScriptValue,
} from './values.js';

/** The parts of a duration: microseconds of one, and its units. */
const PARTS = [
  ['days', DAY, 'day'],
  ['seconds', SECOND, 's'],
  ['microseconds', 1n, 'us'],
  ['milliseconds', 1000n, 'ms'],
  ['minutes', 60n * SECOND, 'min'],
  ['hours', 3600n * SECOND, 'hr'],
  ['weeks', 7n * DAY, '7*(day)'],
] as const;

function makeDuration(args: Arguments): Duration {
  const given = bind(
    'timedelta',
    PARTS.map(([name]) => ({ name, standard: 0n })),
    args,
  );
  let micros = 0n;
  for (const [index, [name, factor, units]] of PARTS.entries())
    micros += microsIn(given[index] as ScriptValue, name, factor, units);
  return new Duration(micros);
}

function microsIn(value: ScriptValue, name: string, factor: bigint, units: string): bigint {
  const number = arithmetic(value instanceof Quantity && value.hasUnits ? inUnits(value, units) : plain(value));
  if (typeof number === 'bigint') return number * factor;
  if (number === undefined)
    throw new ScriptError('TypeError', `unsupported type for timedelta ${name} component: ${typeName(value)}`);
  // Whole numbers first: their product is exact.
  const whole = wholeMicros(Math.trunc(number));
  return whole * factor + wholeMicros((number - Math.trunc(number)) * Number(factor));
}

/** The fields of a moment, with their bounds. */
const FIELDS = [
  { name: 'year', least: 1, most: 9999 },
  { name: 'month', least: 1, most: 12 },
  { name: 'day', least: 1, most: 31 },
  { name: 'hour', least: 0, most: 23, standard: 0n },
  { name: 'minute', least: 0, most: 59, standard: 0n },
  { name: 'second', least: 0, most: 59, standard: 0n },
  { name: 'microsecond', least: 0, most: 999_999, standard: 0n },
];

function makeMoment(args: Arguments): DateTime {
  const fields = bind('datetime', FIELDS, args).map((value, index) =>
    fieldIn(value, FIELDS[index] as (typeof FIELDS)[0]),
  );
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, microsecond = 0] = fields;
  // Date.UTC takes years below 100 for those of the last century.
  const date = new Date(Date.UTC(2000, 0, 1, hour, minute, second));
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCDate() !== day) throw new ScriptError('ValueError', 'day is out of range for month');
  return new DateTime(BigInt(date.getTime()) * 1000n + BigInt(microsecond));
}

function fieldIn(value: ScriptValue, { name, least, most }: (typeof FIELDS)[0]): number {
  const number = arithmetic(plain(value));
  if (typeof number !== 'bigint')
    throw new ScriptError('TypeError', `'${typeName(value)}' object cannot be interpreted as an integer`);
  if (number >= least && number <= most) return Number(number);
  if (name === 'year') throw new ScriptError('ValueError', `year ${number} is out of range`);
  throw new ScriptError(
    'ValueError',
    name === 'day' ? 'day is out of range for month' : `${name} must be in ${least}..${most}`,
  );
}

/** @param read milliseconds of the fields of the clock. */
const clock = (name: string, read: () => number): readonly [string, Callable] => [
  name,
  {
    kind: 'callable',
    name,
    call: (args) => {
      only(name, args, 0, 0);
      return new DateTime(BigInt(read()) * 1000n);
    },
  },
];

const localMillis = (): number => {
  const now = new Date();
  return now.getTime() - now.getTimezoneOffset() * 60_000;
};

const CLOCKS: ReadonlyMap<string, ScriptValue> = new Map([
  clock('now', localMillis),
  clock('today', localMillis),
  clock('utcnow', Date.now),
]);

class MomentClass extends ClassValue {
  override attribute(name: string): ScriptValue | undefined {
    return CLOCKS.get(name);
  }
}

export const datetimeModule: ModuleValue = fixedModule('datetime', {
  datetime: new MomentClass('datetime.datetime', makeMoment),
  timedelta: new ClassValue('datetime.timedelta', makeDuration),
});
