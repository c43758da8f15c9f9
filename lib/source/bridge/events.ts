// The events of a simulation elsewhere.
import type { EventOrder, EventsElsewhere } from '../source.js';
import type { Bridged } from './bridged.js';
import { Recent } from './recent.js';

/** Trick: ippython_manual_fire and its kin */
const FUNCTIONS: Readonly<Record<EventOrder, string>> = {
  activate: 'activate_event',
  deactivate: 'deactivate_event',
  on: 'manual_on',
  off: 'manual_off',
  auto: 'manual_done',
  fire: 'manual_fire',
};

export function eventsOf(bridge: Bridged): EventsElsewhere {
  const known = new Recent<Awaited<ReturnType<EventsElsewhere['list']>>>();
  return {
    list: async () => {
      const end = bridge.connected();
      return known.get(() => end.events());
    },
    async order(name, order) {
      const end = bridge.connected();
      await end.call(FUNCTIONS[order], name);
      known.forget();
      await bridge.settled(end);
    },
  };
}
