// Waiting for an update that shows a condition.

import type { Clock } from './clock.js';
import { parseCondition, type WaitCondition } from './condition.js';
import { type Labels, withLabels } from './description.js';
import { ConnectionLostError, WaitTimeoutError } from './errors.js';
import type { TrickValue } from './value.js';
import type { SubscribeOptions, Update, Watch } from './watch.js';

/** How long to wait, and how often the server sends the values meanwhile. */
export interface WaitOptions extends SubscribeOptions {
  /** Wall time; without it there is no limit. */
  readonly timeoutSeconds?: number;
}

export type Holds = (values: readonly (TrickValue | undefined)[]) => boolean;

/** The first update for which `holds` is true; the subscription is closed then. */
export async function firstUpdate(
  subscription: Watch,
  holds: Holds,
  { timeoutSeconds }: WaitOptions,
  clock: Clock,
): Promise<Update> {
  if (timeoutSeconds !== undefined && !(timeoutSeconds >= 0)) {
    subscription.close();
    throw new RangeError(`timeoutSeconds is a time from 0 up, not ${timeoutSeconds}`);
  }
  const late = new WaitTimeoutError(`the condition has not come true within ${timeoutSeconds} s`);
  const cancel =
    timeoutSeconds === undefined ? undefined : clock.after(1000 * timeoutSeconds, () => subscription.fail(late));
  try {
    for await (const update of subscription) if (holds(update.values)) return update;
    throw new ConnectionLostError('the client has been closed');
  } finally {
    cancel?.();
    subscription.close();
  }
}

/**
 * A condition as text, with the number of its label. Rejects with a TypeError for a text that is no condition, and for
 * a label that the variable does not have.
 */
export async function conditionOf(
  text: string,
  labelsOf: (names: readonly string[]) => Promise<ReadonlyMap<string, Labels>>,
): Promise<WaitCondition> {
  const condition = parseCondition(text);
  const { name, label, holds } = condition;
  if (label === undefined) return condition;
  const labels = (await labelsOf([name])).get(name);
  if (![...(labels?.values() ?? [])].includes(label)) throw new TypeError(`${name} has no label ${label}`);
  return { ...condition, holds: (value) => holds(withLabels(value, labels)) };
}
