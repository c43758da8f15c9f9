// The option for where kRPC listens.
import type { PortOption } from '../transport/front-end.js';

/** The rows of this front-end in the table of ports. */
export const KRPC_PORTS: readonly PortOption[] = [
  {
    name: 'krpc',
    option: 'krpc',
    takes: '[ADDR:]PORT|off',
    byDefault: 'off; its clients look at 50000',
    speaks: ['kRPC', 'kRPC over WebSocket'],
    about: 'kRPC calls here, its streams on the next port',
  },
];
