// Frames over NATS: one connection for each end, a subject for each kind of message.
import type { Msg, NatsConnection, NodeConnectionOptions } from '@nats-io/transport-node';
import { type Connect, Down, type EdgeEvents, type Hello, helloOf, Up } from './carrier.js';
import { PartsJoined } from './parts.js';

/** Who connects without a name. */
const NOBODY = 'anyone';
const CONNECT_MILLIS = 5000;
const LONGEST_NAME = 64;
/** What NATS itself adds to a message. */
const HEAD_ROOM_BYTES = 1024;

/** The last word of the subject of each kind of message to edges. */
const WORDS: Readonly<Record<number, string>> = {
  [Down.hello]: 'hello',
  [Down.catalog]: 'catalog',
  [Down.frame]: 'frame',
  [Down.note]: 'note',
};

/** Subjects of a simulation. What is published to `do.NAME` comes from that user: the server's permissions say so. */
export interface Subjects {
  /** The name in a form that NATS takes. */
  readonly token: string;
  readonly of: (kind: number) => string;
  readonly all: readonly string[];
  readonly need: string;
  readonly do: (user: string) => string;
}

/** Throws a RangeError for a name that is empty or too long. */
export function subjectsOf(name: string): Subjects {
  if (name === '' || name.length > LONGEST_NAME)
    throw new RangeError(`a name at NATS has 1 to ${LONGEST_NAME} characters`);
  const token = tokenOf(name);
  const before = `vw.${token}`;
  return {
    token,
    of: (kind) => `${before}.${WORDS[kind]}`,
    all: Object.values(WORDS).map((word) => `${before}.${word}`),
    need: `${before}.need`,
    do: (user) => `${before}.do.${user === '*' ? user : tokenOf(user)}`,
  };
}

/** What a subject has no room for, as its bytes. */
const tokenOf = (name: string): string =>
  [...Buffer.from(name)]
    .map((byte) => (/[\w-]/.test(String.fromCharCode(byte)) ? String.fromCharCode(byte) : `=${byte.toString(16)}`))
    .join('');

/** Where answers come: the server's permissions keep those of others away. */
const inboxOf = (user: string): string => `_INBOX.${tokenOf(user)}`;

export interface NatsLink {
  readonly connection: NatsConnection;
  readonly user: string;
  /** For sentences: without user and password. */
  readonly address: string;
  /** Of a message. */
  readonly mostBytes: number;
}

/**
 * Connects once: who wants to stay connected makes another connection, so that nothing of the one before comes after it.
 * @param url such as `nats://user:password@host:4222`, or tls://; several with commas.
 * @param others what is to be different.
 */
export async function connectNats(url: string, others: NodeConnectionOptions = {}): Promise<NatsLink> {
  const urls = url.split(',').map(parsed);
  const [{ username, password }] = urls as [URL];
  const address = shown(url);
  const { connect } = await loaded();
  const user = decodeURIComponent(username);
  // A token has no name.
  const who = password === '' ? NOBODY : user;
  const named = password === '' ? { token: user } : { user, pass: decodeURIComponent(password) };
  try {
    const connection = await connect({
      servers: urls.map(({ host }) => host),
      ...(username !== '' && named),
      ...(urls.some(({ protocol }) => protocol === 'tls:') && { tls: {} }),
      reconnect: false,
      timeout: CONNECT_MILLIS,
      pingInterval: 1000,
      maxPingOut: 2,
      noEcho: true,
      inboxPrefix: inboxOf(who),
      ...others,
    });
    const mostBytes = (connection.info?.max_payload ?? 2 ** 20) - HEAD_ROOM_BYTES;
    return { connection, user: who, address, mostBytes };
  } catch (error) {
    throw new Error(`the NATS server at ${address} cannot be reached: ${(error as Error).message}`);
  }
}

/** The servers without user and password. Throws a RangeError for what names none. */
export const shown = (url: string): string =>
  url
    .split(',')
    .map((one) => parsed(one).host)
    .join(',');

async function loaded(): Promise<typeof import('@nats-io/transport-node')> {
  try {
    return await import('@nats-io/transport-node');
  } catch {
    throw new Error('NATS needs a package that is not installed: npm install @nats-io/transport-node@3.3.1');
  }
}

function parsed(text: string): URL {
  if (/^(nats|tls):\/\/[^/]+\/?$/.test(text) && URL.canParse(text)) {
    const url = new URL(text);
    if (url.hostname !== '') return url;
  }
  throw new RangeError('a NATS server is named like nats://host:4222');
}

/** Tells of what the server refuses, until the connection ends. */
export async function followRefusals({ connection }: NatsLink, refused: (text: string) => void): Promise<void> {
  for await (const status of connection.status()) if (status.type === 'error') refused(status.error.message);
}

/** Resolves with the reason when the connection has ended. */
export const endOf = async ({ connection }: NatsLink): Promise<string> =>
  (await connection.closed())?.message ?? 'the connection was closed';

export type Heard = Pick<Msg, 'data' | 'subject' | 'reply'>;

/**
 * Hears what is published to a subject. What is not understood, whoever has sent it, is left out: an error in this call would
 * end the connection.
 */
export function listen({ connection }: NatsLink, subject: string, heard: (message: Heard) => void): void {
  connection.subscribe(subject, {
    callback: (error, message) => {
      if (error) return;
      try {
        heard(message);
      } catch {
        // The next message may be one.
      }
    },
  });
}

export function connectByNats(url: string, name: string): Connect {
  return async (events) => {
    const link = await connectNats(url);
    return opened(link, subjectsOf(name), events);
  };
}

async function opened(link: NatsLink, subjects: Subjects, events: EdgeEvents) {
  const { connection, user, address } = link;
  const { createInbox } = await loaded();
  const reply = createInbox(inboxOf(user));
  const asked = subjects.do(user);
  const joined = new PartsJoined();
  const heard = ({ data }: Heard): void => {
    const whole = joined.take(data);
    if (whole) events.message(whole);
  };
  for (const subject of subjects.all) listen(link, subject, heard);
  listen(link, reply, (message) => {
    if (message.data.length > 0) heard(message);
    else events.lost(`no simulation of that name is at ${address}`);
  });
  void followRefusals(link, (text) => {
    if (text.includes(asked)) events.denied();
    else events.lost(`the NATS server at ${address} refuses: ${text}`);
  });
  void endOf(link).then((reason) => events.lost(reason));
  return {
    mostBytes: link.mostBytes,
    tell: (kind: Up, text: string): void => {
      if (kind === Up.need) connection.publish(subjects.need, text, { reply });
      else if (kind === Up.request) connection.publish(asked, text, { reply });
    },
    close: (): void => void connection.close().catch(() => undefined),
  };
}

const HELLOS = 'vw.*.hello';
const MOST_FOUND = 1000;

/** A simulation that says that it is there. */
export type FoundByNats = Pick<Hello, 'info' | 'mode' | 'timeSeconds'> & { readonly name: string };

/** The simulations at a server, each once, 1000 at most. Throws an Error with one sentence. */
export async function findByNats(url: string, seconds: number): Promise<readonly FoundByNats[]> {
  const link = await connectNats(url);
  const { connection, address } = link;
  const found = new Map<string, FoundByNats>();
  hearHellos(
    link,
    () => found.size < MOST_FOUND,
    (one) => found.set(one.name, one),
  );
  const refused = new Promise<never>((_, reject) => {
    void followRefusals(link, (text) => reject(new Error(`the NATS server at ${address} refuses: ${text}`)));
    void endOf(link).then((reason) => reject(new Error(`the NATS server at ${address} is gone: ${reason}`)));
  });
  try {
    await Promise.race([refused, new Promise((resolve) => setTimeout(resolve, 1000 * seconds))]);
  } finally {
    await connection.close();
  }
  return [...found.values()];
}

/** Calls for each time that a simulation says that it is there, if its name is wanted. */
export function hearHellos(
  link: NatsLink,
  isWanted: (name: string) => boolean,
  heard: (found: FoundByNats) => void,
): void {
  listen(link, HELLOS, ({ data, subject }) => {
    const name = nameOf(subject);
    if (data[0] !== Down.hello || !isWanted(name)) return;
    const { info, mode, timeSeconds } = helloOf(data);
    heard({ name, info, mode, timeSeconds });
  });
}

/** As `tokenOf` was given it. */
const nameOf = (subject: string): string =>
  Buffer.from(
    (subject.split('.')[1] ?? '').replace(/=([0-9a-f]{2})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    ),
    'latin1',
  ).toString();
