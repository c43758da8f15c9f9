// The methods of an event that reach one of a simulation elsewhere.
import type { EventOrder, ItemOrder } from '../../../source/source.js';

const ORDERS = {
  activate: 'activate',
  deactivate: 'deactivate',
  manual_on: 'on',
  manual_off: 'off',
  manual_done: 'auto',
  manual_fire: 'fire',
} as const satisfies Readonly<Record<string, EventOrder>>;

const ITEMS = /^(condition|action)_(enable|disable|on|off|hold_on|hold_off)$/;
const SAME: Readonly<Record<string, ItemOrder['to']>> = { on: 'enable', off: 'disable' };

/** Methods that change nothing; what is shown of an event answers them. */
const READ = /^(is_active|get_\w+|condition_(fired\w*|string)|action_ran\w*)$/;

export const isRead = (method: string): boolean => READ.test(method);

/** Undefined for what a simulation elsewhere is not told. @param index of the condition or action, if it is of one. */
export function orderOf(method: string, index = 0): EventOrder | undefined {
  if (Object.hasOwn(ORDERS, method)) return ORDERS[method as keyof typeof ORDERS];
  const [, item, to] = ITEMS.exec(method) ?? [];
  if (!to) return undefined;
  return { item: item as ItemOrder['item'], index, to: SAME[to] ?? (to as ItemOrder['to']) };
}

export const unchangeable = (name: string): string =>
  `event ${name} belongs to a simulation elsewhere: it is switched and fired from here, but not made, changed or deleted`;
