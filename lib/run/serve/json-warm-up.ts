// Asks for values as a page does, before the first one: the first subscription to thousands of variables took 50 ms in one
// turn, of code that had never run.
import { httpFrontEnd } from '../../protocols/http/front-end.js';
import { MessageLog } from '../../serving/session/message-log.js';
import { SessionRegistry } from '../../serving/session/registry.js';
import type { WebSocketRoute } from '../../serving/transport/front-end.js';
import { VERSION } from '../../simulation/recording/version.js';
import type { Source } from '../../source/source.js';
import { OwnPage } from './own-peer.js';
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
  const page = new OwnPage();
  open(page, { mayChange: false, mayAsk: () => true, headers: {} });
  const aliases = Array.from({ length: VARIABLES }, (_, k) => names[(VARIABLES * client + k) % names.length] as string);
  const ask = async (method: string, params: object): Promise<void> => {
    const answer = page.heard(PATIENCE_MILLIS);
    page.say(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
    if (!(await answer)) throw new Error(`${method} had no answer`);
  };
  try {
    await ask('var/get', { aliases, lenient: true });
    await ask('var/subscribe', { aliases, cycle_ms: 100, lenient: true });
    await page.heard(MESSAGE_MILLIS);
  } finally {
    page.leave();
  }
}
