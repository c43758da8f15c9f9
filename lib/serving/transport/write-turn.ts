// Gathers the writes of one turn of the event loop into one socket write, and reports the end of a backlog.

import { atTurnEnd } from '../network/turn-end.js';

export interface Corkable {
  cork(): void;
  uncork(): void;
}

export class WriteTurn {
  private readonly socket: Corkable;
  private readonly pendingBytes: () => number;
  private readonly drained: () => void;
  private readonly ending: () => void;
  private open = false;
  private behind = false;

  /** @param ending called before what one turn has written goes to the socket; what it writes goes with it. */
  constructor(socket: Corkable, pendingBytes: () => number, drained: () => void, ending: () => void = () => undefined) {
    this.socket = socket;
    this.pendingBytes = pendingBytes;
    this.drained = drained;
    this.ending = ending;
  }

  /** Call it before each write. */
  begin(): void {
    if (this.open) return;
    this.open = true;
    this.socket.cork();
    atTurnEnd(this);
  }

  /** The completion callback of each write. */
  readonly taken = (error?: Error | null): void => {
    if (error || !this.behind || this.pendingBytes() > 0) return;
    this.behind = false;
    this.drained();
  };

  /** Hands the messages of this turn to the socket. */
  flush(): void {
    this.open = false;
    this.ending();
    this.socket.uncork();
    if (this.pendingBytes() > 0) this.behind = true;
  }
}
