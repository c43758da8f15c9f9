// How a program makes a source of a Trick simulation that runs elsewhere.
// A simulation that imports varwire needs none of it, so it is loaded when a bridge is made.
import type { SettableValue } from './clients/trick/index.js';
import type { ListedValues } from './clients/trick/listed-values.js';
import { bracketed } from './serving/transport/address.js';
import type { TrickEnd } from './source/bridge/trick-end.js';
import type { Source } from './source/source.js';

/** Where the simulation is. */
export interface BridgeOptions {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** The port of its variable server. */
  readonly port: number;
  /** Default `bridge`. */
  readonly name?: string;
  /** Refuses writes and control. Default false. */
  readonly readOnly?: boolean;
  /** Closes the source when it is aborted, and the connections that are being made for it. */
  readonly signal?: AbortSignal;
}

/**
 * Makes a source of a Trick simulation that runs elsewhere; `serveSource` serves it. The simulation sees one client,
 * whatever number is served. When the connection is lost, clients stay, and the bridge connects again. Rejects with one
 * sentence when nobody listens there, or the simulation takes no clients.
 *
 *     await serveSource(await bridge({ host: 'simulator', port: 7000 }), { port: 8000 });
 */
export async function bridge({
  host = '127.0.0.1',
  port,
  name = 'bridge',
  readOnly = false,
  signal,
}: BridgeOptions): Promise<Source> {
  const known: Known = {};
  const address = `${bracketed(host)}:${port}`;
  const [{ BridgeSource }, { OVERLAYS }] = await Promise.all([
    import('./source/bridge/bridge.js'),
    import('./run/serve/overlays.js'),
  ]);
  const source = await BridgeSource.open(
    { address, name, isReadOnly: readOnly, connect: () => connect(host, port, known, signal) },
    OVERLAYS,
  );
  signal?.addEventListener('abort', () => void source.close());
  return source;
}

const TAG = 'varwire bridge';
const MESSAGE_PORT = 'trick_message.mdevice.port';
const MESSAGE_TIMEOUT_MILLIS = 2000;

/** A description that was read before: a simulation that comes back mostly has the same. */
interface Known {
  description?: Description;
}
type Description = Awaited<ReturnType<TrickEnd['describe']>>;

async function connect(host: string, port: number, known: Known, signal?: AbortSignal): Promise<TrickEnd> {
  const [
    { parseSieResource, TrickClient },
    { ListedValues },
    { hearMessages },
    measuring,
    { recordingGroups },
    { simulationEvents },
  ] = await Promise.all([
    import('./clients/trick/index.js'),
    import('./clients/trick/listed-values.js'),
    import('./clients/trick/messages.js'),
    import('./clients/trick/measuring.js'),
    import('./clients/trick/recording-groups.js'),
    import('./clients/trick/simulation-events.js'),
  ]);
  const client = await TrickClient.connect({ host, port, tag: TAG });
  let list: ListedValues | undefined;
  let messages: { close(): void } | undefined;
  let isClosed = false;
  const close = (): void => {
    isClosed = true;
    signal?.removeEventListener('abort', close);
    messages?.close();
    list?.close();
    client.close();
  };
  signal?.addEventListener('abort', close);
  if (signal?.aborted) close();
  const send = (text: string, { mayFail } = { mayFail: false }) => client.send(text, { mayFail });
  const get = (names: readonly string[]): Promise<readonly unknown[]> => measuring.once(send, names);
  return {
    async describe() {
      const text = await client.sieResource();
      if (text === undefined) throw new Error(`the simulation at ${host}:${port} does not describe its variables`);
      if (known.description?.text === text) return known.description;
      const described = parseSieResource(text);
      // Its resource has the enumerations of the simulation's own code alone.
      const answers = await client.send('trick.send_sie_enum()');
      const others = answers.flatMap((answer) => (answer.kind === 'file' && answer.bytes ? [answer.bytes] : []));
      const lists = others.map((bytes) => parseSieResource(bytes.toString('utf8')).enumerations);
      const enumerations = new Map([...lists, described.enumerations].flatMap((list) => [...list]));
      known.description = {
        text,
        described: { classes: described.classes, topLevel: described.topLevel, enumerations },
      };
      return known.description;
    },
    readable: (names) => client.readable(names, { inOneMessage: true }),
    exist: (names) => measuring.existing(send, names),
    sizes: (names) => measuring.sizes(send, names),
    elements: (names) => measuring.elements(send, names),
    get,
    setAll: (settings) =>
      client.setMany(settings.map(({ path, value }) => ({ name: path, value: value as SettableValue }))),
    freeze: () => client.freeze(),
    run: () => client.run(),
    step: (frames) => client.step(frames),
    call: (name, ...values) => client.call(name, values as SettableValue[]),
    recordings: () => recordingGroups(client),
    events: () => simulationEvents(get),
    checkpoint: (file) => client.checkpoint(file),
    load: (file) => client.load(file),
    async hear(say, lost) {
      const at = Number((await get([MESSAGE_PORT]))[0] ?? 0);
      if (at <= 0) return;
      messages = await hearMessages({ host, port: at, timeoutMillis: MESSAGE_TIMEOUT_MILLIS }, say, lost);
      if (isClosed) messages.close();
    },
    async list() {
      list = await ListedValues.connect({ host, port, tag: TAG });
      if (isClosed) list.close();
      return list;
    },
    close,
  };
}
