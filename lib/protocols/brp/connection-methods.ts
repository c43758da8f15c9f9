// brp.ping, and brp.unwatch, which ends a watch over a WebSocket.
import { z } from 'zod';
import { invalidParams } from './brp-error.js';
import { operation } from './operation.js';
import { nothing } from './schemas.js';

export const ping = operation({
  about: 'Answers at once.',
  params: z.object({}),
  result: z.object({ status: z.string() }),
  run: () => ({ status: 'OK' }),
});

export const unwatch = operation({
  about: 'Over a WebSocket: ends the watch that was asked for with an id.',
  params: z.object({ watch: z.unknown().describe('The id of the request that began the watch') }),
  result: nothing,
  run: ({ endWatch }, { watch }) => {
    if (!endWatch) throw invalidParams('over HTTP a watch ends when its stream is closed');
    if (!endWatch(watch)) throw invalidParams('this WebSocket has no watch with that id');
    return null;
  },
});
