// The option for where kRPC listens.
import type { PortOption } from '../../serving/transport/front-end.js';

/** The ports on which its clients look for calls and for streams. */
export const USUAL_PORTS = { calls: 50_000, streams: 50_001 } as const;

/** The rows of this front-end in the table of ports. */
export const KRPC_PORTS: readonly PortOption[] = [
  {
    name: 'krpc',
    option: 'krpc',
    takes: '[ADDR:]PORT|off',
    byDefault: `off; its clients look at ${USUAL_PORTS.calls}`,
    speaks: ['kRPC', 'kRPC over WebSocket'],
    about: 'kRPC calls here, its streams on the next port',
  },
];
