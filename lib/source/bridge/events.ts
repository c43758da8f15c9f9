// The events of a simulation elsewhere.
import { RequestError } from '../../simulation/executive/request.js';
import type { EventOrder, EventsElsewhere, ItemOrder } from '../source.js';
import type { Bridged } from './bridged.js';
import { Recent } from './recent.js';

/** Trick: ippython_manual_fire and its kin */
const FUNCTIONS: Readonly<Record<Exclude<EventOrder, ItemOrder>, string>> = {
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
      if (typeof order === 'string') await end.call(FUNCTIONS[order], name);
      else await end.call(`${requireGlobal(name)}.${order.item}_${order.to}`, order.index);
      known.forget();
      await bridge.settled(end);
    },
  };
}

/** Trick has no functions for single conditions and actions, so its own event viewer, too, calls methods of that name. */
function requireGlobal(name: string): string {
  if (/^[A-Za-z_]\w*$/.test(name)) return name;
  throw new RequestError(`conditions and actions of event ${name} are not switched: its name is no name in Python`);
}
