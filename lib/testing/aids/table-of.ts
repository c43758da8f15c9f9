// A table of subscriptions to a source, and the account of a client.
import { SessionRegistry } from '../../serving/session/registry.js';
import { SubscriptionTable } from '../../serving/session/subscription-table.js';
import type { Source } from '../../source/source.js';
import { ManualClock } from './manual-clock.js';

export function tableOf(source: Source, clock = new ManualClock()) {
  const registry = new SessionRegistry(source, clock);
  return { registry, table: new SubscriptionTable(registry), account: registry.ledger.open('client') };
}
