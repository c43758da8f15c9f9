// Reads a request body up to a limit, and limits the bytes of all bodies that are not complete yet.
import type { IncomingMessage } from 'node:http';
import { networkOf } from '../network/network.js';
import { SharedRoom } from '../network/shared-room.js';

/** The body is longer than the reader allows. Its rest is discarded when the request is answered. */
export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError';
  constructor(readonly limitBytes: number) {
    super(`the request body is longer than the ${limitBytes} bytes allowed`);
  }
}

/** The client went away, or ran out of time, before its body was complete. */
export class BodyAbortedError extends Error {
  override readonly name = 'BodyAbortedError';
  constructor(readonly receivedBytes: number) {
    super(`the request body ended early, after ${receivedBytes} bytes`);
  }
}

/** This unfinished body was dropped to make room for bodies that others began later. */
export class BodyCrowdedOutError extends Error {
  override readonly name = 'BodyCrowdedOutError';
  constructor() {
    super(
      'this server keeps no more unfinished request bodies, your address has most, and this one took longest; send it again',
    );
  }
}

/**
 * Limits the bytes of all unfinished bodies together; when there is no room, of the address with most the body that was
 * begun first is dropped.
 */
export class BodyBudget {
  private readonly room: SharedRoom<GrowingBody>;

  constructor(
    limitBytes: number,
    private readonly crowdedOut: () => void = () => {},
  ) {
    this.room = new SharedRoom(limitBytes);
  }

  /**
   * @param giveWay called when the body was dropped; its bytes are gone by then.
   * @param address whose it is, without a port.
   */
  begin(giveWay: () => void, address: string): GrowingBody {
    const network = networkOf(address);
    const body: GrowingBody = new GrowingBody(
      () => {
        this.room.set(body, network, body.capacity);
        this.makeRoom();
      },
      () => this.room.set(body, network, 0),
      giveWay,
    );
    return body;
  }

  private makeRoom(): void {
    for (let first = this.room.nextToGo; first; first = this.room.nextToGo) {
      first.drop();
      this.crowdedOut();
      first.giveWay();
    }
  }
}

const FIRST_CAPACITY_BYTES = 4096;

/** A buffer that doubles, so that a body that comes byte by byte takes no more memory than one that comes at once. */
class GrowingBody {
  private bytes = Buffer.alloc(0);
  private length = 0;
  private isOver = false;

  constructor(
    private readonly grew: () => void,
    private readonly ended: () => void,
    readonly giveWay: () => void,
  ) {}

  get capacity(): number {
    return this.bytes.length;
  }

  get receivedBytes(): number {
    return this.length;
  }

  /** @param piece text where another program has asked its request for text. */
  push(piece: Buffer | string): void {
    if (this.isOver) return;
    const chunk = typeof piece === 'string' ? Buffer.from(piece) : piece;
    const needed = this.length + chunk.length;
    if (needed > this.capacity) this.grow(Math.max(needed, 2 * this.capacity, FIRST_CAPACITY_BYTES));
    if (this.isOver) return;
    chunk.copy(this.bytes, this.length);
    this.length = needed;
  }

  /** Returns the bytes; the budget no longer counts them. */
  take(): Buffer {
    const whole = this.bytes.subarray(0, this.length);
    this.drop();
    return whole;
  }

  /** Drops the bytes. */
  drop(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.ended();
    this.bytes = Buffer.alloc(0);
  }

  private grow(capacity: number): void {
    const grown = Buffer.allocUnsafeSlow(capacity);
    this.bytes.copy(grown, 0, 0, this.length);
    this.bytes = grown;
    this.grew();
  }
}

/**
 * Rejects with a BodyTooLargeError (before it reads, when the announced length is too large), a BodyAbortedError, or a
 * BodyCrowdedOutError when the budget has no room for this one any longer.
 */
export function readBody(request: IncomingMessage, limitBytes: number, budget: BodyBudget): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      request.removeListener('data', collect);
      body.drop();
      reject(error);
    };
    const address = request.socket.remoteAddress ?? '';
    const body = budget.begin(() => fail(new BodyCrowdedOutError()), address);
    const collect = (chunk: Buffer) => {
      if (body.receivedBytes + chunk.length > limitBytes) return fail(new BodyTooLargeError(limitBytes));
      body.push(chunk);
    };
    request.on('error', () => {});
    request.once('close', () => {
      if (!request.complete) fail(new BodyAbortedError(body.receivedBytes));
    });
    if (request.destroyed && !request.complete) return fail(new BodyAbortedError(0));
    if (Number(request.headers['content-length'] ?? 0) > limitBytes) return fail(new BodyTooLargeError(limitBytes));
    request.on('data', collect);
    request.once('end', () => resolve(body.take()));
  });
}
