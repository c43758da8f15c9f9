// Reads a request body up to a limit, and bounds all bodies that are not complete yet.
import type { IncomingMessage } from 'node:http';

/** The body is longer than the reader allows. What is left of it is thrown away when the request is answered. */
export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge';
  constructor(readonly limitBytes: number) {
    super(`the request body is longer than the ${limitBytes} bytes allowed`);
  }
}

/** The client went away, or ran out of time, before its body was complete. */
export class BodyAborted extends Error {
  override readonly name = 'BodyAborted';
  constructor(readonly receivedBytes: number) {
    super(`the request body ended early, after ${receivedBytes} bytes`);
  }
}

/** Others sent their bodies sooner, and together they were too much to keep. */
export class BodyCrowdedOut extends Error {
  override readonly name = 'BodyCrowdedOut';
  constructor() {
    super('this server keeps no more unfinished request bodies, and this one took longest; send it again');
  }
}

/** What unfinished bodies may take together; where it is too little, the one that was begun first gives way. */
export class BodyBudget {
  private readonly unfinished = new Set<GrowingBody>();
  private heldBytes = 0;

  constructor(
    private readonly limitBytes: number,
    private readonly crowdedOut: () => void = () => {},
  ) {}

  /** @param giveWay is called when the body has to go; its bytes are forgotten by then. */
  begin(giveWay: () => void): GrowingBody {
    const body: GrowingBody = new GrowingBody(
      (addedBytes) => this.grew(addedBytes),
      () => {
        this.unfinished.delete(body);
        this.heldBytes -= body.capacity;
      },
      giveWay,
    );
    this.unfinished.add(body);
    return body;
  }

  private grew(addedBytes: number): void {
    this.heldBytes += addedBytes;
    while (this.heldBytes > this.limitBytes) {
      const [oldest] = this.unfinished;
      if (oldest === undefined) return;
      oldest.drop();
      this.crowdedOut();
      oldest.giveWay();
    }
  }
}

const FIRST_CAPACITY_BYTES = 4096;

/** One buffer that doubles: a body that comes byte by byte takes no more than one that comes at once. */
class GrowingBody {
  private bytes = Buffer.alloc(0);
  private length = 0;
  private isOver = false;

  constructor(
    private readonly grew: (addedBytes: number) => void,
    private readonly ended: () => void,
    readonly giveWay: () => void,
  ) {}

  get capacity(): number {
    return this.bytes.length;
  }

  get receivedBytes(): number {
    return this.length;
  }

  push(chunk: Buffer): void {
    if (this.isOver) return;
    const needed = this.length + chunk.length;
    if (needed > this.capacity) this.grow(Math.max(needed, 2 * this.capacity, FIRST_CAPACITY_BYTES));
    if (this.isOver) return;
    chunk.copy(this.bytes, this.length);
    this.length = needed;
  }

  /** The bytes, which the budget counts no more. */
  take(): Buffer {
    const whole = this.bytes.subarray(0, this.length);
    this.drop();
    return whole;
  }

  /** Forgets the bytes. */
  drop(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.ended();
    this.bytes = Buffer.alloc(0);
  }

  private grow(capacity: number): void {
    const grown = Buffer.allocUnsafeSlow(capacity);
    this.bytes.copy(grown, 0, 0, this.length);
    const addedBytes = capacity - this.capacity;
    this.bytes = grown;
    this.grew(addedBytes);
  }
}

/**
 * Rejects with BodyTooLarge, before reading when the length is announced, with BodyAborted, or with BodyCrowdedOut when
 * the budget is too small for all that others have begun since.
 */
export function readBody(request: IncomingMessage, limitBytes: number, budget: BodyBudget): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      request.removeListener('data', collect);
      body.drop();
      reject(error);
    };
    const body = budget.begin(() => fail(new BodyCrowdedOut()));
    const collect = (chunk: Buffer) => {
      if (body.receivedBytes + chunk.length > limitBytes) return fail(new BodyTooLarge(limitBytes));
      body.push(chunk);
    };
    request.on('error', () => {});
    request.once('close', () => {
      if (!request.complete) fail(new BodyAborted(body.receivedBytes));
    });
    if (request.destroyed && !request.complete) return fail(new BodyAborted(0));
    if (Number(request.headers['content-length'] ?? 0) > limitBytes) return fail(new BodyTooLarge(limitBytes));
    request.on('data', collect);
    request.once('end', () => resolve(body.take()));
  });
}
