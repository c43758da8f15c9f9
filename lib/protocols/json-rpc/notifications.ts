// Notifications that the server sends over a WebSocket, for the OpenRPC document.
import { z } from 'zod';
import { frameNumber, simTime, subscriptionId, values } from './schemas.js';

export interface Notification {
  readonly name: string;
  readonly about: string;
  readonly params: z.ZodObject;
}

export const NOTIFICATIONS: readonly Notification[] = [
  {
    name: 'var',
    about: 'Sent by the server over a WebSocket: the values of a subscription with format json.',
    params: z.strictObject({
      subscription_id: subscriptionId,
      frame: frameNumber,
      sim_time: simTime,
      values,
      dropped: z.int().optional().describe('How many messages before this one were left out, if any'),
    }),
  },
  {
    name: 'var/refused',
    about: 'Sent by the server over a WebSocket: a var/set that was answered at once has been refused later.',
    params: z.strictObject({
      sequence: z.int().describe('What var/set answered'),
      reason: z.string().describe('One sentence'),
    }),
  },
  {
    name: 'sim/message',
    about: 'Sent by the server over a WebSocket after sim/messages with follow: a message of the simulation.',
    params: z.strictObject({
      number: z.int().describe('Counts the messages from 1'),
      level: z.string(),
      text: z.string(),
      elapsed_sec: z.number().describe('Simulation time since the start'),
    }),
  },
];
