// Serves clients of its own before the first real one, so that the engine has compiled what runs often.
// compat-tests/bench/optimizations.md has what it saves, and how to measure that again.
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import type { Frame } from '../../model/frame/reader.js';
import { Catalog } from '../../model/state/catalog.js';
import type { Variable } from '../../model/state/variable.js';
import type { SessionRegistry } from '../../serving/session/registry.js';
import type { Connection } from '../../serving/transport/connection.js';
import type { Source } from '../../source/source.js';
import { OwnPeer } from './own-peer.js';

/** How many clients connect, one after the other, and how many variables each asks for. */
const CLIENTS = 80;
const COMMANDS = 100;
/** One client in so many sends what takes the whole grammar, whose parser takes 50 ms and more to be built. */
const SCRIPT_EVERY = 8;
/** The most objects that are searched for names, variables that are asked for, and elements of one array. */
const MOST_OBJECTS = 100;
const MOST_VARIABLES = 100;
const MOST_ELEMENTS = 200;

/** While real clients are served, the warm-up skips a turn of its own and waits this long. */
const GIVE_WAY_MILLIS = 20;
/** An answer takes a few milliseconds. */
const PATIENCE_MILLIS = 2000;

/** The answer to var_exists, which is asked last. */
const LAST_ANSWER = '1\t0\n';

/** Makes a server's handler of connections for a source. */
export type AcceptFrom = (source: Source) => (connection: Connection) => void;

export interface WarmUpFacts {
  /** Aborted when the server closes. */
  readonly over: AbortSignal;
  /** Whether a real client has been served since the last call. */
  readonly isBusy: () => boolean;
  readonly clients?: number;
}

/** Serves clients one after another, and leaves a turn out while real ones are served. Ends when the server closes. */
export async function oneByOne(
  { over, isBusy, clients = CLIENTS }: WarmUpFacts,
  serve: (client: number) => Promise<void>,
): Promise<void> {
  for (let client = 0; client < clients && !over.aborted; client++) {
    await (isBusy() ? wait(GIVE_WAY_MILLIS) : serve(client));
    await turn();
  }
}

/**
 * Lets clients in without sockets. Other clients do not see them, and nothing changes in the simulation. Resolves when they are
 * done, or when the server closes.
 */
export async function warmUp(source: Source, acceptFrom: AcceptFrom, facts: WarmUpFacts): Promise<void> {
  const unknowing = new UnknowingSource(source);
  // Two kinds of source, because code that has seen one kind would be compiled for that kind only.
  const accepts = [source, unknowing].map(acceptFrom);
  const names = namesIn(unknowing.catalog);
  await oneByOne(facts, async (client) => {
    unknowing.forget();
    const peer = new OwnPeer();
    const leave = (): void => peer.leave();
    facts.over.addEventListener('abort', leave);
    accepts[client % accepts.length]?.(peer);
    const answer = peer.heard(PATIENCE_MILLIS, (message) => message === LAST_ANSWER);
    peer.say(`trick.var_pause()\ntrick.var_cycle(0.1)\n${blockOf(names, client)}`);
    await answer;
    facts.over.removeEventListener('abort', leave);
    leave();
  });
}

/** Makes `isBusy`: whether sessions have been sent anything since the last call. */
export function activityOf(registry: SessionRegistry): () => boolean {
  let known = 0;
  return () => {
    let sent = 0;
    for (const { sentMessages } of registry.traffic.values()) sent += sentMessages;
    const isBusy = sent !== known;
    known = sent;
    return isBusy;
  };
}

/** Paths of variables, and of the elements of arrays. */
export function namesIn(catalog: Catalog): readonly string[] {
  const names: string[] = [];
  let variables = 0;
  for (const variable of catalog.variables()) {
    names.push(...elementsOf(variable));
    if (++variables === MOST_VARIABLES) break;
  }
  return names;
}

function elementsOf({ path, type }: Variable): string[] {
  if (type.kind !== 'array') return [path];
  return Array.from({ length: Math.min(type.length, MOST_ELEMENTS) }, (_, index) => `${path}[${index}]`);
}

/** Each block of commands is a new text, so that no cache knows it. */
function blockOf(names: readonly string[], client: number): string {
  const chosen = Array.from({ length: COMMANDS }, (_, k) => names[(COMMANDS * client + k) % names.length] as string);
  const lines = [
    ...chosen.map((name) => `var_add("${name}")`),
    'var_send_list_size()',
    'var_send()',
    'var_clear()',
    `var_send_once("time,client_${client}", 2)`,
    `var_exists("client_${client}")`,
  ];
  const script = client % SCRIPT_EVERY === 1 ? scriptOf(client) : '';
  return script + lines.map((line) => `trick.${line}\n`).join('');
}

/** Loops, lists, comparisons and texts; it is answered twice. */
const scriptOf = (client: number): string =>
  [
    `numbers = [${client}] * 8`,
    'def twice(value): return 2 * value',
    'if twice(len(numbers)) == 16 and numbers != ["text"]:',
    '  for k in range(2): trick.var_send_list_size()',
    'shown = f"{max(numbers):5d} {numbers}"',
    '',
  ].join('\n');

/**
 * The same simulation without its known names, which must be looked up again; of many objects it has the first ones.
 */
class UnknowingSource implements Source {
  catalog!: Catalog;

  constructor(private readonly source: Source) {
    this.forget();
  }

  forget(): void {
    const { version, arenaBytes, objects, functions } = this.source.catalog;
    const known = objects.slice(0, MOST_OBJECTS);
    this.catalog = new Catalog({ version, arenaBytes, objects: known, functions: [...functions.values()] });
  }

  get frame(): Frame {
    return this.source.frame;
  }
  get info(): Source['info'] {
    return this.source.info;
  }
  get abilities(): Source['abilities'] {
    return this.source.abilities;
  }
  get playback(): Source['playback'] {
    return this.source.playback;
  }
  get lapped(): number {
    return this.source.lapped;
  }
  get skipped(): number {
    return this.source.skipped;
  }
  onFrame: Source['onFrame'] = (listener) => this.source.onFrame(listener);
  onMessage: Source['onMessage'] = (listener) => this.source.onMessage(listener);
  onEnd: Source['onEnd'] = (listener) => this.source.onEnd(listener);
  submit: Source['submit'] = (request) => this.source.submit(request);
  past: Source['past'] = (number) => this.source.past(number);
  close: Source['close'] = () => this.source.close();
}
