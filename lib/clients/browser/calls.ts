// JSON-RPC calls over one link, answered in any order.

/** An error that the server answered; its message is the server's sentence. */
export class CallError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data: unknown,
  ) {
    super(message);
    this.name = 'CallError';
  }
}

/** The connection broke before the answer came; a change may have been made or not. */
export class ConnectionLost extends Error {
  constructor(method: string) {
    super(`the connection to the server was lost before it answered ${method}`);
    this.name = 'ConnectionLost';
  }
}

interface Call {
  readonly method: string;
  readonly params: object;
  /** Called before any later message is read. */
  readonly answered: ((result: unknown) => void) | undefined;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** A JSON-RPC answer. */
export interface Answer {
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** Further calls wait until others are answered; the server refuses more than 1,000 at a time. */
const MOST_UNANSWERED = 500;

export class Calls {
  private readonly sent = new Map<number, Call>();
  private waiting: Call[] = [];
  private lastId = 0;
  private isOpen = false;

  constructor(private readonly send: (text: string) => void) {}

  /** Waits for the connection if there is none. */
  call(method: string, params: object, answered?: (result: unknown) => void): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ method, params, answered, resolve, reject });
      this.flush();
    });
  }

  opened(): void {
    this.isOpen = true;
    this.flush();
  }

  /** Called when the connection is lost: sent calls without an answer fail; unsent calls wait for the next one. */
  lost(): void {
    this.isOpen = false;
    const lost = [...this.sent.values()];
    this.sent.clear();
    for (const { method, reject } of lost) reject(new ConnectionLost(method));
  }

  /** Called when the client is closed: no call can be answered any more. */
  close(): void {
    this.lost();
    for (const { method, reject } of this.waiting.splice(0)) reject(new ConnectionLost(method));
  }

  take(answer: Answer): void {
    const call = this.sent.get(answer.id as number);
    if (!call) return;
    this.sent.delete(answer.id as number);
    const { error } = answer;
    if (error) call.reject(new CallError(error.code, error.message, error.data));
    else {
      call.answered?.(answer.result);
      call.resolve(answer.result);
    }
    this.flush();
  }

  private flush(): void {
    while (this.isOpen && this.sent.size < MOST_UNANSWERED) {
      const call = this.waiting.shift();
      if (!call) return;
      this.sent.set(++this.lastId, call);
      this.send(JSON.stringify({ jsonrpc: '2.0', id: this.lastId, method: call.method, params: call.params }));
    }
  }
}
