// An event as blocks see it: `ev.condition(0, "...")`, `ev.set_cycle(0.5)`. Trick: IPPythonEvent
import {
  type Arguments,
  arithmetic,
  bindArguments,
  type Callable,
  isRun,
  type ObjectValue,
  plain,
  type Run,
  ScriptError,
  type ScriptValue,
  type Tools,
  typeName,
} from '../../python/index.js';
import { ordering } from './errands.js';
import type { TrickEvent } from './event.js';
import { type EventMethod, METHODS } from './event-calls.js';
import type { EventTable } from './event-table.js';
import { isRead, orderOf, unchangeable } from './orders.js';

const flag = (isSet: boolean): ScriptValue => BigInt(isSet);

const ATTRIBUTES: Readonly<Record<string, (event: TrickEvent) => ScriptValue>> = {
  added: ({ isAdded }) => flag(isAdded),
  manual: ({ isManual }) => flag(isManual),
  manual_fired: ({ isManuallyFired }) => flag(isManuallyFired),
  cond_all: ({ needsAll }) => flag(needsAll),
  fired: ({ hasFired }) => flag(hasFired),
  hold: ({ hold }) => flag(hold),
  ran: ({ hasRun }) => flag(hasRun),
  condition_count: ({ conditions }) => BigInt(conditions.length),
  action_count: ({ actions }) => BigInt(actions.length),
  fired_count: ({ firedCount }) => BigInt(firedCount),
  fired_time: ({ firedSeconds }) => firedSeconds,
  ran_count: ({ ranCount }) => BigInt(ranCount),
  ran_time: ({ ranSeconds }) => ranSeconds,
  /** Python's owner of the memory has no meaning here; files made by Trick's tools set it. */
  thisown: () => false,
};

/** Attributes to which an assignment has no effect, as in Trick; for each of them a method has the effect. */
const WITHOUT_EFFECT: Readonly<Record<string, string>> = {
  cycle: 'set_cycle',
  active: 'activate or deactivate',
  name: 'new_event',
  thisown: '',
};

const known = new WeakMap<TrickEvent, EventValue>();

/** The value of an event; it is always the same object for the same event. */
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
    if (Object.hasOwn(WITHOUT_EFFECT, name)) {
      if (name !== 'thisown')
        this.table.say(
          `setting ${name} of event ${this.event.name} has no effect, ${WITHOUT_EFFECT[name]} has`,
          'warning',
        );
      return true;
    }
    if (!Object.hasOwn(ATTRIBUTES, name)) return false;
    if (this.event.isElsewhere) throw new ScriptError('RuntimeError', unchangeable(this.event.name));
    if (name !== 'manual' && name !== 'cond_all')
      throw new ScriptError('AttributeError', `${name} of an event can be read only`);
    const number = arithmetic(plain(value));
    if (number === undefined) throw new ScriptError('TypeError', `${name} takes True or False, not ${typeName(value)}`);
    this.event[name === 'manual' ? 'isManual' : 'needsAll'] = Number(number) !== 0;
    this.table.changed(this.event);
    return true;
  }

  names(): Iterable<string> {
    return [...Object.keys(ATTRIBUTES), ...Object.keys(METHODS)];
  }

  private callable(name: string, method: EventMethod): Callable {
    const call = (args: Arguments, { block: { owner } }: Tools): ScriptValue | Run<ScriptValue> => {
      requireEnough(name, method, args);
      const values = bindArguments(name, method.parameters, args);
      if (this.event.isElsewhere && !isRead(name)) return this.order(name, values);
      // The event now runs what the client has set, so it counts as the client's and does not hold the simulation.
      if (owner !== '' && method.isClaim?.(this.event, values)) this.table.give(this.event, owner);
      const result = method.run(this.event, values, this.table);
      this.table.changed(this.event);
      return isRun(result) ? this.notingEnd(result) : result;
    };
    return { kind: 'callable', name, call };
  }

  private *order(name: string, [index]: readonly ScriptValue[]): Run<ScriptValue> {
    const { event } = this;
    const order = orderOf(name, Number(index ?? 0));
    if (!order) throw new ScriptError('RuntimeError', unchangeable(event.name));
    yield* ordering(event, order);
    return typeof order === 'string' ? null : 0n;
  }

  private *notingEnd(run: Run<ScriptValue>): Run<ScriptValue> {
    const result = yield* run;
    this.table.changed(this.event);
    return result;
  }
}

/** A method with parameters that may be left out counts itself among its arguments, as Trick's does. */
function requireEnough(name: string, { parameters }: EventMethod, { positional, keywords }: Arguments): void {
  const least = parameters.filter(({ standard }) => standard === undefined).length;
  if (least === parameters.length || keywords.length > 0 || positional.length >= least) return;
  throw new ScriptError(
    'TypeError',
    `IPPythonEvent_${name} expected at least ${least + 1} arguments, got ${positional.length + 1}`,
  );
}
