// The option for where HTTP listens.
import type { PortOption } from '../transport/front-end.js';

/** The rows of this front-end in the table of ports. */
export const HTTP_PORTS: readonly PortOption[] = [
  {
    name: 'http',
    option: 'http',
    takes: 'PORT|off',
    byDefault: 'the main port',
    speaks: ['JSON-RPC', 'SSE', 'WebSocket'],
    about: 'HTTP on its own port, or not at all',
  },
];
