// One client of Foxglove's protocol.
import type { Frame } from '../../model/frame/reader.js';
import type { Session } from '../../serving/session/session.js';
import type { WebSocketPeer } from '../../serving/transport/connection.js';
import type { Admission } from '../../serving/transport/front-end.js';
import { type Answering, AskingSocket } from '../json-rpc/asking-socket.js';
import type { CallContext } from '../json-rpc/call-context.js';
import { parseJson } from '../json-rpc/json-text.js';
import type { RpcError } from '../json-rpc/rpc-error.js';
import { assetAnswer } from './assets.js';
import {
  assetFailure,
  type ClientMessage,
  nanosecondsOf,
  parseClientMessage,
  serviceResponse,
  timeOf,
} from './binary.js';
import { MOST_CHANNELS } from './channels.js';
import { ClientParameters } from './client-parameters.js';
import { ClientSubscriptions } from './client-subscriptions.js';
import type { Offered } from './connection-graph.js';
import type { Channel } from './json-schema.js';
import { type ClientText, checkedMessage } from './messages.js';
import type { ClientParts } from './parts.js';
import { playbackCalls, playbackState, statusOf } from './playback.js';

export class Client implements Answering {
  private readonly session: Session;
  private readonly asking: AskingSocket;
  private readonly context: CallContext;
  private readonly subscriptions: ClientSubscriptions;
  private readonly parameters: ClientParameters;
  /** The channels and services that the client has been told. */
  private channels: ReadonlyMap<number, Channel> = new Map();
  private services: ReadonlySet<number> = new Set();
  private catalogVersion = -1;
  private announcing = Promise.resolve();
  /** What lasts, by its name. */
  private readonly lasting = new Map<string, string | undefined>();
  /** Status and speed of the playback state that was told last. */
  private played = '';

  constructor(
    private readonly peer: WebSocketPeer,
    admission: Admission,
    private readonly parts: ClientParts,
  ) {
    const { registry, calls } = parts;
    this.session = registry.create({ frontEnd: 'foxglove', peer: peer.peer, transport: 'websocket' }, peer);
    this.asking = new AskingSocket(this.session, peer, { registry, mayAsk: () => admission.mayAsk() });
    this.context = calls.contextOf(this.session, this.asking.caller, admission.mayChange);
    this.subscriptions = new ClientSubscriptions(parts, this.session, this.asking.caller.turn, (frame) =>
      this.see(frame),
    );
    this.parameters = new ClientParameters(parts, this.context, (...call) => this.call(...call));
    this.session.reading = () => this.subscriptions.names();
  }

  listen(): void {
    this.peer.listen({
      data: (message) => void this.asking.take(message, this),
      drain: () => this.asking.drained(),
      close: () => this.close(),
    });
    this.send(this.serverInfo());
    void this.announceNext().then(() => this.doing(async () => this.subscriptions.begin()));
  }

  private serverInfo(): object {
    const { info, abilities, playback } = this.parts.registry.source;
    const capabilities = ['time', 'parameters', 'parametersSubscribe', 'services', 'connectionGraph', 'assets'];
    const played = abilities.playback && playback;
    return {
      op: 'serverInfo',
      name: info.name,
      capabilities: played ? [...capabilities, 'playbackControl'] : capabilities,
      supportedEncodings: ['json'],
      metadata: { clock: info.clockLabel },
      sessionId: this.parts.sessionId,
      ...(played && {
        dataStartTime: timeOf(nanosecondsOf(playback.firstSeconds)),
        dataEndTime: timeOf(nanosecondsOf(playback.lastSeconds)),
      }),
    };
  }

  /** One after another: each takes turns. */
  private announceNext(): Promise<void> {
    this.announcing = this.announcing.then(() => this.doing(() => this.announce()));
    return this.announcing;
  }

  /** Tells which channels and services have come and gone since the client was told last. */
  private async announce(): Promise<void> {
    const { channels, services } = this.parts;
    const now = await channels.all(this.asking.caller.turn);
    const gone = [...this.channels.keys()].filter((id) => !now.has(id));
    const come = [...now.values()].filter(({ id }) => !this.channels.has(id));
    const { leftOut } = channels;
    const some = `only the first ${MOST_CHANNELS} objects have channels; ${leftOut} have none`;
    this.lasts('left-out', 'info', leftOut > 0 ? some : undefined);
    this.channels = now;
    for (const id of gone) this.subscriptions.endOf(id);
    if (gone.length > 0) this.send({ op: 'unadvertise', channelIds: gone });
    if (come.length > 0) this.sendLong(await channels.announcement(come, this.asking.caller.turn));
    const offered = services.all;
    const goneServices = [...this.services].filter((id) => !offered.has(id));
    const newServices = [...offered.values()].filter(({ id }) => !this.services.has(id));
    this.services = new Set(offered.keys());
    if (goneServices.length > 0) this.send({ op: 'unadvertiseServices', serviceIds: goneServices });
    if (newServices.length > 0) this.send({ op: 'advertiseServices', services: newServices });
    if (gone.length + come.length + goneServices.length + newServices.length > 0) this.tellGraph(this.offered());
  }

  private offered(): Offered {
    return {
      topics: new Set([...this.channels.values()].map(({ topic }) => topic)),
      services: new Set([...this.parts.services.all.values()].map(({ name }) => name)),
    };
  }

  private tellGraph(offered?: Offered): void {
    this.reply(this.parts.graph.news(this.session, offered));
  }

  /** A frame of which the time is told. */
  private see(frame: Frame): void {
    const { source } = this.parts.registry;
    const { catalogVersion } = frame.header;
    if (catalogVersion !== this.catalogVersion) void this.announceNext();
    this.catalogVersion = catalogVersion;
    this.tellGraph();
    this.lasts('fault', 'error', source.fault);
    if (!source.abilities.playback) return;
    const played = `${statusOf(source, frame)} ${frame.header.clockRatio}`;
    if (played !== this.played) this.session.outbound.reply(playbackState(source, frame), 'binary');
    this.played = played;
  }

  refused({ message }: RpcError): void {
    this.status('error', message);
  }

  /** What is wrong with a message is told as a status, and the connection stays. */
  failed(error: unknown): void {
    this.status('error', (error as Error).message);
  }

  private async doing(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!this.asking.isClosed) this.failed(error);
    }
  }

  async answer(message: Buffer): Promise<void> {
    await this.asking.caller.turn();
    // A text begins with a brace, and no binary message has that number.
    if (message[0] !== 0x7b) return this.answerBinary(parseClientMessage(message));
    const json = await parseJson(message, this.asking.caller.turn);
    await this.handle(checkedMessage(json));
  }

  private async handle(message: ClientText): Promise<void> {
    const { graph } = this.parts;
    switch (message.op) {
      case 'subscribe':
        // Who comes back knows the channels before they are announced.
        await this.announcing;
        for (const { id, channelId } of message.subscriptions) {
          await this.asking.caller.turn();
          await this.doing(async () => this.subscriptions.add(id, this.channels.get(channelId)));
        }
        return;
      case 'unsubscribe':
        for (const id of message.subscriptionIds) await this.doing(async () => this.subscriptions.remove(id));
        return;
      case 'getParameters':
        return this.reply(await this.parameters.get(message.parameterNames, message.id));
      case 'setParameters':
        return this.reply(await this.parameters.set(message.parameters, message.id));
      case 'subscribeParameterUpdates':
        return this.parameters.follow(message.parameterNames);
      case 'unsubscribeParameterUpdates':
        return this.parameters.unfollow(message.parameterNames);
      case 'fetchAsset':
        return this.sendAsset(message.uri, message.requestId);
      case 'subscribeConnectionGraph':
        graph.follow(this.session);
        return this.tellGraph(this.offered());
      case 'unsubscribeConnectionGraph':
        return graph.unfollow(this.session);
    }
  }

  /** Few at a time, because each is in memory as a whole. */
  private async sendAsset(uri: string, requestId: number): Promise<void> {
    const { registry, findAsset } = this.parts;
    const { outbound, account } = this.session;
    const place = registry.longMessages.enter(account);
    try {
      if (place.turn) await place.turn;
      if (this.asking.isClosed) return;
      const answer = await assetAnswer(findAsset, uri, requestId);
      if (!outbound.replyCounted(answer, 'binary')) throw new Error('read the answers before, and ask again');
    } catch (error) {
      outbound.reply(assetFailure(requestId, (error as Error).message), 'binary');
    } finally {
      place.leave();
    }
  }

  private reply(text: string | undefined): void {
    if (text !== undefined) this.asking.send(text);
  }

  private async answerBinary(message: ClientMessage): Promise<void> {
    if (message.op === 'service') return this.callService(message);
    const { source } = this.parts.registry;
    if (!source.abilities.playback)
      throw new Error('this is no recording that could be played; /sim/run and /sim/freeze are services');
    const { requestId, seekTo } = message;
    let didSeek = false;
    try {
      for (const { method, params } of playbackCalls(message, source)) {
        await this.call(method, params);
        didSeek ||= seekTo !== undefined;
      }
    } finally {
      // Each request is answered, also one that is refused.
      this.session.outbound.reply(playbackState(source, source.frame, requestId, didSeek), 'binary');
    }
  }

  private async callService({
    serviceId,
    callId,
    encoding,
    payload,
  }: Extract<ClientMessage, { op: 'service' }>): Promise<void> {
    try {
      const service = this.parts.services.all.get(serviceId);
      if (!service) throw new Error(`there is no service ${serviceId}`);
      if (encoding !== 'json') throw new Error(`a request of a service is json, not ${encoding.slice(0, 100)}`);
      const given = payload.length === 0 ? {} : await parseJson(payload, this.asking.caller.turn);
      const { method, params } = service.call(given as object);
      const answer = JSON.stringify(service.answer(await this.call(method, params)));
      this.session.outbound.reply(serviceResponse(serviceId, callId, Buffer.from(answer)), 'binary');
    } catch (error) {
      this.send({ op: 'serviceCallFailure', serviceId, callId, message: (error as Error).message });
    }
  }

  private async call(method: string, params: object): Promise<unknown> {
    const { result, heldBytes } = await this.parts.calls.call(this.context, method, params);
    this.session.outbound.count(heldBytes);
    return result;
  }

  private status(level: keyof typeof LEVELS, message: string): void {
    this.send({ op: 'status', level: LEVELS[level], message });
  }

  /** What lasts is a status with a name, which is taken back when it is over. */
  private lasts(id: string, level: keyof typeof LEVELS, message: string | undefined): void {
    if (message === this.lasting.get(id)) return;
    if (message !== undefined) this.send({ op: 'status', level: LEVELS[level], message, id });
    else this.send({ op: 'removeStatus', statusIds: [id] });
    this.lasting.set(id, message);
  }

  /** Of a client that may hold no more, the connection ends: it would wait for what never comes. */
  private sendLong(text: Uint8Array): void {
    if (!this.session.outbound.replyCounted(text, 'text')) this.session.letGo('it takes nothing of what it was sent');
  }

  private send(message: object): void {
    this.asking.send(JSON.stringify(message));
  }

  private close(): void {
    this.asking.close();
    this.parts.graph.unfollow(this.session);
    this.subscriptions.close();
    this.parameters.close();
    this.session.close();
  }
}

const LEVELS = { info: 0, error: 2 } as const;
