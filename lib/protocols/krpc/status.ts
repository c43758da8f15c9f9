// The true figures of KRPC.GetStatus: what was read, written and carried out, and how fast.
import type { Clock } from '../../serving/scheduling/clock.js';
import { encodeMessage, Schema } from './schema/messages.js';

/** The kRPC release whose service KRPC this one is. */
const KRPC_VERSION = '0.6.0';
const WINDOW_MILLIS = 1000;
const MICROS_PER_UPDATE = 5000;

/** What is counted. */
type Counted = Record<'read' | 'written' | 'calls' | 'looks', number>;
const NOTHING: Counted = { read: 0, written: 0, calls: 0, looks: 0 };

export class StatusMeter {
  private readonly total = { ...NOTHING };
  /** The totals when the window began, and how fast they grew in the one before, per second. */
  private before = NOTHING;
  private perSecond = NOTHING;
  private startMillis: number;
  private callMillis = 0;
  private updateMillis = 0;

  /** @param streams how many streams there are now. */
  constructor(
    private readonly clock: Clock,
    private readonly streams: () => number,
  ) {
    this.startMillis = clock.nowMillis();
  }

  /** Counts a request and its answer. */
  readonly request = (count: { calls: number; millis: number; readBytes: number; writtenBytes: number }): void => {
    this.count({ read: count.readBytes, written: count.writtenBytes, calls: count.calls });
    this.callMillis = count.millis;
  };

  /** Counts the streams of one client in one frame. */
  readonly update = (looks: number, millis: number, written: number): void => {
    this.count({ looks, written });
    this.updateMillis = millis;
  };

  /** Bytes of a handshake, which come before the first request. */
  greeted(read: number): void {
    this.count({ read });
  }

  private count(more: Partial<Counted>): void {
    this.settle();
    for (const [what, amount] of Object.entries(more)) this.total[what as keyof Counted] += amount;
  }

  private settle(): void {
    const millis = this.clock.nowMillis() - this.startMillis;
    if (millis < WINDOW_MILLIS) return;
    const { before, total } = this;
    const grown = (what: keyof Counted): number => (1000 * (total[what] - before[what])) / millis;
    this.perSecond = { read: grown('read'), written: grown('written'), calls: grown('calls'), looks: grown('looks') };
    this.before = { ...total };
    this.startMillis += millis;
  }

  bytes(): Uint8Array {
    this.settle();
    const { total, perSecond } = this;
    const requestSeconds = this.callMillis / 1000;
    return encodeMessage(Schema.Status, {
      version: KRPC_VERSION,
      bytesRead: BigInt(total.read),
      bytesWritten: BigInt(total.written),
      bytesReadRate: perSecond.read,
      bytesWrittenRate: perSecond.written,
      rpcsExecuted: BigInt(total.calls),
      rpcRate: perSecond.calls,
      maxTimePerUpdate: MICROS_PER_UPDATE,
      timePerRpcUpdate: requestSeconds,
      execTimePerRpcUpdate: requestSeconds,
      streamRpcs: this.streams(),
      streamRpcsExecuted: BigInt(total.looks),
      streamRpcRate: perSecond.looks,
      timePerStreamUpdate: this.updateMillis / 1000,
    });
  }
}
