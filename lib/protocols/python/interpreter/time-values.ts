// The values of the module `datetime`: moments of the calendar, without a time zone, and durations.
import type { BinaryOperator } from '../grammar/index.js';
import { ScriptError } from './error.js';
import type { Meter } from './meter.js';
import { only } from './signature.js';
import { type Arguments, arithmetic, type Callable, HostObject, plain, type ScriptValue } from './values.js';

export const SECOND = 1_000_000n;
export const DAY = 86_400n * SECOND;
const LEAST_MOMENT = BigInt(Date.UTC(2001, 0, 1) - 730_485 * 86_400_000) * 1000n;
const MOST_MOMENT = BigInt(Date.UTC(10_000, 0, 1)) * 1000n;
const MOST_DAYS = 999_999_999n;

type Attributes = Readonly<Record<string, ScriptValue>>;

const method = (name: string, call: Callable['call']): Callable => ({ kind: 'callable', name, call });
const none = (name: string, args: Arguments): void => void only(name, args, 0, 0);
const floor = (a: bigint, b: bigint): bigint => (a % b < 0n ? a / b - 1n : a / b);
const digits = (value: bigint | number, width: number): string => `${value}`.padStart(width, '0');
const fraction = (micros: bigint): string => (micros === 0n ? '' : `.${digits(micros, 6)}`);

/** @param micros microseconds: since 1970 of a moment, and of a duration its length. */
export abstract class TimeValue extends HostObject {
  abstract readonly text: string;
  protected abstract attributes(): Attributes;

  constructor(readonly micros: bigint) {
    super();
  }

  override attribute(name: string): ScriptValue | undefined {
    const all = this.attributes();
    return Object.hasOwn(all, name) ? all[name] : undefined;
  }

  override names(): Iterable<string> {
    return Object.keys(this.attributes());
  }
}

/** `datetime.timedelta` */
export class Duration extends TimeValue {
  readonly typeName = 'datetime.timedelta';

  constructor(micros: bigint) {
    super(micros);
    const days = floor(micros, DAY);
    if (days > MOST_DAYS || days < -MOST_DAYS)
      throw new ScriptError('OverflowError', `days=${days}; must have magnitude <= ${MOST_DAYS}`);
  }

  get text(): string {
    const days = floor(this.micros, DAY);
    const rest = this.micros - days * DAY;
    const seconds = rest / SECOND;
    const clock = `${seconds / 3600n}:${digits((seconds / 60n) % 60n, 2)}:${digits(seconds % 60n, 2)}${fraction(rest % SECOND)}`;
    return days === 0n ? clock : `${days} day${days === 1n || days === -1n ? '' : 's'}, ${clock}`;
  }

  protected attributes(): Attributes {
    const days = floor(this.micros, DAY);
    const rest = this.micros - days * DAY;
    return {
      days,
      seconds: rest / SECOND,
      microseconds: rest % SECOND,
      total_seconds: method('total_seconds', (args) => {
        none('total_seconds', args);
        return Number(this.micros) / 1e6;
      }),
    };
  }
}

/** `datetime.datetime` */
export class DateTime extends TimeValue {
  readonly typeName = 'datetime.datetime';

  constructor(micros: bigint) {
    super(micros);
    if (micros < LEAST_MOMENT || micros >= MOST_MOMENT)
      throw new ScriptError('OverflowError', 'date value out of range');
  }

  /** Its fields are those of UTC. */
  get date(): Date {
    return new Date(Number(floor(this.micros, 1000n)));
  }

  get text(): string {
    return this.iso(' ');
  }

  private iso(separator: string): string {
    const date = this.date.toISOString();
    return `${date.slice(0, 10)}${separator}${date.slice(11, 19)}${fraction(this.subsecond)}`;
  }

  get subsecond(): bigint {
    return this.micros - floor(this.micros, SECOND) * SECOND;
  }

  protected attributes(): Attributes {
    const { date, subsecond } = this;
    return {
      year: BigInt(date.getUTCFullYear()),
      month: BigInt(date.getUTCMonth() + 1),
      day: BigInt(date.getUTCDate()),
      hour: BigInt(date.getUTCHours()),
      minute: BigInt(date.getUTCMinutes()),
      second: BigInt(date.getUTCSeconds()),
      microsecond: subsecond,
      weekday: method('weekday', (args) => {
        none('weekday', args);
        return BigInt((date.getUTCDay() + 6) % 7);
      }),
      isoformat: method('isoformat', (args) => {
        const [separator = 'T'] = only('isoformat', args, 0, 1);
        return this.iso(requireText(separator));
      }),
      strftime: method('strftime', (args, { meter }) => {
        const [format = null] = only('strftime', args, 1, 1);
        return formatted(this, requireText(format), meter);
      }),
      timestamp: method('timestamp', (args) => {
        none('timestamp', args);
        return this.localMillis / 1000 + Number(this.subsecond % 1000n) / 1e6;
      }),
    };
  }

  /** Milliseconds since 1970 when its fields are those of the clock on the wall. */
  private get localMillis(): number {
    const { date } = this;
    const local = new Date(date.getTime());
    local.setFullYear(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate());
    local.setHours(date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds(), date.getUTCMilliseconds());
    return local.getTime();
  }
}

const WEEKDAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');
const MONTHS = 'January February March April May June July August September October November December'.split(' ');

function dayOfYear(date: Date): number {
  const first = new Date(date.getTime());
  first.setUTCMonth(0, 1);
  return Math.round((date.getTime() - first.getTime()) / 86_400_000) + 1;
}

const DIRECTIVES: Readonly<Record<string, (date: Date, subsecond: bigint) => string>> = {
  Y: (date) => `${date.getUTCFullYear()}`,
  y: (date) => digits(date.getUTCFullYear() % 100, 2),
  m: (date) => digits(date.getUTCMonth() + 1, 2),
  d: (date) => digits(date.getUTCDate(), 2),
  j: (date) => digits(dayOfYear(date), 3),
  H: (date) => digits(date.getUTCHours(), 2),
  I: (date) => digits(date.getUTCHours() % 12 || 12, 2),
  p: (date) => (date.getUTCHours() < 12 ? 'AM' : 'PM'),
  M: (date) => digits(date.getUTCMinutes(), 2),
  S: (date) => digits(date.getUTCSeconds(), 2),
  f: (_, subsecond) => digits(subsecond, 6),
  B: (date) => MONTHS[date.getUTCMonth()] as string,
  b: (date) => (MONTHS[date.getUTCMonth()] as string).slice(0, 3),
  A: (date) => WEEKDAYS[date.getUTCDay()] as string,
  a: (date) => (WEEKDAYS[date.getUTCDay()] as string).slice(0, 3),
  '%': () => '%',
};
const LONGEST_FORMAT = 1000;

function formatted({ date, subsecond }: DateTime, format: string, meter: Meter): string {
  if (format.length > LONGEST_FORMAT)
    throw new ScriptError('ValueError', `the format of a time is limited to ${LONGEST_FORMAT} characters`);
  meter.allocate(10 * format.length);
  return format.replace(/%([\s\S]?)/g, (directive, letter: string) => {
    if (Object.hasOwn(DIRECTIVES, letter)) return (DIRECTIVES[letter] as (typeof DIRECTIVES)[string])(date, subsecond);
    const known = Object.keys(DIRECTIVES).map((each) => `%${each}`);
    throw new ScriptError(
      'ValueError',
      `there is no ${directive} in the format of a time; there are ${known.join(' ')}`,
    );
  });
}

function requireText(value: ScriptValue): string {
  if (typeof value === 'string') return value;
  throw new ScriptError('TypeError', 'a format is a text');
}

/** What an operator makes of moments, durations and numbers; undefined when it makes nothing of them. */
export function combinedTimes(
  operator: BinaryOperator,
  left: ScriptValue,
  right: ScriptValue,
): ScriptValue | undefined {
  if (left instanceof DateTime) return withMoment(operator, left, right);
  if (right instanceof DateTime)
    return left instanceof Duration && operator === '+' ? new DateTime(left.micros + right.micros) : undefined;
  if (left instanceof Duration && right instanceof Duration) return ofDurations(operator, left.micros, right.micros);
  if (left instanceof Duration) return scaled(operator, left.micros, arithmetic(plain(right)));
  return right instanceof Duration && operator === '*' ? scaled('*', right.micros, arithmetic(plain(left))) : undefined;
}

function withMoment(operator: BinaryOperator, { micros }: DateTime, right: ScriptValue): ScriptValue | undefined {
  if (operator === '-' && right instanceof DateTime) return new Duration(micros - right.micros);
  if (!(right instanceof Duration)) return undefined;
  if (operator === '+') return new DateTime(micros + right.micros);
  return operator === '-' ? new DateTime(micros - right.micros) : undefined;
}

function ofDurations(operator: BinaryOperator, a: bigint, b: bigint): ScriptValue | undefined {
  if (operator === '+') return new Duration(a + b);
  if (operator === '-') return new Duration(a - b);
  if (operator !== '/' && operator !== '//') return undefined;
  if (b === 0n) throw divisionByZero();
  return operator === '/' ? Number(a) / Number(b) : floor(a, b);
}

function scaled(operator: BinaryOperator, micros: bigint, by: bigint | number | undefined): ScriptValue | undefined {
  if (by === undefined || (operator !== '*' && operator !== '/')) return undefined;
  if (operator === '*' && typeof by === 'bigint') return new Duration(micros * by);
  if (operator === '/' && Number(by) === 0) throw divisionByZero();
  return new Duration(wholeMicros(operator === '*' ? Number(micros) * Number(by) : Number(micros) / Number(by)));
}

const divisionByZero = (): ScriptError => new ScriptError('ZeroDivisionError', 'integer division or modulo by zero');

/** Throws an OverflowError for a number that no duration has. */
export function wholeMicros(micros: number): bigint {
  if (Number.isFinite(micros)) return BigInt(Math.round(micros));
  throw new ScriptError('OverflowError', 'a duration has a finite number of seconds');
}
