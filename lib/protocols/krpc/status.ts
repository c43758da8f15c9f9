// The true figures of KRPC.GetStatus: what was read, written and carried out, and how fast.
import type { Clock } from '../../serving/scheduling/clock.js';
import { encodeMessage, Schema } from './schema/messages.js';

/** The kRPC release whose service KRPC this one is. */
const KRPC_VERSION = '0.6.0';
const WINDOW_MILLIS = 1000;
const MICROS_PER_UPDATE = 5000;

/** A total, and how fast it has grown lately, per second. */
class Rate {
  total = 0;
  private windowTotal = 0;
  private startMillis: number;
  private lastRate = 0;

  constructor(private readonly clock: Clock) {
    this.startMillis = clock.nowMillis();
  }

  add(amount: number): void {
    this.settle();
    this.total += amount;
    this.windowTotal += amount;
  }

  get perSecond(): number {
    this.settle();
    return this.lastRate;
  }

  private settle(): void {
    const millis = this.clock.nowMillis() - this.startMillis;
    if (millis < WINDOW_MILLIS) return;
    this.lastRate = (1000 * this.windowTotal) / millis;
    this.windowTotal = 0;
    this.startMillis += millis;
  }
}

export class StatusMeter {
  private readonly read: Rate;
  private readonly written: Rate;
  private readonly calls: Rate;
  private readonly looks: Rate;
  private callMillis = 0;
  private updateMillis = 0;

  /** @param streams how many streams there are now. */
  constructor(
    clock: Clock,
    private readonly streams: () => number,
  ) {
    this.read = new Rate(clock);
    this.written = new Rate(clock);
    this.calls = new Rate(clock);
    this.looks = new Rate(clock);
  }

  /** Counts a request and its answer. */
  readonly request = (count: { calls: number; millis: number; readBytes: number; writtenBytes: number }): void => {
    this.read.add(count.readBytes);
    this.written.add(count.writtenBytes);
    this.calls.add(count.calls);
    this.callMillis = count.millis;
  };

  /** Counts the streams of one client in one frame. */
  readonly update = (looks: number, millis: number, bytes: number): void => {
    this.looks.add(looks);
    this.written.add(bytes);
    this.updateMillis = millis;
  };

  /** Bytes of a handshake, which come before the first request. */
  greeted(bytes: number): void {
    this.read.add(bytes);
  }

  bytes(): Uint8Array {
    const requestSeconds = this.callMillis / 1000;
    return encodeMessage(Schema.Status, {
      version: KRPC_VERSION,
      bytesRead: BigInt(this.read.total),
      bytesWritten: BigInt(this.written.total),
      bytesReadRate: this.read.perSecond,
      bytesWrittenRate: this.written.perSecond,
      rpcsExecuted: BigInt(this.calls.total),
      rpcRate: this.calls.perSecond,
      maxTimePerUpdate: MICROS_PER_UPDATE,
      timePerRpcUpdate: requestSeconds,
      execTimePerRpcUpdate: requestSeconds,
      streamRpcs: this.streams(),
      streamRpcsExecuted: BigInt(this.looks.total),
      streamRpcRate: this.looks.perSecond,
      timePerStreamUpdate: this.updateMillis / 1000,
    });
  }
}
