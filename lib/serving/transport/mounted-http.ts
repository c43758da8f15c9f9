// HTTP below a path of another program's server: its requests and upgrades come here instead of from a port.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { AnswerQueue, type WatchAnswers } from './answer-queue.js';
import type { HeldBack } from './held-back.js';
import { type HttpHandler, noteCrowdedOut, noteFarAhead, type UpgradeHandler } from './http.js';
import { BodyBudget } from './http-body.js';
import { NodeHttpExchange } from './http-exchange.js';
import { answerFailure, type ReportFailure, TEXT } from './http-failure.js';
import { hostFault } from './http-request.js';
import type { Mounted } from './mounted.js';
import { mountedConnections } from './mounted-connections.js';
import type { Closer } from './socket-server.js';

export interface MountSettings {
  /** As clients see it, such as `/sim`; empty for every path. */
  readonly path: string;
  readonly handler: HttpHandler;
  readonly onHandlerError: ReportFailure;
  /** The most bytes of all unfinished request bodies. */
  readonly unfinishedBodyBytes: number;
  /** Counts bodies that were dropped for others, and refusals. */
  readonly heldBack: HeldBack;
  /** Watches whether clients take their answers. Default: nobody does. */
  readonly watchAnswers?: WatchAnswers;
}

const READ_ALREADY =
  "the body of this request was read before the simulation's server got it: mount that before what parses bodies";

export class MountedHttp implements Mounted {
  private readonly exchanges = new Set<NodeHttpExchange>();
  private readonly upgraded = new Set<Closer>();
  private readonly bodies: BodyBudget;
  private takeUpgrade: UpgradeHandler | undefined;
  private isClosed = false;

  /** Throws a RangeError for a text that is not a path. */
  constructor(private readonly settings: MountSettings) {
    const { path } = settings;
    if (path !== '' && !/^(\/[^/?#\s]+)+$/.test(path))
      throw new RangeError(`a path to mount at looks like /sim, not ${JSON.stringify(path)}`);
    this.bodies = new BodyBudget(settings.unfinishedBodyBytes, () => noteCrowdedOut(settings.heldBack));
  }

  readonly handle: Mounted['handle'] = (request, response, next) => {
    const target = this.targetOf(request);
    mountedConnections.sees(request, response);
    // The page's addresses are relative, so the page's own address must end with a slash.
    const toPage = request.method === 'GET' ? this.pageFor(request) : undefined;
    if (toPage !== undefined) response.writeHead(308, { location: toPage }).end();
    else if (target !== undefined) {
      request.url = target;
      this.tellPrefix(request);
      mountedConnections.take(request, response, () => void this.answer(request, response), this.tooMany);
    } else if (next) next();
    else response.writeHead(404, TEXT).end('there is nothing here\n');
  };

  readonly connection: Mounted['connection'] = (socket) => {
    if (!socket.destroyed) mountedConnections.track(socket, this.tooMany);
  };

  readonly upgrade: Mounted['upgrade'] = (request, socket, head) => {
    const target = this.targetOf(request);
    if (target === undefined) return false;
    request.url = target;
    // The program's server has removed its own listeners; an error without a listener would end the process.
    socket.on('error', () => {});
    mountedConnections.afterAnswers(socket, head, (whole) => this.takeOver(request, socket, whole));
    return true;
  };

  private takeOver(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (this.isClosed || !this.takeUpgrade) socket.destroy();
    if (socket.destroyed || !this.takeUpgrade) return;
    const close = this.takeUpgrade(request, socket, head);
    this.upgraded.add(close);
    socket.once('close', () => this.upgraded.delete(close));
  }

  onWebSocket(handler: UpgradeHandler): void {
    this.takeUpgrade = handler;
  }

  /** Ends open streams and WebSockets; later requests get 503. */
  close(): void {
    this.isClosed = true;
    for (const close of this.upgraded) close();
    for (const exchange of this.exchanges) exchange.finish();
  }

  private readonly tooMany = (socket: Socket): void => noteFarAhead(this.settings.heldBack, socket);

  /** What comes after the path; undefined when the request is for something else. */
  private targetOf(request: IncomingMessage): string | undefined {
    const { path } = this.settings;
    const address = addressOf(request);
    if (!address.startsWith(path)) return undefined;
    const rest = address.slice(path.length);
    if (rest === '' || rest.startsWith('?')) return `/${rest}`;
    return rest.startsWith('/') ? rest : undefined;
  }

  /** Addresses in answers are those that clients see, as behind a proxy that says so. */
  private tellPrefix({ headers }: IncomingMessage): void {
    const before = String(headers['x-forwarded-prefix'] ?? '').replace(/\/$/, '');
    headers['x-forwarded-prefix'] = before + this.settings.path;
  }

  private pageFor(request: IncomingMessage): string | undefined {
    const { path } = this.settings;
    const [before] = addressOf(request).split('?', 1);
    if (path === '' || before !== path) return undefined;
    const query = addressOf(request).slice(path.length);
    // Relative, for a proxy may have taken a part of the path away.
    return `${path.slice(path.lastIndexOf('/') + 1)}/${query}`;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { handler, heldBack, onHandlerError, watchAnswers } = this.settings;
    response.on('error', () => {});
    const exchange = new NodeHttpExchange(request, response, this.bodies);
    // One request of a connection is begun at a time; over HTTP/2 each has a stream for itself.
    const exchanges = new Set([exchange]);
    const answers = new AnswerQueue(exchanges, exchange.peer, () => response.destroy(), watchAnswers);
    exchange.onAnswer = () => answers.answered();
    exchange.onTaken = () => answers.taken();
    response.once('close', () => {
      if (response.headersSent) heldBack.answered(response.statusCode);
      this.exchanges.delete(exchange);
      exchanges.delete(exchange);
      answers.done(exchange);
    });
    if (this.isClosed) {
      exchange.respond(503, TEXT, "the simulation's server has closed\n");
      return;
    }
    this.exchanges.add(exchange);
    const fault = hostFault(request);
    if (fault !== undefined) {
      exchange.respond(400, TEXT, `${fault}\n`);
      return;
    }
    try {
      if (request.readableEnded && request.method === 'POST') throw new Error(READ_ALREADY);
      await handler(exchange);
    } catch (error) {
      try {
        answerFailure(error, exchange, onHandlerError);
      } catch {
        // The program's response takes no answer at all.
        response.destroy();
      }
    }
  }
}

/** As the client sent it: routers cut `url`, and keep `originalUrl`. */
const addressOf = ({ url = '/', originalUrl = url }: IncomingMessage & { readonly originalUrl?: string }): string =>
  originalUrl;
