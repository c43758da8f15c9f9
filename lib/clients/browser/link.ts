// One WebSocket that is opened again after a cut, and knows when the other side has gone silent.

/** `lost`: the connection broke and is being made again. */
export type LinkState = 'connecting' | 'connected' | 'lost' | 'closed';

/** The part of a WebSocket that is used here; the one of a browser and the one of the package ws have it. */
export interface SocketLike {
  binaryType: string;
  /** 1 for one that is open already. */
  readonly readyState?: number;
  send(text: string): void;
  close(): void;
  addEventListener(type: 'open' | 'close' | 'error', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
}

export interface LinkListener {
  state(state: LinkState): void;
  message(data: string | ArrayBuffer): void;
  /** Called when nothing has come for a while; it asks something, so that an answer must come. */
  quiet(): void;
}

/** Calls after a delay; a test has its own timers. */
export interface Timers {
  set(call: () => void, millis: number): unknown;
  clear(timer: unknown): void;
}

export const TIMERS: Timers = {
  set: (call, millis) => setTimeout(call, millis),
  clear: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
};

const OPEN = 1;
const FIRST_RETRY_MILLIS = 250;
const LONGEST_RETRY_MILLIS = 5_000;
/**
 * After this long without a message the other side is asked; after the same time again, the connection counts as lost.
 */
const QUIET_MILLIS = 5_000;

export class Link {
  state: LinkState = 'connecting';
  private socket: SocketLike | undefined;
  private retryMillis = FIRST_RETRY_MILLIS;
  private retry: unknown;
  private watchdog: unknown;
  private isAsked = false;

  constructor(
    private readonly open: () => SocketLike,
    private readonly events: LinkListener,
    private readonly timers: Timers = TIMERS,
  ) {
    this.connect();
  }

  send(text: string): void {
    this.socket?.send(text);
  }

  /** Tries at once, instead of waiting for the next time. */
  hurry(): void {
    if (this.retry === undefined) return;
    this.timers.clear(this.retry);
    this.retryMillis = FIRST_RETRY_MILLIS;
    this.connect();
  }

  close(): void {
    this.timers.clear(this.retry);
    this.timers.clear(this.watchdog);
    this.retry = undefined;
    const { socket } = this;
    this.socket = undefined;
    this.become('closed');
    socket?.close();
  }

  private connect(): void {
    this.retry = undefined;
    const socket = this.open();
    this.socket = socket;
    socket.binaryType = 'arraybuffer';
    const whileOwn =
      <Event>(call: (event: Event) => void) =>
      (event: Event): void => {
        if (socket === this.socket) call(event);
      };
    const opened = whileOwn<void>(() => this.opened()) as () => void;
    if (socket.readyState === OPEN) queueMicrotask(opened);
    else socket.addEventListener('open', opened);
    socket.addEventListener(
      'message',
      whileOwn(({ data }) => this.take(data)),
    );
    socket.addEventListener('close', whileOwn<void>(() => this.cut()) as () => void);
    socket.addEventListener('error', () => {});
  }

  private opened(): void {
    this.retryMillis = FIRST_RETRY_MILLIS;
    this.listen();
    this.become('connected');
  }

  private take(data: unknown): void {
    this.listen();
    if (typeof data === 'string' || data instanceof ArrayBuffer) this.events.message(data);
  }

  private listen(): void {
    this.isAsked = false;
    this.timers.clear(this.watchdog);
    this.watchdog = this.timers.set(() => this.quiet(), QUIET_MILLIS);
  }

  private quiet(): void {
    if (this.isAsked) {
      const { socket } = this;
      this.cut();
      socket?.close();
      return;
    }
    this.isAsked = true;
    this.watchdog = this.timers.set(() => this.quiet(), QUIET_MILLIS);
    this.events.quiet();
  }

  private cut(): void {
    this.socket = undefined;
    this.timers.clear(this.watchdog);
    this.retry = this.timers.set(() => this.connect(), this.retryMillis);
    this.retryMillis = Math.min(2 * this.retryMillis, LONGEST_RETRY_MILLIS);
    this.become('lost');
  }

  private become(state: LinkState): void {
    if (this.state === state || this.state === 'closed') return;
    // Before the first connection nothing can be lost.
    if (state === 'lost' && this.state === 'connecting') return;
    this.state = state;
    this.events.state(state);
  }
}
