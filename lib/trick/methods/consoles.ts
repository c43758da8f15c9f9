// Sessions of the command language for JSON clients: one for each WebSocket, one for each call over HTTP.
import type { CallContext } from '../../json-rpc/call-context.js';
import { RpcCode, RpcError } from '../../json-rpc/rpc-error.js';
import type { Session } from '../../session/session.js';
import type { TrickFrontEnd } from '../front-end/front-end.js';
import type { Console } from '../script/console.js';

export class Consoles {
  private readonly held = new WeakMap<Session, Console>();

  constructor(private readonly trick: TrickFrontEnd) {}

  get server(): TrickFrontEnd['server'] {
    return this.trick.server;
  }

  /** Uses a client's session. It ends with the call, or with the client's WebSocket. Throws an RpcError. */
  async use<T>({ session, channel, signal }: CallContext, work: (console: Console) => Promise<T>): Promise<T> {
    if (!this.trick.server.isEnabled)
      throw new RpcError(RpcCode.requestRefused, "Trick's variable server is switched off");
    if (channel === 'websocket') return work(this.lasting(session, signal));
    const console = this.trick.openConsole(session);
    const close = (): void => console.close();
    signal.addEventListener('abort', close);
    try {
      return await work(console);
    } finally {
      signal.removeEventListener('abort', close);
      console.close();
    }
  }

  private lasting(session: Session, signal: AbortSignal): Console {
    const known = this.held.get(session);
    if (known) return known;
    const made = this.trick.openConsole(session);
    this.held.set(session, made);
    signal.addEventListener('abort', () => made.close(), { once: true });
    return made;
  }
}
