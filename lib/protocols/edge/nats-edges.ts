// Edges that a NATS server leads to.
import { LIMITS } from '../../model/bounds/limits.js';
import type { Log } from '../../serving/session/log.js';
import type { SessionRegistry } from '../../serving/session/registry.js';
import type { SessionFacts } from '../../serving/session/session.js';
import { Down, jsonOf, type Need, type PastAsked, type SourceLine } from '../../source/edge/carrier.js';
import {
  connectNats,
  endOf,
  followRefusals,
  type Heard,
  listen,
  type NatsLink,
  type Subjects,
  subjectsOf,
} from '../../source/edge/nats.js';
import { partsOf } from '../../source/edge/parts.js';
import type { MethodCalls } from '../json-rpc/method-calls.js';
import { Answers, type Asker } from './answers.js';
import { Pasts } from './pasts.js';
import { GREET_SECONDS, Sender } from './sender.js';

/** The pause before it connects again. */
const PAUSE_MILLIS = 1000;
/** Each has a session here. */
const MOST_USERS = LIMITS.usersByNats.all;
const INBOXES = '_INBOX.';
/** How long another simulation of the same name has to say that it is there. */
const TAKEN_MILLIS = 500;
const CLOSE_MILLIS = 500;
/** What is kept needs all frames, as an edge does; and the whole catalog again and again, because the oldest is not kept. */
const [KEEPER, WHOLE_SECONDS] = ['kept', 10];
/** No client takes anything here: NATS does. */
const NOWHERE = { write: () => true, pendingBytes: 0 };

export interface NatsOptions {
  readonly registry: SessionRegistry;
  readonly log: Log;
  readonly epoch: number;
  readonly url: string;
  readonly name: string;
  readonly calls: MethodCalls;
  /** How long the server keeps frames for who comes later; undefined for not at all. */
  readonly keepSeconds?: number | undefined;
}

export class NatsEdges {
  private readonly answers: Answers;
  private readonly askers = new Map<string, Asker>();
  private pasts: Pasts | undefined;
  private link: NatsLink | undefined;
  private sender: Sender | undefined;
  private isClosed = false;
  private again: NodeJS.Timeout | undefined;

  constructor(private readonly options: NatsOptions) {
    this.answers = new Answers(options.epoch, () => options.registry.clock.nowMillis());
  }

  /** Rejects with one sentence when the server cannot be reached, or has a simulation of that name. */
  async start(): Promise<void> {
    await this.open(true);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.again);
    this.sender?.end('its server is closing');
    // What has been published goes out first, if the server takes it.
    const drained = this.link?.connection.drain().catch(() => undefined);
    await Promise.race([drained, new Promise((resolve) => setTimeout(resolve, CLOSE_MILLIS))]);
    this.pasts?.close();
    for (const { session } of this.askers.values()) session.close();
  }

  private async open(isFirst: boolean): Promise<void> {
    const { url, name, log } = this.options;
    const subjects = subjectsOf(name);
    const link = await connectNats(url);
    if (this.isClosed) return link.connection.close();
    this.link = link;
    if (isFirst) await this.requireFree(link, subjects);
    await this.keep(link, isFirst);
    const sender = this.serve(link, subjects);
    const refused = (text: string): void => log('error', `the NATS server at ${link.address} refuses: ${text}`);
    void followRefusals(link, refused);
    void endOf(link).then((reason) => {
      sender.end();
      if (this.isClosed) return;
      log('warning', `the connection to the NATS server at ${link.address} is lost: ${reason}`);
      this.openLater(link.address);
    });
  }

  private openLater(address: string): void {
    const found = (): void => this.options.log('warning', `connected again to the NATS server at ${address}`);
    const missed = (): void => this.openLater(address);
    this.again = setTimeout(() => void this.open(false).then(found, missed), PAUSE_MILLIS);
  }

  /** Where nothing is kept at first, the simulation is not served so. */
  private async keep(link: NatsLink, isFirst: boolean): Promise<void> {
    const { name, keepSeconds, log } = this.options;
    if (keepSeconds === undefined) return;
    const { keepFrames } = await import('../../source/edge/nats-stream.js');
    await keepFrames(link, name, keepSeconds).catch(async (error: Error) => {
      if (!isFirst) return log('error', error.message);
      await link.connection.close();
      throw error;
    });
  }

  /** Two simulations of one name would show now this, now that. */
  private async requireFree({ connection, address }: NatsLink, { need }: Subjects): Promise<void> {
    const refusal = await connection.request(need, '{}', { timeout: TAKEN_MILLIS }).then(
      () => '',
      ({ message }: Error) => message,
    );
    if (/no responders/i.test(refusal)) return;
    await connection.close();
    if (/permission/i.test(refusal)) throw new Error(`the NATS server at ${address} refuses: ${refusal}`);
    throw new Error(
      `${address} has a simulation named ${this.options.name} already; give this one another --nats-name`,
    );
  }

  private serve(link: NatsLink, subjects: Subjects): { end(): void } {
    const { registry, epoch } = this.options;
    const nowMillis = (): number => registry.clock.nowMillis();
    const line = new NatsLine(link, subjects);
    const sender = new Sender(registry.source, line, { epoch, nowMillis });
    this.sender = sender;
    // Nobody has this simulation publish to other places than inboxes.
    const answerTo = ({ reply }: Heard, answer: Promise<Uint8Array>): void => {
      const sent = answer.then((message) => reply?.startsWith(INBOXES) && line.sendTo(reply, message));
      sent.catch(() => undefined);
    };
    listen(link, subjects.need, (message) => {
      const need = needOf(message.data);
      if (need?.past) answerTo(message, this.pastOf(need.past));
      else if (need) sender.need(need);
    });
    listen(link, subjects.do('*'), (message) => {
      const { subject, data } = message;
      const asker = this.askerOf(subject.slice(subject.lastIndexOf('.') + 1));
      if (asker) answerTo(message, this.answers.to(asker, data));
    });
    sender.greet();
    const stops = [registry.timetable.every(GREET_SECONDS, () => sender.greet(), GREET_SECONDS)];
    if (this.options.keepSeconds !== undefined) {
      const keepWhole = (): void => sender.need({ edge: KEEPER, anew: true });
      keepWhole();
      stops.push(registry.timetable.every(WHOLE_SECONDS, keepWhole, WHOLE_SECONDS));
    }
    return {
      end: () => {
        for (const stop of stops) stop();
        sender.close();
      },
    };
  }

  /** Who may see a simulation, may see its past. */
  private pastOf(past: PastAsked): Promise<Uint8Array> {
    const { calls, registry } = this.options;
    this.pasts ??= new Pasts(calls, registry.create(factsOf('viewers'), NOWHERE), registry);
    return this.pasts.to(past);
  }

  /** Undefined when so many others wait for answers. */
  private askerOf(user: string): Asker | undefined {
    const known = this.askers.get(user);
    this.askers.delete(user);
    if (!known && this.askers.size >= MOST_USERS && !this.forgetOne()) return undefined;
    const asker: Asker = known ?? {
      session: this.options.registry.create(factsOf(user), NOWHERE),
      mayChange: true,
      open: 0,
    };
    this.askers.set(user, asker);
    return asker;
  }

  /** Who was silent for longest comes first. */
  private forgetOne(): boolean {
    for (const [user, { session, open }] of this.askers)
      if (open === 0) {
        session.close();
        return this.askers.delete(user);
      }
    return false;
  }
}

const factsOf = (user: string): SessionFacts => ({
  frontEnd: 'nats',
  peer: `nats-${user}`,
  transport: 'nats',
  owner: `nats-${user}`,
});

/** Undefined for what no edge sends. */
function needOf(data: Uint8Array): Need | undefined {
  try {
    const need = jsonOf<Need>(Buffer.concat([Uint8Array.of(0), data]));
    return typeof need.edge === 'string' && need.edge.length <= 32 ? need : undefined;
  } catch {
    return undefined;
  }
}

/** What was published before a PONG of the server has been taken by it. */
class NatsLine implements SourceLine {
  private messages = 0;

  constructor(
    private readonly link: NatsLink,
    private readonly subjects: Subjects,
  ) {}

  send(message: Uint8Array): void {
    this.sendTo(this.subjects.of(message[0] ?? Down.note), message);
  }

  sendTo(subject: string, message: Uint8Array): void {
    const { connection, mostBytes } = this.link;
    if (connection.isClosed() || connection.isDraining()) return;
    this.messages = (this.messages + 1) >>> 0;
    for (const part of partsOf(message, mostBytes, this.messages)) connection.publish(subject, part);
  }

  taken(): Promise<void> {
    return this.link.connection.flush();
  }
}
