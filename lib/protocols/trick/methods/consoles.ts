// Sessions of the command language for JSON clients: one for each WebSocket, one for each call over HTTP.

import type { Session } from '../../../serving/session/session.js';
import type { CallContext } from '../../json-rpc/call-context.js';
import type { Presence } from '../../json-rpc/presence.js';
import { RpcCode, RpcError } from '../../json-rpc/rpc-error.js';
import type { TrickFrontEnd } from '../front-end/front-end.js';
import type { Console } from '../script/console.js';

export class Consoles {
  private readonly held = new WeakMap<Session, Console>();

  constructor(private readonly trick: TrickFrontEnd) {}

  get server(): TrickFrontEnd['server'] {
    return this.trick.server;
  }

  /** Uses a client's session. It ends with the call, or with the client's WebSocket. Throws an RpcError. */
  async use<T>({ session, channel, presence }: CallContext, work: (console: Console) => Promise<T>): Promise<T> {
    if (!this.trick.server.isEnabled)
      throw new RpcError(RpcCode.requestRefused, "Trick's variable server is switched off");
    if (channel === 'websocket') return work(this.lasting(session, presence));
    const console = this.trick.openConsole(session);
    const close = (): void => console.close();
    const forget = presence.onEnd(close);
    try {
      return await work(console);
    } finally {
      forget();
      console.close();
    }
  }

  private lasting(session: Session, presence: Presence): Console {
    const known = this.held.get(session);
    if (known) return known;
    const made = this.trick.openConsole(session);
    this.held.set(session, made);
    presence.onEnd(() => made.close());
    return made;
  }
}
