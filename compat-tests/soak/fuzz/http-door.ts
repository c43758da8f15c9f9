// The doors that take HTTP bytes and WebSocket frames.
import type { Chance } from './chance.js';
import { documentedCalls } from './documents.js';
import type { Door } from './door.js';
import { type Grammar, generate, NUMBERS, TEXTS } from './grammar.js';
import { sendEach } from './sockets.js';
import { FINAL_TEXT, frame, frames, sendFrames } from './websocket-frames.js';

const JSON_TEXT: Grammar = {
  number: NUMBERS.filter((text) => /^-?\d/.test(text)),
  text: TEXTS.map((text) => `"${text.replaceAll('\0', '\\u0000').replaceAll('\r\n', '\\r\\n')}"`),
  alias: [
    '"fx.all.i"',
    '"fx.all.d3"',
    '"fx.all.d3[<number>]"',
    '"fx.all.vehicle"',
    '"fx.all.vd"',
    '"fx"',
    '"fx.all.big_d"',
    '"trick_sys.sched.frame_count"',
    '"fx.nosuch"',
    '<text>',
  ],
  value: [
    '<number>',
    '<text>',
    'null',
    'true',
    '[<value>,<value>]',
    '{"a":<value>}',
    '[]',
    '{}',
    '{"__proto__":<value>}',
  ],
  aliases: ['[<alias>]', '[<alias>,<alias>]', '[]', '<value>'],
  units: ['"m"', '"ft"', '{"fx.all.d":"km"}', '<value>'],
  condition: ['"fx.all.i < <number>"', '{"alias":<alias>,"op":"==","value":<value>}', '<value>'],
  call: [
    '"method":"var/get","params":{"aliases":<aliases>}',
    '"method":"var/get","params":{"aliases":<aliases>,"units":<units>}',
    '"method":"var/list","params":{"prefix":<text>,"pattern":<text>,"limit":<number>,"after":<alias>}',
    '"method":"var/list","params":null',
    '"method":"var/exists","params":{"alias":<alias>}',
    '"method":"var/describe","params":{"alias":<alias>}',
    '"method":"var/units","params":{"alias":<alias>,"to":<units>}',
    '"method":"var/set","params":{"alias":<alias>,"value":<value>}',
    '"method":"var/set","params":{"values":{"fx.all.w_i":<value>,"fx.all.w_f":<value>},"wait":true}',
    '"method":"var/wait","params":{"condition":<condition>,"timeout_ms":<number>}',
    '"method":"var/subscribe","params":{"aliases":<aliases>,"cycle_ms":<number>}',
    '"method":"var/subscribe","params":{"aliases":<aliases>,"on":"change","dead_band":<value>,"format":"binary"}',
    '"method":"var/unsubscribe","params":{"subscription_id":<text>}',
    '"method":"var/cycle","params":{"subscription_id":<text>,"cycle_ms":<number>}',
    '"method":"sim/status","params":<value>',
    '"method":"rpc.discover"',
    '"method":"world.query","params":{"data":{"option":<value>,"has":<aliases>}}',
    '"method":"world.get_components+watch","params":{"entity":<number>,"components":<aliases>}',
    '"method":"brp.poll","params":{"data":{"components":<aliases>},"watermark":<value>,"timeout_ms":<number>}',
    '"method":"brp.unwatch","params":{"watch":<value>}',
    '"method":<text>,"params":<value>',
  ],
  request: ['{"jsonrpc":"2.0","id":<value>,<call>}', '{"jsonrpc":"2.0",<call>}', '{<call>}'],
  body: ['<request>', '<request>', '[<request>,<request>]', '<value>', '[<request>,<value>,<request>]'],
};

const HTTP: Grammar = {
  verb: ['GET', 'POST', 'HEAD', 'OPTIONS', 'PUT', 'PRI', 'get', 'GET /', ''],
  path: [
    '/',
    '/jsonrpc',
    '/sse',
    '/sse?sub=1',
    '/ws',
    '/metrics',
    '/healthz',
    '/openrpc.json',
    '/%00',
    '*',
    '//',
    'http://x/',
    '/?token=x&token=y',
    '/sse?sub=%ff',
  ],
  version: ['HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'HTTP/9', ''],
  header: [
    'Host: 127.0.0.1',
    'Host: evil.example',
    'Connection: keep-alive, Upgrade',
    'Connection: Upgrade, HTTP2-Settings',
    'Connection: close',
    'Upgrade: websocket',
    'Upgrade: h2c',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Version: 8',
    'Sec-WebSocket-Protocol: a, b, a',
    'Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits=99',
    'Accept: text/event-stream',
    'Accept: application/json, text/event-stream',
    'Last-Event-ID: 99999999999',
    'Origin: null',
    'Origin: http://127.0.0.1',
    'Authorization: Bearer x',
    'Transfer-Encoding: chunked',
    'Transfer-Encoding: identity, chunked',
    'Content-Length: 0',
    'Content-Length: 99999',
    'Content-Type: application/json; charset=utf-16',
    'Expect: 100-continue',
    'Content-Encoding: gzip',
    ' folded: yes',
    'X: \0',
  ],
  head: ['<verb> <path> <version>', 'GET <path> HTTP/1.1', 'POST /jsonrpc HTTP/1.1'],
};

const text = (bytes: string): Buffer => Buffer.from(bytes, 'utf8');
const body = (chance: Chance): string => generate(JSON_TEXT, 'body', chance);

function httpRequest(chance: Chance): string {
  const sent = body(chance);
  const headers = chance.several(4, () => generate(HTTP, 'header', chance));
  if (!chance.oneIn(6)) headers.push('Host: 127.0.0.1');
  if (!chance.oneIn(4)) headers.push(`Content-Length: ${Buffer.byteLength(sent) + (chance.oneIn(8) ? 1 : 0)}`);
  return `${generate(HTTP, 'head', chance)}\r\n${headers.join('\r\n')}\r\n\r\n${sent}`;
}

const posted = (call: string): string =>
  `POST /jsonrpc HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${Buffer.byteLength(call)}\r\n\r\n${call}`;

/** A client may freeze, step and end the run: others would rightly notice. */
const isAllowed = (input: Buffer): boolean => {
  const plain = input.toString('latin1').replaceAll('\0', '');
  return !/sim\\?\/control|guard|control/i.test(plain);
};
const calls = documentedCalls().filter((call) => isAllowed(text(call)));

export const HTTP_BYTES: Door = {
  name: 'http',
  seeds: [
    ...calls.map((call) => text(posted(call))),
    text('GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'),
    text('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n'),
  ],
  generate: (chance) => text(chance.oneIn(5) ? httpRequest(chance) + httpRequest(chance) : httpRequest(chance)),
  isAllowed,
  send: ({ port }, inputs) => sendEach(port, inputs),
};

export const WEBSOCKET_FRAMES: Door = {
  name: 'websocket',
  seeds: calls.map((call) => frame(FINAL_TEXT, text(call))),
  generate: (chance) => frames(chance, () => text(body(chance))),
  isAllowed,
  batch: 20,
  send: ({ port }, inputs) => sendFrames(port, inputs),
};

/** The same through the server of another program. */
export const MOUNTED_BYTES: Door = {
  ...HTTP_BYTES,
  name: 'mounted-http',
  send: ({ mountedPort }, inputs) => sendEach(mountedPort, inputs),
};

export const MOUNTED_FRAMES: Door = {
  ...WEBSOCKET_FRAMES,
  name: 'mounted-websocket',
  send: ({ mountedPort }, inputs) => sendFrames(mountedPort, inputs),
};
