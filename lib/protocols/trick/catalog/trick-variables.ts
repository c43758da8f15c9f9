// Trick's own variables as an overlay: `trick_sys`, `trick_real_time` and the others, on whatever makes frames.
import type { Overlay } from '../../../simulation/executive/overlay.js';
import type { Request } from '../../../simulation/executive/request.js';
import { addClientObjects, type MessageAddress } from './client-objects.js';
import type { ShownEvents } from './event-memory.js';
import { addEventObjects } from './event-objects.js';
import { addTrickObjects } from './trick-objects.js';

const EVENTS = 'mtv';
const MESSAGES = 'messages';

export const trickVariables: Overlay = (host) => {
  addTrickObjects(host);
  return { [MESSAGES]: addClientObjects(host), [EVENTS]: addEventObjects(host) };
};

/** The request that shows these events in `trick_ip.mtv`. */
export const showEvents = (value: ShownEvents): Request => ({ kind: 'show', overlay: EVENTS, value });

/** The request that shows in `trick_message.mdevice` where messages are sent from. */
export const showMessageAddress = (value: MessageAddress): Request => ({ kind: 'show', overlay: MESSAGES, value });
