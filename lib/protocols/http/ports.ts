// The option for where HTTP listens.
import { bracketed } from '../../serving/transport/address.js';
import type { Example, ExamplePlace, PortOption } from '../../serving/transport/front-end.js';

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

/** Lines to paste for a client of HTTP. */
export function httpExamples({ host, port, isTls, hasTokens, variable }: ExamplePlace): readonly Example[] {
  const base = `${isTls ? 'https' : 'http'}://${bracketed(host)}:${port}`;
  const curl = `${base}/jsonrpc${hasTokens ? " -H 'Authorization: Bearer TOKEN'" : ''}`;
  const call = (method: string) =>
    `'{"jsonrpc":"2.0","id":1,"method":"${method}","params":{"aliases":["${variable}"]}}'`;
  return [
    { label: 'Browser', text: `${base}/${hasTokens ? '?token=TOKEN' : ''}` },
    { label: 'JSON-RPC', text: `curl -s ${curl} -d ${call('var/get')}` },
    {
      label: 'SSE',
      text: `curl -sN ${curl} -H 'Accept: text/event-stream' -d ${call('var/subscribe')}  # or GET /sse?sub=ID`,
    },
  ];
}
