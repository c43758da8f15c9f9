// What load sessions send to get values: Trick text, a JSON-RPC call answered with events, or a WebSocket.

const MASK_BIT = 0x80;
const TEXT_FRAME = 0x81;
const LENGTH_16 = 126;

/** The names from `fx.all.big_d[0]` on; each list starts with another one. */
export const doubles = (count: number, start = 0): string[] =>
  Array.from({ length: count }, (_, k) => `fx.all.big_d[${(k + start) % 600}]`);

export const trickCommands = (lines: readonly string[]): string => lines.map((line) => `trick.${line}\n`).join('');

/** A session that gets the variables in each cycle. */
export const trickSetUp = (names: readonly string[], cycleSeconds: number, form: 'ascii' | 'binary'): string =>
  trickCommands([
    'var_pause()',
    `var_cycle(${cycleSeconds})`,
    ...(form === 'binary' ? ['var_binary_nonames()'] : []),
    ...names.map((name) => `var_add("${name}")`),
    'var_unpause()',
  ]);

const subscribe = (aliases: readonly string[], cycleSeconds: number): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'var/subscribe',
    params: { aliases, cycle_ms: 1000 * cycleSeconds },
  });

export function eventsSetUp(aliases: readonly string[], cycleSeconds: number): string {
  const body = subscribe(aliases, cycleSeconds);
  const head = ['POST /jsonrpc HTTP/1.1', 'Host: 127.0.0.1', 'Accept: text/event-stream'];
  return [...head, `Content-Length: ${body.length}`, '', body].join('\r\n');
}

/** The upgrade request, followed at once by the call in a frame whose mask changes nothing. */
export function webSocketSetUp(aliases: readonly string[], cycleSeconds: number): Buffer {
  const body = Buffer.from(subscribe(aliases, cycleSeconds));
  const head = ['GET /ws HTTP/1.1', 'Host: 127.0.0.1', 'Connection: Upgrade', 'Upgrade: websocket'];
  const key = ['Sec-WebSocket-Version: 13', `Sec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}`];
  const upgrade = [...head, ...key, '', ''].join('\r\n');
  const frame = Buffer.from([TEXT_FRAME, MASK_BIT | LENGTH_16, body.length >> 8, body.length & 0xff, 0, 0, 0, 0]);
  return Buffer.concat([Buffer.from(upgrade), frame, body]);
}
