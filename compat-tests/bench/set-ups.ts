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

export const subscribe = (aliases: readonly string[], cycleSeconds: number): string =>
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

export const webSocketSetUp = (aliases: readonly string[], cycleSeconds: number): Buffer =>
  upgradeSetUp('/ws', [subscribe(aliases, cycleSeconds)]);

/** The upgrade request of a WebSocket, followed at once by messages in frames whose masks change nothing. */
export function upgradeSetUp(path: string, messages: readonly string[], subprotocol?: string): Buffer {
  const head = [`GET ${path} HTTP/1.1`, 'Host: 127.0.0.1', 'Connection: Upgrade', 'Upgrade: websocket'];
  const key = ['Sec-WebSocket-Version: 13', `Sec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}`];
  const offer = subprotocol === undefined ? [] : [`Sec-WebSocket-Protocol: ${subprotocol}`];
  const upgrade = Buffer.from([...head, ...key, ...offer, '', ''].join('\r\n'));
  const frames = messages.map((message) => {
    const body = Buffer.from(message);
    const lengths = body.length < LENGTH_16 ? [body.length] : [LENGTH_16, body.length >> 8, body.length & 0xff];
    const [first = 0, ...others] = lengths;
    return Buffer.concat([Buffer.from([TEXT_FRAME, MASK_BIT | first, ...others, 0, 0, 0, 0]), body]);
  });
  return Buffer.concat([upgrade, ...frames]);
}
