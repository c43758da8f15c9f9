// session/me, sim/clients and sim/messages: who asks, who else is connected, and what the simulation has said.

import { z } from 'zod';
import { MARK_KINDS } from '../../serving/session/mark-log.js';
import { MOST_MESSAGES, type NumberedMessage } from '../../serving/session/message-log.js';
import type { LatestStream } from '../../serving/session/outbound.js';
import type { Session } from '../../serving/session/session.js';
import { AnswerText } from './answer-text.js';
import type { CallContext } from './call-context.js';
import { addMessages, shownMessage } from './message-texts.js';
import { defineMethod, type Method } from './method.js';
import { RpcCode, RpcError } from './rpc-error.js';

const DEFAULT_CYCLE_MILLIS = 100;

const me = defineMethod({
  name: 'session/me',
  about:
    'Who this client is to the server, and what it may do. After a restart `started` differs, so a page can tell that it must begin anew.',
  params: z.strictObject({}),
  result: z.object({
    address: z.string(),
    protocol: z.enum(['http', 'websocket']),
    may_change: z.boolean().describe('False for a token that may only read'),
    methods: z.array(z.string()).describe('The methods that this client may call'),
    version: z.string().describe("The server's"),
    started: z.string().describe('When the server has started, in ISO 8601'),
    simulation: z.string(),
    abilities: z.record(z.string(), z.boolean()).describe('What the source can do: write, control, call ...'),
    default_cycle_ms: z.number().describe('The cycle of a subscription that asks for none'),
    history_sec: z.number().describe('How long var/history keeps every value, before it thins them; 0 when it is off'),
  }),
  examples: [
    {
      name: 'over HTTP',
      params: {},
      result: {
        address: '127.0.0.1',
        protocol: 'http',
        may_change: true,
        methods: ['var/list', 'var/get'],
        version: '1.2.3',
        started: '2026-01-02T03:04:05.000Z',
        simulation: 'ball',
        abilities: {
          write: true,
          control: true,
          playback: false,
          call: true,
          checkpoint: true,
          record: true,
          switchRecordings: true,
          layouts: true,
          spawn: true,
          schedule: true,
        },
        default_cycle_ms: 100,
        history_sec: 600,
      },
    },
  ],
  run: ({
    source,
    session,
    channel,
    mayChange,
    server,
    history,
    defaultCycleMillis = DEFAULT_CYCLE_MILLIS,
  }: CallContext) => ({
    address: session.facts.peer,
    protocol: channel,
    may_change: mayChange,
    methods: [...server.methods()].filter(({ isChange }) => mayChange || !isChange).map(({ name }) => name),
    version: server.version,
    started: new Date(server.startedMillis).toISOString(),
    simulation: source.info.name,
    abilities: { ...source.abilities },
    default_cycle_ms: defaultCycleMillis,
    history_sec: history?.wholeSeconds ?? 0,
  }),
});

/** The most clients in one answer, and the most paths that are named of one. */
const MOST_CLIENTS = 500;
const MOST_NAMED = 20;

const client = z.object({
  id: z.int(),
  protocol: z.string().describe('trick, http, brp or krpc, or that of an embedding program'),
  transport: z.string().describe('tcp, udp, http, websocket, sse ...'),
  address: z.string(),
  tag: z.string().describe('What the client calls itself'),
  is_me: z.boolean(),
  reads: z.array(z.string()).describe(`The first ${MOST_NAMED} paths that it is sent again and again`),
  reads_count: z.int(),
  subscriptions: z.int(),
  sent_messages: z.int(),
  sent_bytes: z.int(),
  dropped_messages: z.int().describe('Messages left out because it did not keep up'),
});

const clients = defineMethod({
  name: 'sim/clients',
  about:
    'Who is connected, in any protocol, and what is sent to them. Requests over HTTP from one address are one client.',
  params: z.strictObject({}),
  result: z.object({
    clients: z.array(client),
    more: z.boolean().describe(`Whether there are more than ${MOST_CLIENTS}`),
  }),
  examples: [
    {
      name: 'alone',
      params: {},
      result: {
        clients: [
          {
            id: 1,
            protocol: 'http',
            transport: 'http',
            address: '127.0.0.1',
            tag: '',
            is_me: true,
            reads: [],
            reads_count: 0,
            subscriptions: 0,
            sent_messages: 0,
            sent_bytes: 0,
            dropped_messages: 0,
          },
        ],
        more: false,
      },
    },
  ],
  async run({ server, session: own, turn }: CallContext) {
    const rows: z.input<typeof client>[] = [];
    const sessions = [...server.sessions()];
    const opened = openedSessions(sessions);
    let named = 0;
    for (const session of sessions) {
      // The server's own sessions have no client.
      if (session.facts.transport === 'none' || session.facts.openedBy) continue;
      if (rows.length === MOST_CLIENTS) return { clients: rows, more: true };
      const { row, count } = clientOf(session, opened.get(session) ?? [], own);
      rows.push(row);
      named += 1 + count;
      if (named < NAMED_AT_ONCE) continue;
      named = 0;
      await turn();
    }
    return { clients: rows, more: false };
  },
});

/** Clients, and names that they read, between two turns. */
const NAMED_AT_ONCE = 1000;

/** The sessions that were opened for another one, such as one in which a page runs commands. */
function openedSessions(sessions: readonly Session[]): ReadonlyMap<Session, readonly Session[]> {
  const opened = new Map<Session, Session[]>();
  for (const session of sessions) {
    const { openedBy } = session.facts;
    if (openedBy) opened.set(openedBy, [...(opened.get(openedBy) ?? []), session]);
  }
  return opened;
}

/** One row of a client with all of its sessions. */
function clientOf(session: Session, opened: readonly Session[], own: Session) {
  const { id, facts } = session;
  const all = [session, ...opened];
  const reads: string[] = [];
  let count = 0;
  for (const { reading } of all) for (const path of reading()) if (count++ < MOST_NAMED) reads.push(path);
  const sum = (of: (each: Session) => number): number => all.reduce((total, each) => total + of(each), 0);
  const row = {
    id,
    protocol: facts.frontEnd,
    transport: facts.transport,
    address: facts.peer,
    tag: all.find(({ tag }) => tag !== '')?.tag ?? '',
    is_me: session === own,
    reads,
    reads_count: count,
    subscriptions: sum(({ account }) => account.amountOf('subscriptions')),
    sent_messages: session.outbound.sentMessages,
    sent_bytes: session.outbound.sentBytes,
    dropped_messages: sum(({ outbound }) => outbound.droppedMessages),
  };
  return { row, count };
}

const message = z.object({
  number: z.int().describe('Counts the messages from 1'),
  level: z.string().describe('normal, informational, warning, error or debug'),
  text: z.string(),
  elapsed_sec: z.number().describe('Simulation time since the start'),
});

const DEFAULT_MESSAGES = 100;

const messages = defineMethod({
  name: 'sim/messages',
  about:
    'The latest messages of the simulation and of the server, oldest first. With follow, over a WebSocket, later ones come as notifications `sim/message`; after a gap in their numbers ask with `after`.',
  params: z.strictObject({
    last: z.int().min(0).max(MOST_MESSAGES).default(DEFAULT_MESSAGES).describe('At most this many'),
    after: z.int().min(0).default(0).describe('Only those with a number above this'),
    follow: z.boolean().optional().describe('true: send later ones; false: send no more'),
  }),
  result: z.object({ messages: z.array(message), following: z.boolean() }),
  examples: [
    {
      name: 'the latest',
      params: { last: 1 },
      result: { messages: [{ number: 1, level: 'warning', text: 'low fuel', elapsed_sec: 1.23 }], following: false },
    },
  ],
  async run(context: CallContext, { last, after, follow }) {
    if (follow && context.channel !== 'websocket') {
      throw new RpcError(RpcCode.invalidParams, 'sim/messages: follow is for a WebSocket at /ws');
    }
    const { messages: log } = context.server;
    if (follow === false) endFollowing(context);
    else if (follow) beginFollowing(context);
    const isFollowing = following.has(context.session);
    const text = AnswerText.of('{"messages":[');
    if (last > 0) await addMessages(text, log.latest(last, after), context.turn);
    text.add(`],"following":${isFollowing}}`);
    return text;
  },
});

const marks = defineMethod({
  name: 'sim/marks',
  about: 'What happened when: freezes and runs, jumps of time, checkpoints, events that fired, warnings and errors.',
  params: z.strictObject({ after: z.int().min(0).default(0).describe('Only those with a number above this') }),
  result: z.object({
    marks: z.array(
      z.object({
        number: z.int(),
        kind: z.enum(MARK_KINDS),
        sec_si: z.number().describe("By the simulation's clock, as sim_time.sec_si"),
        text: z.string(),
      }),
    ),
  }),
  examples: [
    {
      name: 'a warning',
      params: {},
      result: { marks: [{ number: 1, kind: 'message', sec_si: 1.23, text: 'low fuel' }] },
    },
  ],
  run: ({ server }: CallContext, { after }) => ({
    marks: server.marks.after(after).map(({ clockSeconds, ...mark }) => ({ ...mark, sec_si: clockSeconds })),
  }),
});

/** Made for the first follower, and the same for all; as many are kept as are sent at once. */
const notifications = new Map<NumberedMessage, Uint8Array>();

function notificationOf(said: NumberedMessage): Uint8Array {
  const known = notifications.get(said);
  if (known) return known;
  const text = JSON.stringify({ jsonrpc: '2.0', method: 'sim/message', params: shownMessage(said) });
  const made = Buffer.from(text);
  notifications.set(said, made);
  const [oldest] = notifications.keys();
  if (oldest && notifications.size > MOST_AT_ONCE) notifications.delete(oldest);
  return made;
}

/** By session: the function that ends its following of the messages. */
const following = new WeakMap<Session, () => void>();

/** Follows until the client goes or says so. Throws an OverBoundError. */
function beginFollowing(context: CallContext): void {
  const { session, presence, server } = context;
  if (following.has(session) || presence.isOver) return;
  session.account.take('subscriptions');
  const sender = new MessageSender(context);
  const stop = server.messages.follow(() => sender.tell());
  const end = (): void => {
    stop();
    forget();
    following.delete(session);
    session.outbound.withdraw(sender);
    session.account.give('subscriptions');
  };
  following.set(session, end);
  const forget = presence.onEnd(end);
}

/** A follower that is behind by more is sent the latest ones, and earlier ones are left out. */
const MOST_AT_ONCE = 100;

/**
 * Sends messages in turns, so that many followers of a talkative simulation hold up nobody, and when the client has taken
 * what was sent.
 */
class MessageSender implements LatestStream {
  readonly kind = 'text';
  private sentNumber: number;
  private isWaiting = false;

  constructor(private readonly context: CallContext) {
    this.sentNumber = context.server.messages.latestNumber;
  }

  tell(): void {
    if (this.isWaiting || !this.mayGoOn) return;
    const { turns, session } = this.context;
    this.isWaiting = true;
    const over = (): void => {
      this.isWaiting = false;
      this.tell();
    };
    const later = turns.dueSteps(session.account, () => this.send());
    if (later) later.then(over, (error) => turns.failed(error));
    else over();
  }

  /** Whether there is a message to send and room for it. */
  private get mayGoOn(): boolean {
    const { server, session } = this.context;
    const isBehind = server.messages.latestNumber > this.sentNumber;
    return isBehind && following.has(session) && !session.outbound.holds(this);
  }

  private send(): boolean {
    if (this.mayGoOn) this.context.session.outbound.offerLatest(this);
    return this.mayGoOn;
  }

  /** Made when the client has room for it, which may be later. */
  latest(): Uint8Array | undefined {
    const { server, session, turns } = this.context;
    const { messages } = server;
    const number = Math.max(this.sentNumber, messages.latestNumber - MOST_AT_ONCE) + 1;
    const said = messages.from(number);
    if (!said || !following.has(session)) return undefined;
    session.outbound.countDropped(said.number - this.sentNumber - 1);
    this.sentNumber = said.number;
    // What was held has waited for room; those behind it go when it has gone.
    if (!this.isWaiting) turns.resume(session.account, () => this.tell());
    return notificationOf(said);
  }
}

function endFollowing({ session }: CallContext): void {
  following.get(session)?.();
}

export const sessionMethods: readonly Method<CallContext>[] = [me, clients, messages, marks];
