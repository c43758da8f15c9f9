// Attacks with a million doubles, in each form in which they are sent, and with 37,000 objects.
import type { Attack } from './attack.js';
import { asks, lines, rpc, sendAndStay, webSocket } from './peer.js';

const DOUBLES = ['--large', '1000000'];
const ARRAY = 'vast.doubles';
const OBJECTS = ['--objects', '37000'];
const PART = 'target::Part';

const listed = (form: string): Attack['run'] =>
  sendAndStay(lines('trick.var_cycle(0.1)', `trick.${form}()`, `trick.var_add("${ARRAY}")`));

const streamed = (format: 'json' | 'binary'): Attack['run'] =>
  webSocket({
    text: (round) =>
      round === 0 ? rpc('var/subscribe', { aliases: [ARRAY], cycle_ms: 100, ...formatOf(format) }) : undefined,
  });

const formatOf = (format: 'json' | 'binary') => (format === 'binary' ? { format } : {});

const OF_DOUBLES: readonly Attack[] = [
  { name: 'L-text', sends: 'an array of 1,000,000 doubles as text each 100 ms', run: listed('var_ascii') },
  { name: 'L-binary', sends: 'the same in binary', run: listed('var_binary') },
  { name: 'L-json', sends: 'WebSocket: the same as JSON', run: streamed('json') },
  { name: 'L-packed', sends: 'WebSocket: the same as packed values', run: streamed('binary') },
];

export const MILLION: readonly Attack[] = [
  ...OF_DOUBLES.map((attack) => ({ ...attack, simArguments: DOUBLES })),
  {
    name: 'L-query',
    sends: 'world.query of all of 37,000 objects, each time when the answer has come',
    simArguments: OBJECTS,
    run: asks(rpc('world.query', { data: { components: [PART] } })),
  },
];
