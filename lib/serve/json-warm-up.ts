// Asks for values as a page does, before the first one: the first subscription to thousands of variables took 50 ms in one
// turn, of code that had never run.
import { httpFrontEnd } from '../http/front-end.js';
import { MessageLog } from '../session/message-log.js';
import { SessionRegistry } from '../session/registry.js';
import type { Source } from '../source/source.js';
import type { ConnectionEvents, WebSocketPeer } from '../transport/connection.js';
import type { WebSocketRoute } from '../transport/front-end.js';
import { VERSION } from './version.js';
import { namesIn, oneByOne, type WarmUpFacts } from './warm-up.js';

/** How many clients ask, one after the other, and how many variables each subscribes to. */
const CLIENTS = 30;
const VARIABLES = 200;
/** An answer takes a millisecond or two; one that does not come ends the warm-up. */
const PATIENCE_MILLIS = 2000;
/** The first message of a subscription follows its answer; of values that no frame has, none does. */
const MESSAGE_MILLIS = 50;

/**
 * Lets clients in who ask over WebSockets without sockets. Other clients do not see them, and nothing changes in the
 * simulation. Resolves when they are done, or when the server closes.
 * @param registry of its own.
 */
export async function warmUpJson(
  source: Source,
  facts: WarmUpFacts,
  registry = new SessionRegistry(source),
): Promise<void> {
  const frontEnd = httpFrontEnd({ registry, version: VERSION, messages: new MessageLog(), historySeconds: 0 });
  const [webSocket] = frontEnd.endpoints().flatMap((endpoint) => ('webSockets' in endpoint ? endpoint.webSockets : []));
  try {
    const names = namesIn(source.catalog);
    if (webSocket && names.length > 0)
      await oneByOne({ clients: CLIENTS, ...facts }, (client) => askAs(client, webSocket.open, names));
  } finally {
    frontEnd.close();
    registry.close();
  }
}

/** Rejects when no answer comes. */
async function askAs(client: number, open: WebSocketRoute['open'], names: readonly string[]): Promise<void> {
  const page = new Page();
  open(page, { mayChange: false, mayAsk: () => true, headers: {} });
  const aliases = Array.from({ length: VARIABLES }, (_, k) => names[(VARIABLES * client + k) % names.length] as string);
  try {
    await page.ask('var/get', { aliases, lenient: true });
    await page.ask('var/subscribe', { aliases, cycle_ms: 100, lenient: true });
    await page.heard(MESSAGE_MILLIS);
  } finally {
    page.leave();
  }
}

/** A WebSocket whose client is here. */
class Page implements WebSocketPeer {
  readonly kind = 'websocket';
  readonly peer = '127.0.0.1:0';
  readonly local = '127.0.0.1:0';
  readonly subprotocol = '';
  readonly pendingBytes = 0;
  readonly request = {
    ...{ method: 'GET', path: '/ws', query: new URLSearchParams(), headers: {}, host: undefined },
    ...{ peer: this.peer, local: this.local },
  };
  private events: ConnectionEvents | undefined;
  private hear: (() => void) | undefined;
  private id = 0;

  /** Rejects when no answer comes. */
  async ask(method: string, params: object): Promise<void> {
    const answer = this.heard(PATIENCE_MILLIS);
    this.events?.data(Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: ++this.id, method, params })));
    if (!(await answer)) throw new Error(`${method} had no answer`);
  }

  /** Whether something comes in so much time. */
  async heard(millis: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const isHeard = await new Promise<boolean>((resolve) => {
      this.hear = () => resolve(true);
      timer = setTimeout(() => resolve(false), millis);
    });
    clearTimeout(timer);
    return isHeard;
  }

  /** Each answer, and each message of a subscription. */
  write(): boolean {
    this.hear?.();
    return true;
  }

  leave(): void {
    this.events?.close('the warm-up is done');
    this.events = undefined;
  }

  listen(events: ConnectionEvents): void {
    this.events = events;
  }

  end(): void {
    this.leave();
  }
  destroy(): void {
    this.leave();
  }
  pauseReading(): void {}
  resumeReading(): void {}
  takeOnly(): void {}
}
