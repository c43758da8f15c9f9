// What a client asks in one HTTP request: it has no lasting connection, so its work stops when its request ends.
import { MessageRoom } from '../session/message-room.js';
import type { SessionRegistry } from '../session/registry.js';
import type { Session } from '../session/session.js';
import { behind, type Caller, GONE, whileThere } from './caller.js';

/** A transport's request. */
interface Request {
  /** Whether it came before the answer to the one before it. */
  readonly isBehind: boolean;
  onClose(call: () => void): void;
}

export class AskingRequest {
  readonly caller: Caller;
  private readonly room: MessageRoom;

  constructor({ account }: Session, request: Request, { turns, longMessages }: SessionRegistry, mayAsk: () => boolean) {
    const gone = new AbortController();
    request.onClose(() => gone.abort(GONE));
    const { signal } = gone;
    const pieces = request.isBehind ? behind() : undefined;
    const inTurns = whileThere((start, isLong) => turns.run(account, start, isLong), signal, pieces);
    this.room = new MessageRoom(longMessages, account, signal);
    this.caller = { account, signal, mayAsk, inTurns, park: () => this.room.park() };
  }

  /** Carries out the request's message; a long one waits until there is room for it. */
  during(bytes: number, work: () => Promise<void>): Promise<void> {
    return this.room.during(bytes, work);
  }
}
