// An event as blocks see it: `ev.condition(0, "...")`, `ev.cycle = 0.5`. Trick: IPPythonEvent
import { EVENT_CAPACITY } from '../catalog/event-objects.js';
import { ScriptError } from '../interpreter/error.js';
import { bindArguments, type Parameter } from '../interpreter/parameter.js';
import {
  arithmetic,
  type Callable,
  type ObjectValue,
  plain,
  type ScriptValue,
  typeName,
} from '../interpreter/values.js';
import type { TrickEvent } from './event.js';
import type { EventTable } from './event-table.js';

const index = { name: 'num', type: 'integer' } as const;
const code = [index, { name: 'str', type: 'text' }, { name: 'comment', type: 'text', standard: '' }] as const;
/** The most characters of a condition or an action. */
const LONGEST_TEXT = 10_000;

interface Method {
  readonly parameters: readonly Parameter[];
  readonly run: (event: TrickEvent, values: readonly ScriptValue[]) => void;
}

const simple = (run: (event: TrickEvent) => void): Method => ({ parameters: [], run });

const METHODS: Readonly<Record<string, Method>> = {
  activate: simple((event) => {
    event.isActive = true;
  }),
  deactivate: simple((event) => {
    event.isActive = false;
  }),
  condition_all: simple((event) => {
    event.needsAll = true;
  }),
  condition_any: simple((event) => {
    event.needsAll = false;
  }),
  manual_on: simple((event) => {
    event.isManual = true;
  }),
  manual_off: simple((event) => {
    event.isManual = false;
    event.isManuallyFired = false;
  }),
  manual_fire: simple((event) => {
    event.isManual = true;
    event.isManuallyFired = true;
  }),
  manual_done: simple((event) => {
    event.isManual = false;
    event.isManuallyFired = false;
  }),
  condition: { parameters: code, run: (event, values) => setCondition(event, values) },
  /** The text names a variable that is true or false. */
  condition_var: { parameters: code, run: (event, values) => setCondition(event, values) },
  action: { parameters: code, run: (event, values) => setAction(event, values) },
  condition_enable: onCondition((condition) => {
    condition.isEnabled = true;
  }),
  condition_disable: onCondition((condition) => {
    condition.isEnabled = false;
  }),
  condition_hold_on: onCondition((condition) => {
    condition.holds = true;
  }),
  condition_hold_off: onCondition((condition) => {
    condition.holds = false;
  }),
  action_enable: onAction(true),
  action_on: onAction(true),
  action_disable: onAction(false),
  action_off: onAction(false),
  set_cycle: {
    parameters: [{ name: 'cycle', type: 'number' }],
    run: (event, [cycle]) => setCycle(event, cycle as number),
  },
};

const ATTRIBUTES: Readonly<Record<string, (event: TrickEvent) => ScriptValue>> = {
  name: (event) => event.name,
  active: (event) => event.isActive,
  added: (event) => event.isAdded,
  manual: (event) => event.isManual,
  manual_fired: (event) => event.isManuallyFired,
  hold: (event) => event.hold,
  cycle: (event) => event.cycleSeconds,
  before_after: (event) => BigInt(event.place),
  target_name: (event) => event.targetName,
  condition_count: (event) => BigInt(event.conditions.length),
  action_count: (event) => BigInt(event.actions.length),
  fired_count: (event) => BigInt(event.firedCount),
  fired_time: (event) => event.firedSeconds,
  ran_count: (event) => BigInt(event.ranCount),
  ran_time: (event) => event.ranSeconds,
};

const known = new WeakMap<TrickEvent, EventValue>();

/** The value of an event, always the same object for the same event. */
export function valueOfEvent(event: TrickEvent, table: EventTable): EventValue {
  const value = known.get(event) ?? new EventValue(event, table);
  known.set(event, value);
  return value;
}

export class EventValue implements ObjectValue {
  readonly kind = 'object';
  readonly typeName = 'IPPythonEvent';

  constructor(
    readonly event: TrickEvent,
    private readonly table: EventTable,
  ) {}

  attribute(name: string): ScriptValue | undefined {
    if (Object.hasOwn(ATTRIBUTES, name)) return ATTRIBUTES[name]?.(this.event);
    const method = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
    return method && this.callable(name, method);
  }

  setAttribute(name: string, value: ScriptValue): boolean {
    const number = arithmetic(plain(value));
    if (name === 'cycle') {
      if (number === undefined) throw new ScriptError('TypeError', `cycle takes seconds, not ${typeName(value)}`);
      setCycle(this.event, Number(number));
    } else if (name === 'active' || name === 'manual') {
      if (number === undefined)
        throw new ScriptError('TypeError', `${name} takes True or False, not ${typeName(value)}`);
      this.event[name === 'active' ? 'isActive' : 'isManual'] = Number(number) !== 0;
    } else if (Object.hasOwn(ATTRIBUTES, name)) {
      throw new ScriptError('AttributeError', `${name} of an event can be read only`);
    } else return false;
    this.table.changed();
    return true;
  }

  names(): Iterable<string> {
    return [...Object.keys(ATTRIBUTES), ...Object.keys(METHODS)];
  }

  private callable(name: string, { parameters, run }: Method): Callable {
    const call: Callable['call'] = (args) => {
      run(this.event, bindArguments(name, parameters, args));
      this.table.changed();
      return 0n;
    };
    return { kind: 'callable', name, call };
  }
}

function setCondition(event: TrickEvent, [at, text, comment]: readonly ScriptValue[]): void {
  const place = placeFor('condition', at as bigint, event.conditions.length, EVENT_CAPACITY.conditions);
  event.setCondition(place, required(text as string), required(comment as string));
}

function setAction(event: TrickEvent, [at, text, comment]: readonly ScriptValue[]): void {
  const place = placeFor('action', at as bigint, event.actions.length, EVENT_CAPACITY.actions);
  event.setAction(place, required(text as string), required(comment as string));
}

/** The index of an existing item, or of the next one. Throws a ScriptError for any other. */
function placeFor(what: string, at: bigint, length: number, most: number): number {
  if (at >= BigInt(most)) throw new ScriptError('ValueError', `an event has at most ${most} ${what}s, numbered from 0`);
  if (at >= 0n && at <= BigInt(length)) return Number(at);
  throw new ScriptError('ValueError', `the next ${what} of this event is number ${length}, not ${at}`);
}

function required(text: string): string {
  if (text.length <= LONGEST_TEXT) return text;
  throw new ScriptError('ValueError', `a condition, an action or a comment has at most ${LONGEST_TEXT} characters`);
}

function onCondition(change: (condition: TrickEvent['conditions'][number]) => void): Method {
  return { parameters: [index], run: (event, [at]) => change(there('condition', event.conditions, at as bigint)) };
}

function onAction(isEnabled: boolean): Method {
  return {
    parameters: [index],
    run: (event, [at]) => {
      there('action', event.actions, at as bigint).isEnabled = isEnabled;
    },
  };
}

function there<T>(what: string, items: readonly T[], at: bigint): T {
  const item = at >= 0n ? items[Number(at)] : undefined;
  if (item === undefined)
    throw new ScriptError('IndexError', `this event has ${items.length} ${what}s, no number ${at}`);
  return item;
}

function setCycle(event: TrickEvent, seconds: number): void {
  if (!(seconds >= 0 && seconds < 1e9)) {
    throw new ScriptError('ValueError', `the cycle of an event is a time in seconds from 0 up, not ${seconds}`);
  }
  event.cycleSeconds = seconds;
}

const NAME = /^\P{Cc}{1,100}$/u;

/** Returns the name of an event. Throws a ScriptError for a text that cannot be one. */
export function requireEventName(name: string): string {
  if (NAME.test(name)) return name;
  throw new ScriptError(
    'ValueError',
    `an event is named by 1 to 100 characters, not ${JSON.stringify(name.slice(0, 100))}`,
  );
}
