// What blocks can call on an event, as a table: parameters and what it does. Trick: IPPythonEvent.hh, Event.hh
import { EVENT_CAPACITY, LONGEST_EVENT_TEXT } from '../../../model/state/event-description.js';
import { type Parameter, type Run, ScriptError, type ScriptValue } from '../../python/index.js';
import { FireErrand, JobErrand } from './errands.js';
import { ActionKind, ConditionKind, type EventAction, type EventCondition, type TrickEvent } from './event.js';
import type { EventTable } from './event-table.js';

export interface EventMethod {
  readonly parameters: readonly Parameter[];
  /** Whether it decides what is run or how often; then the event belongs to the client that calls it. Default: never. */
  readonly isClaim?: (event: TrickEvent, values: readonly ScriptValue[]) => boolean;
  readonly run: (
    event: TrickEvent,
    values: readonly ScriptValue[],
    table: EventTable,
  ) => ScriptValue | Run<ScriptValue>;
}

const number = { name: 'num', type: 'integer' } as const;
const comment = { name: 'comment', type: 'text', standard: '' } as const;
const code = [number, { name: 'str', type: 'text' }, comment] as const;
const jobCode = [number, { name: 'jobname', type: 'text' }, comment] as const;

export const METHODS: Readonly<Record<string, EventMethod>> = {
  activate: plainly((event) => {
    event.isActive = true;
  }),
  deactivate: plainly((event) => {
    event.isActive = false;
  }),
  is_active: { parameters: [], run: ({ isActive }) => BigInt(isActive) },
  get_name: { parameters: [], run: ({ name }) => name },
  get_cycle: { parameters: [], run: ({ cycleSeconds }) => asPrinted(cycleSeconds) },
  set_cycle: { isClaim: isOtherCycle, parameters: [{ name: 'rate', type: 'seconds' }], run: setCycle },
  set_thread: { parameters: [{ name: 'in_thread', type: 'integer' }], run: setThread },
  manual_on: plainly((event) => event.manualOn()),
  manual_off: plainly((event) => event.manualOff()),
  manual_done: plainly((event) => event.manualDone()),
  manual_fire: { parameters: [], run: fire },
  condition_all: answering((event) => {
    event.needsAll = true;
  }),
  condition_any: answering((event) => {
    event.needsAll = false;
  }),
  condition: { isClaim: always, parameters: code, run: (event, values, table) => setCondition(event, values, table) },
  condition_var: { isClaim: always, parameters: code, run: setVariable },
  condition_job: { isClaim: always, parameters: jobCode, run: setConditionJob },
  condition_enable: onCondition((condition) => {
    condition.isEnabled = true;
  }),
  condition_disable: onCondition((condition) => {
    condition.isEnabled = false;
  }),
  condition_on: onCondition((condition) => {
    condition.isEnabled = true;
  }),
  condition_off: onCondition((condition) => {
    condition.isEnabled = false;
  }),
  condition_job_on: onCondition((condition) => {
    condition.isEnabled = true;
  }),
  condition_job_off: onCondition((condition) => {
    condition.isEnabled = false;
  }),
  condition_hold_on: onCondition((condition) => {
    condition.holds = true;
  }),
  condition_hold_off: onCondition((condition) => {
    condition.holds = false;
  }),
  condition_fired: ofCondition(({ hasFired }) => BigInt(hasFired)),
  condition_fired_count: ofCondition(({ firedCount }) => BigInt(firedCount)),
  condition_fired_time: ofCondition(({ firedSeconds }) => asPrinted(firedSeconds)),
  condition_string: ofCondition(({ text }) => text, ''),
  action: { isClaim: always, parameters: code, run: (event, values, table) => setAction(event, values, table) },
  action_job: settingJob(ActionKind.jobCall),
  action_job_on: settingJob(ActionKind.jobOn),
  action_job_off: settingJob(ActionKind.jobOff),
  action_enable: onAction(true),
  action_disable: onAction(false),
  action_on: onAction(true),
  action_off: onAction(false),
  action_ran: ofAction(({ hasRun }) => BigInt(hasRun)),
  action_ran_count: ofAction(({ ranCount }) => BigInt(ranCount)),
  action_ran_time: ofAction(({ ranSeconds }) => asPrinted(ranSeconds)),
};

function always(): boolean {
  return true;
}

/** Whether the event gets another cycle than it has. */
function isOtherCycle({ cycleSeconds }: TrickEvent, [rate]: readonly ScriptValue[]): boolean {
  return isCycle(rate as number) && rate !== cycleSeconds;
}

/** A method without a result. */
function plainly(change: (event: TrickEvent) => void): EventMethod {
  return {
    parameters: [],
    run: (event) => {
      change(event);
      return null;
    },
  };
}

/** A method whose result is always 0. */
function answering(change: (event: TrickEvent) => void): EventMethod {
  return {
    parameters: [],
    run: (event) => {
      change(event);
      return 0n;
    },
  };
}

function* fire(event: TrickEvent): Run<ScriptValue> {
  event.manualFire();
  yield new FireErrand(event);
  return null;
}

function setCondition(
  event: TrickEvent,
  [at, text, comment]: readonly ScriptValue[],
  table: EventTable,
  kind: ConditionKind = ConditionKind.text,
): ScriptValue {
  const place = placeFor('condition', event.conditions, at as bigint, table);
  if (place === undefined) return 0n;
  const replaced = event.conditions[place];
  table.reserve(event, replaced, required(text), required(comment));
  event.setCondition(place, text as string, comment as string, kind);
  return 0n;
}

function setAction(
  event: TrickEvent,
  [at, text, comment]: readonly ScriptValue[],
  table: EventTable,
  kind: ActionKind = ActionKind.text,
): ScriptValue {
  const place = placeFor('action', event.actions, at as bigint, table);
  if (place === undefined) return 0n;
  table.reserve(event, event.actions[place], required(text), required(comment));
  event.setAction(place, text as string, comment as string, kind);
  return 0n;
}

/** Trick: IPPythonEvent::condition_job */
function* setConditionJob(event: TrickEvent, values: readonly ScriptValue[], table: EventTable): Run<ScriptValue> {
  const [at, job, comment] = values as [bigint, string, string];
  const asked = new JobErrand(job);
  yield asked;
  if (asked.cycleSeconds !== undefined) return setCondition(event, values, table, ConditionKind.job);
  table.say(`event ${event.name}: there is no job ${job}, the condition is False`, 'warning');
  return setCondition(event, [at, 'False', comment], table);
}

/** Trick: IPPythonEvent::action_job, action_job_on, action_job_off */
function settingJob(kind: ActionKind): EventMethod {
  return {
    isClaim: always,
    parameters: jobCode,
    run: function* (event, values, table): Run<ScriptValue> {
      const asked = new JobErrand(values[1] as string);
      yield asked;
      if (asked.cycleSeconds !== undefined) return setAction(event, values, table, kind);
      table.say(`event ${event.name}: there is no job ${asked.job}, no action is set`, 'warning');
      return 0n;
    },
  };
}

/** Trick: IPPythonEvent::condition_var */
function setVariable(event: TrickEvent, values: readonly ScriptValue[], table: EventTable): ScriptValue {
  const [at, path, comment] = values;
  if (table.isVariable(path as string)) return setCondition(event, values, table, ConditionKind.variable);
  table.say(`event ${event.name}: there is no variable ${path}, the condition is False`, 'warning');
  return setCondition(event, [at as ScriptValue, 'False', comment as ScriptValue], table);
}

/** The index of an existing item, or of the next new one; undefined, with a line in the log, for any other. */
function placeFor(what: string, items: readonly unknown[], at: bigint, table: EventTable): number | undefined {
  const most = EVENT_CAPACITY.listed;
  if (at >= BigInt(most)) table.say(`an event has at most ${most} ${what}s, numbered from 0`, 'warning');
  else if (at < 0n || at > BigInt(items.length))
    table.say(`the next ${what} of this event is number ${items.length}, not ${at}; nothing is changed`, 'warning');
  else return Number(at);
  return undefined;
}

function required(value: ScriptValue | undefined): string {
  const text = value as string;
  if (text.length <= LONGEST_EVENT_TEXT) return text;
  throw new ScriptError(
    'ValueError',
    `a condition, an action or a comment has at most ${LONGEST_EVENT_TEXT} characters`,
  );
}

const isCycle = (seconds: number): boolean => seconds >= 0 && seconds < 1e9;

function setCycle(event: TrickEvent, [rate]: readonly ScriptValue[]): ScriptValue {
  const seconds = rate as number;
  if (!isCycle(seconds)) {
    throw new ScriptError('ValueError', `the cycle of an event is a time in seconds from 0 up, not ${seconds}`);
  }
  event.setCycle(seconds);
  return null;
}

/** Stores the number of a thread, which is only shown, because there is one thread. */
function setThread(event: TrickEvent, [thread]: readonly ScriptValue[]): ScriptValue {
  const id = thread as bigint;
  if (id < 0n || id > 0xffffffffn)
    throw new ScriptError('OverflowError', `a thread has a number from 0 to ${0xffffffff}, not ${id}`);
  event.threadId = Number(id);
  return null;
}

/** Trick prints a whole number of seconds without a fraction. */
const asPrinted = (seconds: number): ScriptValue => (Number.isSafeInteger(seconds) ? BigInt(seconds) : seconds);

function onCondition(change: (condition: EventCondition) => void): EventMethod {
  return {
    parameters: [number],
    run: ({ conditions }, [at], table) => {
      const condition = itemAt('condition', conditions, at as bigint, table);
      if (condition) change(condition);
      return 0n;
    },
  };
}

function onAction(isEnabled: boolean): EventMethod {
  return {
    parameters: [number],
    run: ({ actions }, [at], table) => {
      const action = itemAt('action', actions, at as bigint, table);
      if (action) action.isEnabled = isEnabled;
      return 0n;
    },
  };
}

function ofCondition(read: (condition: EventCondition) => ScriptValue, none: ScriptValue = 0n): EventMethod {
  return {
    parameters: [number],
    run: ({ conditions }, [at], table) => {
      const condition = itemAt('condition', conditions, at as bigint, table);
      return condition ? read(condition) : none;
    },
  };
}

function ofAction(read: (action: EventAction) => ScriptValue): EventMethod {
  return {
    parameters: [number],
    run: ({ actions }, [at], table) => {
      const action = itemAt('action', actions, at as bigint, table);
      return action ? read(action) : 0n;
    },
  };
}

/** An item by its number; undefined, with a line in the log, when there is none. */
function itemAt<T>(what: string, items: readonly T[], at: bigint, table: EventTable): T | undefined {
  const item = at >= 0n ? items[Number(at)] : undefined;
  if (item === undefined) table.say(`this event has ${items.length} ${what}s, no number ${at}`, 'warning');
  return item;
}

const NAME = /^\P{Cc}{0,100}$/u;

/** Returns the name of an event. Throws a ScriptError for a text that cannot be one. */
export function requireEventName(name: string): string {
  if (NAME.test(name)) return name;
  throw new ScriptError(
    'ValueError',
    `an event is named by up to 100 characters, not ${JSON.stringify(name.slice(0, 100))}`,
  );
}
