// The option for where Foxglove's protocol is spoken.
import type { PortOption } from '../../serving/transport/front-end.js';

/** The port at which Foxglove's app looks for a server. */
export const USUAL_PORT = 8765;

/** The rows of this front-end in the table of ports. */
export const FOXGLOVE_PORTS: readonly PortOption[] = [
  {
    name: 'foxglove',
    option: 'foxglove',
    takes: '[ADDR:]PORT|off',
    byDefault: 'the main port',
    speaks: ['Foxglove WebSocket'],
    about: `Foxglove's protocol on a port of its own besides, usually ${USUAL_PORT}; off: nowhere`,
  },
];
