// event/list, and the methods that switch events, their conditions and actions, and fire them.
import { z } from 'zod';
import { didYouMean, nearestNames } from '../../../model/state/suggest.js';
import type { EventElsewhere, EventOrder, ItemOrder } from '../../../source/source.js';
import type { CallContext } from '../../json-rpc/call-context.js';
import { defineMethod, type Method } from '../../json-rpc/method.js';
import { quoted, RpcCode, RpcError } from '../../json-rpc/rpc-error.js';
import { EventPlace, type TrickEvent, UNNAMED } from '../events/event.js';
import type { Consoles } from './consoles.js';

const counted = { fired_count: z.int(), fired_sec: z.number().nullable() };
const ran = { ran_count: z.int(), ran_sec: z.number().nullable().describe('Simulation time of the last run') };

const event = z.object({
  name: z.string(),
  active: z.boolean(),
  added: z.boolean().describe('Only added events are evaluated'),
  mode: z.enum(['auto', 'on', 'off']).describe('on: acts at each cycle; off: does nothing; auto: by its conditions'),
  cycle_sec: z.number(),
  needs_all: z.boolean().describe('Whether all conditions must hold; otherwise one is enough'),
  hold: z.boolean(),
  owner: z.string().describe('Address (of IPv6: network) of the client whose texts it runs; empty for the input file'),
  job: z.string().optional().describe('The job beside which it is evaluated'),
  place: z.enum(['before', 'after']).optional(),
  ...counted,
  ...ran,
  conditions: z.array(
    z.object({
      text: z.string(),
      comment: z.string(),
      enabled: z.boolean(),
      hold: z.boolean(),
      fired: z.boolean(),
      ...counted,
    }),
  ),
  actions: z.array(z.object({ text: z.string(), comment: z.string(), enabled: z.boolean(), ran: z.boolean(), ...ran })),
});

const list = (consoles: Consoles) =>
  defineMethod({
    name: 'event/list',
    about: "The events of the simulation, as Trick's event viewer lists them.",
    params: z.strictObject({}),
    result: z.object({ ticker: z.int().describe('Changes when events come or go'), events: z.array(event) }),
    examples: [{ name: 'without events', params: {}, result: { ticker: 0, events: [] } }],
    async run(context: CallContext) {
      const { events } = consoles.server;
      const rows: z.input<typeof event>[] = [];
      for (const [index, each] of events.listed.entries()) {
        if (index % EVENTS_AT_ONCE === 0) await context.turn();
        if (each.name !== UNNAMED && !each.isElsewhere) rows.push(rowOf(each, each.owner));
      }
      const elsewhere = await context.source.events?.list();
      rows.push(...(elsewhere?.events ?? []).map((each) => rowOf(each)));
      return { ticker: events.ticker + (elsewhere?.ticker ?? 0), events: rows };
    },
  });

/** An event may have a hundred conditions and actions. */
const EVENTS_AT_ONCE = 16;

/** @param owner empty for an event of a simulation elsewhere. */
function rowOf(each: EventElsewhere, owner = ''): z.input<typeof event> {
  const { name, isActive, isAdded, isManual, isManuallyFired, cycleSeconds, needsAll, hold, target } = each;
  return {
    name,
    active: isActive,
    added: isAdded,
    mode: !isManual ? 'auto' : isManuallyFired ? 'on' : 'off',
    cycle_sec: cycleSeconds,
    needs_all: needsAll,
    hold,
    owner,
    ...(target && { job: target.job, place: target.place === EventPlace.before ? 'before' : 'after' }),
    fired_count: each.firedCount,
    fired_sec: timeOf(each.firedSeconds),
    ran_count: each.ranCount,
    ran_sec: timeOf(each.ranSeconds),
    conditions: each.conditions.map((condition) => ({
      text: condition.text,
      comment: condition.comment,
      enabled: condition.isEnabled,
      hold: condition.holds,
      fired: condition.hasFired,
      fired_count: condition.firedCount,
      fired_sec: timeOf(condition.firedSeconds),
    })),
    actions: each.actions.map((action) => ({
      text: action.text,
      comment: action.comment,
      enabled: action.isEnabled,
      ran: action.hasRun,
      ran_count: action.ranCount,
      ran_sec: timeOf(action.ranSeconds),
    })),
  };
}

const timeOf = (seconds: number): number | null => (seconds < 0 ? null : seconds);

const name = z.string().max(1000).describe('As event/list has it');

/** A method that changes an event, and answers when the variables show it. */
function changing<Params extends z.ZodObject>(
  consoles: Consoles,
  called: string,
  about: string,
  params: Params,
  change: (event: TrickEvent, given: z.output<Params>, context: CallContext) => unknown,
  ordersOf: (given: z.output<Params>) => readonly EventOrder[],
): Method<CallContext> {
  return defineMethod({
    name: called,
    about,
    params,
    result: z.null(),
    isChange: true,
    run: (context: CallContext, given) =>
      consoles.use(context, async (console) => {
        const { events } = consoles.server;
        const wanted = String((given as { readonly name?: unknown }).name);
        const { elsewhere } = consoles.server;
        if (elsewhere && events.findListed(wanted)?.isElsewhere !== false && (await elsewhere.has(wanted))) {
          for (const order of ordersOf(given as z.output<Params>)) await elsewhere.order(wanted, order);
          return null;
        }
        const found = findEvent(consoles, wanted);
        const changed = change(found, given, context);
        events.changed(found);
        await changed;
        await console.settled();
        return null;
      }),
  });
}

/** The event with a name. Throws an RpcError with the nearest names. */
function findEvent({ server }: Consoles, wanted: string): TrickEvent {
  const found = server.events.findListed(wanted);
  if (found) return found;
  const names = server.events.listed.map((each) => each.name).filter((each) => each !== UNNAMED);
  const nearest = nearestNames(wanted, names);
  const sentence = `there is no event ${quoted(wanted)}${didYouMean(nearest)}`;
  throw new RpcError(RpcCode.invalidParams, sentence, { nearest });
}

function itemOf<T>(called: string, items: readonly T[], index: number): T {
  const item = items[index];
  if (item !== undefined) return item;
  const sentence = `${called}: the event has ${items.length} of them, none with the index ${index}`;
  throw new RpcError(RpcCode.invalidParams, sentence);
}

const active = (consoles: Consoles) =>
  changing(
    consoles,
    'event/active',
    'Activates an event, or deactivates it.',
    z.strictObject({ name, active: z.boolean() }),
    (found, given) => {
      found.isActive = given.active;
    },
    ({ active }) => [active ? 'activate' : 'deactivate'],
  );

const mode = (consoles: Consoles) =>
  changing(
    consoles,
    'event/mode',
    'on: the event acts at each cycle, whatever its conditions say; off: it does nothing; auto: its conditions count.',
    z.strictObject({ name, mode: z.enum(['auto', 'on', 'off']) }),
    (found, given) => {
      if (given.mode === 'auto') found.manualDone();
      else if (given.mode === 'on') found.manualOn();
      else found.manualOff();
    },
    (given) => [given.mode],
  );

const fire = (consoles: Consoles) =>
  changing(
    consoles,
    'event/fire',
    'Runs the actions of an event now, once.',
    z.strictObject({ name }),
    (found, _given, { session }) => {
      found.manualFire();
      return consoles.server.firing.elsewhere(found, session.account.network);
    },
    () => ['fire'],
  );

const condition = (consoles: Consoles) =>
  changing(
    consoles,
    'event/condition',
    'Switches a condition of an event on or off, or makes it stay fired once it has fired.',
    z.strictObject({ name, index: z.int().min(0), enabled: z.boolean().optional(), hold: z.boolean().optional() }),
    (found, given) => {
      const item = itemOf('event/condition', found.conditions, given.index);
      if (given.enabled !== undefined) item.isEnabled = given.enabled;
      if (given.hold !== undefined) item.holds = given.hold;
    },
    ({ index, enabled, hold }) => [
      ...switched(enabled, { item: 'condition', index, on: 'enable', off: 'disable' }),
      ...switched(hold, { item: 'condition', index, on: 'hold_on', off: 'hold_off' }),
    ],
  );

const action = (consoles: Consoles) =>
  changing(
    consoles,
    'event/action',
    'Switches an action of an event on or off.',
    z.strictObject({ name, index: z.int().min(0), enabled: z.boolean() }),
    (found, given) => {
      itemOf('event/action', found.actions, given.index).isEnabled = given.enabled;
    },
    ({ index, enabled }) => switched(enabled, { item: 'action', index, on: 'enable', off: 'disable' }),
  );

interface Switched extends Pick<ItemOrder, 'item' | 'index'> {
  readonly on: ItemOrder['to'];
  readonly off: ItemOrder['to'];
}

/** Nothing for what is left as it is. */
const switched = (isOn: boolean | undefined, { item, index, on, off }: Switched): readonly ItemOrder[] =>
  isOn === undefined ? [] : [{ item, index, to: isOn ? on : off }];

export const eventMethods = (consoles: Consoles): readonly Method<CallContext>[] => [
  list(consoles),
  active(consoles),
  mode(consoles),
  fire(consoles),
  condition(consoles),
  action(consoles),
];
