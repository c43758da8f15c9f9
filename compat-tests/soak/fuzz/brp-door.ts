// The door of Bevy's protocol on its own port: any path and verb, JSON of two generations and of the proposal.
import type { Chance } from './chance.js';
import { documentedBlocks } from './documents.js';
import type { Door } from './door.js';
import { type Grammar, generate, NUMBERS, TEXTS } from './grammar.js';
import { sendEach } from './sockets.js';
import { FINAL_TEXT, frame, frames, sendFrames } from './websocket-frames.js';

const BRP: Grammar = {
  number: NUMBERS.filter((text) => /^-?\d/.test(text)),
  text: TEXTS.map((text) => `"${text.replaceAll('\0', '\\u0000').replaceAll('\r\n', '\\r\\n')}"`),
  entity: ['4294967294', '4294967297', '4294967290', '"1v0"', '"3v1"', '"4294967297v1"', '<number>', '<text>', 'null'],
  path: ['"Name"', '"bevy_ecs::name::Name"', '"ChildOf"', '"Children"', '"all"', '"Executive"', '"nope"', '<text>'],
  paths: ['[<path>]', '[<path>,<path>]', '[]', '<value>'],
  value: ['<number>', '<text>', 'null', 'true', '[<value>,<value>]', '{"x":<value>}', '{}', '{"__proto__":<value>}'],
  values: ['{<path>:<value>}', '{"Name":<text>}', '{"__proto__":1}', '{}', '<value>'],
  inside: ['""', '".d3[1]"', '"i"', '"#0"', '".0.1"', '"[[]]"', '".."', '"vehicle.name#1[2]"', '<text>'],
  data: ['{"components":<paths>}', '{"option":"all"}', '{"option":<paths>,"has":<paths>}', '{}', '<value>'],
  filter: ['{"with":<paths>,"without":<paths>}', '{"changed":<paths>}', 'null', '<value>'],
  mark: ['null', '"x"', '"abcdefgh.1.aaaaaaaaaaaaaaaaaaaaaaaaaaa"', '<text>', '<number>'],
  method: [
    'world.get_components',
    'bevy/get',
    'world.get',
    'world.query',
    'bevy/query',
    'world.list',
    'bevy/list',
    'world.get_resources',
    'world.list_resources',
    'registry.schema',
    'rpc.discover',
    'brp_extras/agent_tools',
    'brp.ping',
    'brp.unwatch',
    'world.trigger_event',
    'world.write_message',
    'fixture/x',
    'no.such',
  ],
  watch: [
    'world.get_components+watch',
    'bevy/get+watch',
    'world.list_components+watch',
    'world.observe+watch',
    'x+watch',
  ],
  call: [
    '"method":"world.get_components","params":{"entity":<entity>,"components":<paths>,"strict":true}',
    '"method":"world.query","params":{"data":<data>,"filter":<filter>,"strict":<value>}',
    '"method":"bevy/query","params":{"data":<data>,"filter":<filter>}',
    '"method":"brp.poll","params":{"data":<data>,"filter":<filter>,"watermark":<mark>,"timeout_ms":<number>}',
    '"method":"world.spawn_entity","params":{"components":<values>}',
    '"method":"bevy/insert","params":{"entity":<entity>,"components":<values>}',
    '"method":"world.remove_components","params":{"entity":<entity>,"components":<paths>}',
    '"method":"world.despawn_entity","params":{"entity":<entity>}',
    '"method":"world.reparent_entities","params":{"entities":[<entity>,<entity>],"parent":<entity>}',
    '"method":"world.mutate_components","params":{"entity":<entity>,"component":<path>,"path":<inside>,"value":<value>}',
    '"method":"bevy/mutate_resource","params":{"resource":<path>,"path":<inside>,"value":<value>}',
    '"method":"registry.schema","params":{"with_crates":<paths>,"type_limit":{"with":<paths>}}',
    '"method":"<watch>","params":{"entity":<entity>,"components":<paths>,"initial":<value>}',
    '"method":"<watch>","params":{"event":<path>}',
    '"method":"<method>","params":<value>',
    '"method":"<method>"',
  ],
  verb: ['PING', 'GET', 'QUERY', 'SPAWN', 'INSERT', 'REMOVE', 'POLL', 'NOPE'],
  proposal: [
    '{"id":<value>,"request":"<verb>","params":{"entity":<entity>,"components":<values>,"data":<data>,"filter":<filter>}}',
    '{"id":1,"request":"POLL","params":{"data":<data>,"watermark":<mark>,"timeout_ms":<number>}}',
  ],
  request: ['{"jsonrpc":"2.0","id":<value>,<call>}', '{"jsonrpc":"2.0",<call>}', '{<call>,<call>}', '<proposal>'],
  body: ['<request>', '<request>', '<request>', '[<request>,<request>]', '[<request>,<value>]', '<value>'],
  line: ['POST / HTTP/1.1', 'POST /jsonrpc HTTP/1.1', 'GET /x HTTP/1.1', 'PUT / HTTP/1.1', 'HEAD / HTTP/1.1'],
};

const posted = (body: string, line = 'POST / HTTP/1.1'): Buffer =>
  Buffer.from(`${line}\r\nHost: 127.0.0.1\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);

/** What the page of the protocol shows as curl's data. */
const documented = (): string[] =>
  documentedBlocks('sh').flatMap((block) =>
    [...block.toString().matchAll(/:15702 -d '([^']*)'/g)].map(([, body = '']) => body),
  );

/** Objects that were there at the start have small numbers: others would rightly notice their end. */
const OLDEST = 30;
const CHANGES = /destroy|despawn|insert|remove|reparent|mutate/i;

function namesOld(text: string): boolean {
  const numbers = [...text.matchAll(/\d+(?:\.\d+)?(?:e\+?\d+)?/gi)].map(([digits]) => Number(digits));
  return numbers.some((number) => {
    const low = number % 2 ** 32;
    return low <= OLDEST || low >= 2 ** 32 - 1 - OLDEST;
  });
}

/** A client may change what it likes; the guard and what it rests on stay out of its way. */
const isAllowed = (input: Buffer): boolean => {
  const plain = input.toString('latin1').replaceAll('\0', '');
  if (/guard|label|numbers|\\u/i.test(plain)) return false;
  return !CHANGES.test(plain) || !namesOld(plain.slice(plain.indexOf('{')));
};

export const BEVY: Door = {
  name: 'bevy',
  seeds: documented().map((body) => posted(body)),
  generate: (chance: Chance) => posted(generate(BRP, 'body', chance), generate(BRP, 'line', chance)),
  isAllowed,
  send: ({ brpPort }, inputs) => sendEach(brpPort, inputs),
};

export const BEVY_FRAMES: Door = {
  name: 'bevy-websocket',
  seeds: documented().map((body) => frame(FINAL_TEXT, Buffer.from(body))),
  generate: (chance: Chance) => frames(chance, () => Buffer.from(generate(BRP, 'body', chance))),
  isAllowed,
  batch: 20,
  send: ({ brpPort }, inputs) => sendFrames(brpPort, inputs, '/'),
};
