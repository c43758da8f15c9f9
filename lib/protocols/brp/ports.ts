// The option for where Bevy's protocol is spoken.
import type { PortOption } from '../../serving/transport/front-end.js';

/** The port on which clients of the protocol look for a server. */
export const USUAL_PORT = 15702;

/** The rows of this front-end in the table of ports. */
export const BRP_PORTS: readonly PortOption[] = [
  {
    name: 'brp',
    option: 'brp',
    takes: '[ADDR:]PORT|off',
    byDefault: `127.0.0.1:${USUAL_PORT} if it is free; none with --port`,
    speaks: ['Bevy Remote Protocol'],
    about: "Bevy's protocol on a port of its own; off: nowhere",
  },
];
