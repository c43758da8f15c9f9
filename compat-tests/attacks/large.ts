// Attacks with what is large: many objects, declared arrays, many pointers, short lists for long arrays, long names, lists of all, streams
// that resume.
import { call } from '../http-client.js';
import type { Attack, Place } from './attack.js';
import { ask, batch, lines, post, pour, rpc, sendAndStay, webSocket } from './peer.js';

type Run = Attack['run'];

const DOUBLES = 900_000;
/** As many values as a client may have in a frame. */
const POINTED = 400_000;
/** A list of a few pointers to so many values is more than frames are looked through for. */
const LISTED = 1_800_000;
const LISTED_UNITS = ['m', 'km', 'cm', 'mm', 'ft', 'in', 's', 'ms', 'kg', 'g', 'N', 'rad', 'day', 'yd'];
/** As many as a read follows. */
const MOST_POINTERS = 4000;
const SUBSCRIPTIONS = 10;
const INTEGERS = 480_000;
const BLANKS = ' '.repeat(190_000);
/** Frames of the simulation that a stream asks for again. */
const RESUMED = 'Last-Event-ID: 1\r\n';

/** A client that gives some commands, stays, and does something with what they have made. */
const after =
  (commands: readonly string[], run: Run): Run =>
  async (place, until) => {
    const stay = sendAndStay(lines('trick.var_pause()', ...commands));
    await Promise.all([stay(place, until), run(place, until)]);
  };

/** A client that declares an array, stays, and does something with it. */
const declaring = (declaration: string, run: Run): Run => after([`trick.TMM_declare_var_s("${declaration}")`], run);

/** Asks for a stream of many values, and resumes it from its beginning over and over. */
const resuming =
  (method: 'GET' | 'HEAD'): Run =>
  async (place, until) => {
    const id = await subscribed(place);
    const request = `${method} /sse?sub=${id} HTTP/1.1\r\nHost: 127.0.0.1\r\n${RESUMED}\r\n`;
    const run = pour(() => request.repeat(16), { pauseMillis: 5 });
    await run(place, until);
  };

/** Many writes at once, while what they are found in changes. */
const writingBesideDeclaring: Run = async (place, until) => {
  const values = Object.fromEntries(Array.from({ length: 10_000 }, (_, k) => [`target.doubles[${k}]`, k]));
  const request = Buffer.from(post(rpc('var/set', { values })));
  const writes = pour(() => request, { pauseMillis: 5 });
  const own = `z${clients++}`;
  const declarations = pour(
    (round) => lines(`trick.TMM_declare_var_s("double ${own}_${round}")`, `trick.TMM_delete_var_n("${own}_${round}")`),
    { first: lines('trick.var_pause()'), pauseMillis: 5 },
  );
  await Promise.all([writes(place, until), declarations(place, until)]);
};
let clients = 0;

/** Half of what the clients of one address may declare, among ten. */
const CHANGED = 500_000;

/** Declares, clears, resizes and deletes large arrays of its own without a pause, beside a large list of pointers. */
const changingMemory: Run = async (place, until) => {
  const own = `m${clients++}_${process.pid}`;
  const round = [
    `trick.TMM_declare_var_s("double ${own}[${CHANGED}]")`,
    ...Array<string>(3).fill(`trick.TMM_clear_var_n("${own}")`),
    `trick.TMM_resize_array_1d_n("${own}", ${CHANGED + 8})`,
    `trick.TMM_delete_var_n("${own}")`,
  ];
  const first = lines('trick.var_pause()', 'trick.TMM_declare_var_s("double * m_pointers[1000000]")');
  await pour(() => lines(...round), { first, pauseMillis: 5 })(place, until);
};

async function subscribed({ port }: Place): Promise<string> {
  const aliases = Array.from({ length: 200 }, (_, k) => `target.doubles[${20 * k}]`);
  return (await call<{ subscription_id: string }>(port, 'var/subscribe', { aliases, cycle_ms: 10 })).subscription_id;
}

/** Batches of new objects before the first checkpoint: as many as a client may make at once. */
const SPAWNS = 20;
/** Of eight wishes one is for further objects, and two are for loads. */
const checkpointOrLoad = (round: number): string =>
  post(rpc(round % 4 === 3 ? 'sim/load-checkpoint' : 'sim/checkpoint', { file: 'objects' }));
const checkpointOfObjects = (round: number): string =>
  round < SPAWNS || round % 8 === 0 ? SPAWN_MANY : checkpointOrLoad(round);

export const LARGE_THINGS: readonly Attack[] = [
  {
    name: 'C-checkpoint-objects',
    sends: '10,000 world.spawn_entity, then sim/checkpoint, sim/load-checkpoint and further objects over and over',
    run: ask(checkpointOfObjects),
  },
  {
    name: 'O-large-once',
    sends: 'var/get of a declared array of 7 MB, each time when the answer has come',
    run: declaring(
      `double o_large[${DOUBLES}]`,
      ask(() => post(rpc('var/get', { aliases: ['o_large'] }))),
    ),
  },
  {
    name: 'O-large-changes',
    sends: 'WebSocket: changes of a declared array of 7 MB each 100 ms',
    run: declaring(
      `double o_changes[${DOUBLES}]`,
      webSocket({
        text: (round) =>
          round === 0 ? rpc('var/subscribe', { aliases: ['o_changes'], cycle_ms: 100, on: 'change' }) : undefined,
      }),
    ),
  },
  {
    name: 'P-pointed',
    sends: 'WebSocket: values behind a pointer to 3.2 MB, each 100 ms',
    run: after(
      [`p = trick.TMM_declare_var_1d("double",${POINTED})`, 'target.far = p'],
      webSocket({
        text: (round) => (round === 0 ? rpc('var/subscribe', { aliases: ['target.far'], cycle_ms: 100 }) : undefined),
      }),
    ),
  },
  {
    name: 'P-own-arrays',
    sends: 'WebSocket: an array of 3.2 MB that each client has declared for itself, each 100 ms',
    run: (place, until) => {
      const own = `p_own${clients++}_${process.pid}`;
      return declaring(
        `double ${own}[${POINTED}]`,
        webSocket({
          text: (round) => (round === 0 ? rpc('var/subscribe', { aliases: [own], cycle_ms: 100 }) : undefined),
        }),
      )(place, until);
    },
  },
  {
    name: 'P-pointed-list',
    sends: 'var_add of a pointer to 14 MB, in many units, with that list',
    run: pour(() => lines('trick.var_send()'), {
      first: lines(
        `p_list = trick.TMM_declare_var_s("double p_list[${LISTED}]")`,
        'target.far = p_list',
        ...LISTED_UNITS.map((units) => `trick.var_add("target.far", "${units}")`),
      ),
      pauseMillis: 20,
    }),
  },
  {
    name: 'P-pointed-get',
    sends: 'var/get of a pointer to 14 MB, each time when the answer has come',
    run: after(
      [`p_get = trick.TMM_declare_var_s("double p_get[${LISTED}]")`, 'target.far = p_get'],
      ask(() => post(rpc('var/get', { aliases: ['target.far'] }))),
    ),
  },
  {
    name: 'P-pointers',
    sends: 'WebSocket: a declared array of 1,000,000 pointers each 100 ms',
    run: declaring(
      'double * p_million[1000000]',
      webSocket({
        text: () => rpc('var/subscribe', { aliases: ['p_million'], cycle_ms: 100 }),
        pauseMillis: 1000,
      }),
    ),
  },
  {
    name: 'P-pointers-most',
    sends: 'WebSocket: changes of as many pointers as a read may follow, ten subscriptions of each client, each 100 ms',
    run: declaring(
      `double * p_most[${MOST_POINTERS}]`,
      webSocket({
        text: (round) =>
          round < SUBSCRIPTIONS
            ? rpc('var/subscribe', { aliases: ['p_most'], cycle_ms: 100, on: round % 2 === 0 ? 'cycle' : 'change' })
            : undefined,
      }),
    ),
  },
  {
    name: 'P-pointers-trick',
    sends: 'var_add of the array of 1,000,000 pointers, with lists of its elements',
    run: pour(() => lines('trick.var_send()', 'trick.var_send_once("p_listed")'), {
      first: lines(
        'trick.TMM_declare_var_s("double * p_listed[1000000]")',
        'trick.var_cycle(0.01)',
        'trick.var_add("p_listed")',
        'for k in range(500): trick.var_add("p_listed[%d]" % k)',
      ),
      pauseMillis: 5,
    }),
  },
  {
    name: 'O-short-lists',
    sends: 'big[0] = [] for rows of 400,000 doubles, line after line',
    run: pour(() => lines(...Array<string>(40).fill('o_rows[0] = []')), {
      first: lines('trick.TMM_declare_var_s("double o_rows[2][400000]")'),
      pauseMillis: 5,
    }),
  },
  {
    name: 'O-json-short-lists',
    sends: 'var/set of 1,000 spellings of an array of 20,000 doubles, each an empty list',
    run: ask(() => SHORT_LISTS),
  },
  {
    name: 'O-json-long-lists',
    sends: 'var/set of 480,000 integers, each time when the answer has come',
    run: declaring(
      `int o_ints[${INTEGERS}]`,
      ask(() => LONG_LIST),
    ),
  },
  {
    name: 'O-blanks',
    sends: 'var_remove of a name of 190,000 blanks, beside a list of 5,000 variables',
    run: pour(() => lines(`trick.var_remove("${BLANKS}x")`), {
      first: lines('trick.var_pause()', 'for k in range(5000): trick.var_add("target.doubles[%d]" % k)'),
    }),
  },
  {
    name: 'O-connections',
    sends: 'var_server_list_connections over and over, with a list of 5,000 variables',
    run: pour(() => lines(...Array<string>(20).fill('trick.var_server_list_connections()')), {
      first: lines(
        'trick.var_pause()',
        'trick.var_set_send_stdio(True)',
        'for k in range(5000): trick.var_add("target.doubles[%d]" % k)',
      ),
      pauseMillis: 5,
    }),
  },
  {
    name: 'O-resume',
    sends: 'GET of a stream that goes on from its first frame, sixteen at a time',
    run: resuming('GET'),
  },
  {
    name: 'O-writes-declare',
    sends: 'var/set of 10,000 scalars over and over, beside variables that are declared and deleted',
    run: writingBesideDeclaring,
  },
  {
    name: 'O-memory-commands',
    sends: 'arrays of 4 MB that are declared, cleared, resized and deleted over and over, beside 1,000,000 pointers',
    run: changingMemory,
  },
  { name: 'O-resume-head', sends: 'the same by HEAD', run: resuming('HEAD') },
];

const SPAWN_MANY = post(batch(500, 'world.spawn_entity', () => ({ components: {} })));

const LONG_LIST = post(rpc('var/set', { alias: 'o_ints', value: Array.from({ length: INTEGERS }, (_, k) => k % 10) }));

const SHORT_LISTS = post(
  rpc('var/set', {
    values: Object.fromEntries(Array.from({ length: 1000 }, (_, k) => [`target.doubles${' '.repeat(k)}`, []])),
  }),
);
