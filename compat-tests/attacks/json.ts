// Attacks over HTTP, WebSocket and bare connections.
import type { Attack } from './attack.js';
import {
  ask,
  asks,
  batch,
  datagrams,
  get,
  pause,
  post,
  pour,
  rpc,
  sendAndLeave,
  sendAndStay,
  times,
  webSocket,
} from './peer.js';
import { fromPortZero } from './port-zero.js';

const LARGE = ['--large', '130000'];
const MEMBERS = ['--members', '1000000'];
const waits = (count: number): string =>
  batch(count, 'var/wait', (k) => ({ condition: `target.position[0] < -${k}`, timeout_ms: 600_000 }));
const spelling = (index: number): string => `vast.doubles${' '.repeat(index)}`;
const UPGRADE = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n';
const HEAD = 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n';

const OPEN_SOCKET =
  'GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n';
/** A WebSocket message of up to 125 bytes, as a client sends it; its mask is zero. */
const frameOf = (text: string): Buffer =>
  Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)]);
const messages = (text: string): Attack['run'] => {
  const all = Buffer.concat(Array<Buffer>(20_000).fill(frameOf(text)));
  return pour(() => all, { first: OPEN_SOCKET, pauseMillis: 5 });
};

const DOUBLES = Array.from({ length: 10_000 }, (_, k) => `target.doubles[${k}]`);
const UNITS = Object.fromEntries(DOUBLES.map((name) => [name, '--']));
const ALIASES_AND_UNITS = post(rpc('var/get', { aliases: DOUBLES, units: UNITS }));
const TOO_MANY_ALIASES = post(rpc('var/get', { aliases: Array<string>(60_000).fill('time'), units: UNITS }));

export const JSON_AND_BYTES: readonly Attack[] = [
  {
    name: 'A3-h2c',
    sends: 'GET, and in the same write a GET that wants h2c, then another GET',
    run: async (place, until) => {
      const again = sendAndLeave(() => `${HEAD}\r\n${HEAD}${UPGRADE}\r\n${HEAD}\r\n`, 3);
      await again(place, until);
    },
  },
  {
    name: 'A4-port-0',
    sends: 'datagrams with a question each, from port 0',
    run: fromPortZero('trick.var_add("target.position[0]")\ntrick.var_send()\n'),
  },
  {
    name: 'A5-spellings',
    sends: 'a batch of 600 var/get of 8 spellings of an array of 130,000 doubles',
    simArguments: LARGE,
    run: asks(batch(600, 'var/get', () => ({ aliases: Array.from({ length: 8 }, (_, k) => spelling(k)) }))),
  },
  {
    name: 'A5-batch',
    sends: 'a batch of 1,000 var/get of that array',
    simArguments: LARGE,
    run: asks(batch(1000, 'var/get', () => ({ aliases: ['vast.doubles'] }))),
  },
  {
    name: 'A9-unread',
    sends: '1,000 var/get of an array of 20,000 doubles in one WebSocket write, never read',
    run: webSocket({
      text: (round) => (round < 1000 ? rpc('var/get', { aliases: ['target.doubles'] }, round) : undefined),
      reads: false,
    }),
  },
  {
    name: 'A9-discover',
    sends: '30 sockets with 1,000 rpc.discover each, never read',
    run: times(30, sendAndStay(post(rpc('rpc.discover')).repeat(1000), { reads: false })),
  },
  {
    name: 'A9-plain',
    sends: '30 connections with 16 batches each of 20 var/get of an array of 20,000 doubles, by plain HTTP, never read',
    run: times(
      30,
      sendAndStay(post(batch(20, 'var/get', () => ({ aliases: ['target.doubles'] }))).repeat(16), { reads: false }),
    ),
  },
  {
    name: 'B-stars',
    sends: 'var/list with a pattern of 990 KB of stars',
    run: asks(rpc('var/list', { pattern: '*'.repeat(990_000) })),
  },
  {
    name: 'B-patterns',
    sends: 'a batch of 1,000 var/list, each with a pattern of its own',
    run: asks(batch(1000, 'var/list', (k) => ({ pattern: `*a*b*c*${k}*` }))),
  },
  { name: 'B-lists', sends: 'a batch of 1,000 plain var/list', run: asks(batch(1000, 'var/list', () => null)) },
  {
    name: 'B-waits',
    sends: '1,000 var/wait whose client leaves, over and over',
    run: sendAndLeave(() => post(waits(1000)), 1),
  },
  {
    name: 'E-left-waits',
    sends: 'a var/wait of ten minutes on each of twenty connections, whose clients leave after 8 ms, over and over',
    run: sendAndLeave(
      () => post(rpc('var/wait', { condition: 'target.position[0] > 1e9', timeout_ms: 600_000 })),
      20,
      8,
    ),
  },
  {
    name: 'B-socket-waits',
    sends: '60 WebSockets with 1,000 waits each',
    run: times(60, webSocket({ text: (round) => (round === 0 ? waits(1000) : undefined) })),
  },
  {
    name: 'B-list-all',
    sends: 'var/list of 1,000,000 variables',
    simArguments: MEMBERS,
    run: asks(rpc('var/list', { prefix: 'store' })),
  },
  {
    name: 'B-last-page',
    sends: 'the last page of var/list of 1,000,000 variables, limit 1',
    simArguments: MEMBERS,
    run: asks(rpc('var/list', { prefix: 'store', after: 'store.parts[99999].i', limit: 1 })),
  },
  {
    name: 'B-aliases',
    sends: 'var/get with 10,000 aliases and as many units, and with 60,000 and 10,000',
    run: ask((round) => (round % 2 === 0 ? ALIASES_AND_UNITS : TOO_MANY_ALIASES)),
  },
  {
    name: 'B-wrong-aliases',
    sends: 'var/get with 100,000 wrong aliases',
    run: asks(rpc('var/get', { aliases: Array.from({ length: 100_000 }, (_, k) => `x${k}`) })),
  },
  {
    name: 'B-deep-path',
    sends: 'var/get of target.a.a.a and so on, 900 KB',
    run: asks(rpc('var/get', { aliases: [`target${'.a'.repeat(450_000)}`] })),
  },
  {
    name: 'D-half-words',
    sends: 'connections that send GE and wait, 100 more each 100 ms',
    run: async (place, until) => {
      const open: Promise<void>[] = [];
      const stay = sendAndStay('GE');
      for (let k = 0; k < 20 && !until.aborted; k++) {
        open.push(times(100, stay)(place, until));
        await pause(100);
      }
      await Promise.all(open);
    },
  },
  {
    name: 'D-bodies',
    sends: '600 bodies of 990 KB that lack their last byte',
    run: times(600, sendAndStay(post(' '.repeat(990_000)).slice(0, -1))),
  },
  {
    name: 'D-wrong-tokens',
    sends: 'requests with guessed tokens',
    options: ['--trick', 'local'],
    tokens: `${'t'.repeat(40)} read-write\n`,
    run: ask((round) => post(rpc('sim/status'), `Authorization: Bearer guess${round}\r\n`)),
  },
  {
    name: 'D-other-protocols',
    sends: 'TLS hellos, the HTTP/2 preface and PROPFIND on the plain port',
    run: sendAndLeave(
      (round) =>
        [
          '\x16\x03\x01\x00\xf8\x01\x00\x00\xf4\x03\x03',
          'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
          'PROPFIND / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
        ][round % 3] as string,
    ),
  },
  {
    name: 'D-head',
    sends: 'HEAD of event streams',
    run: pour((round) => `HEAD /sse?sub=${round} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`, { pauseMillis: 1 }),
  },
  {
    name: 'O-one-byte-chunks',
    sends: 'a body in chunks of a byte',
    run: pour(() => '1\r\n \r\n'.repeat(5000), {
      first: 'POST /jsonrpc HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n',
    }),
  },
  {
    name: 'O-headers',
    sends: 'requests with 14 KB of headers',
    run: ask(() => `${HEAD}${'x: yyyyyyyyyy\r\n'.repeat(900)}\r\n`),
  },
  {
    name: 'O-pipeline',
    sends: '1,000 pipelined GET /metrics',
    run: pour(() => get('/metrics').repeat(1000), { pauseMillis: 5 }),
  },
  {
    name: 'O-deep-json',
    sends: 'JSON nested 400,000 deep',
    run: asks(`${'['.repeat(400_000)}${']'.repeat(400_000)}`),
  },
  {
    name: 'O-notifications',
    sends: 'batches of 1,000 notifications that set a value',
    run: asks(
      `[${Array<string>(1000).fill('{"jsonrpc":"2.0","method":"var/set","params":{"alias":"target.position[1]","value":2}}').join(',')}]`,
    ),
  },
  {
    name: 'O-pings',
    sends: 'WebSocket pings, as fast as they go out',
    run: webSocket({ text: () => '{}', pings: true }),
  },
  { name: 'O-tiny-messages', sends: '20,000 WebSocket messages of two bytes in a write', run: messages('{}') },
  {
    name: 'O-small-messages',
    sends: '20,000 calls of sim/status over a WebSocket in a write',
    run: messages('{"jsonrpc":"2.0","id":1,"method":"sim/status"}'),
  },
  {
    name: 'O-describe',
    sends: 'batches of 1,000 var/describe and var/units',
    run: asks(batch(1000, 'var/units', () => ({ alias: 'target.position', to: 'km' }))),
  },
  {
    name: 'O-hello-goodbye',
    sends: 'connections that open and reset, fifty at a time',
    run: sendAndLeave(() => 'G', 50),
  },
  {
    name: 'O-noise-datagrams',
    sends: 'datagrams of noise',
    run: datagrams((round) => Buffer.alloc(1400, round % 251).toString('latin1')),
  },
  {
    name: 'O-landing-page',
    sends: 'the landing page and the methods for programs, eight connections',
    run: times(
      8,
      ask((round) => get(round % 2 ? '/' : '/openrpc.json')),
    ),
  },
];
