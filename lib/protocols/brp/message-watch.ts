// The simulation's messages as events; each event has a list of them.
import { Held } from '../../serving/scheduling/held.js';
import type { SimMessage } from '../../source/source.js';
import { AnswerText } from '../json-rpc/answer-text.js';
import { RpcCode, RpcError } from '../json-rpc/rpc-error.js';
import type { Watch } from './entity-watch.js';
import type { BrpCall } from './operation.js';
import type { WatchOutput } from './watch-output.js';

/** The event's type path. */
export const MESSAGE_EVENT = 'varwire::SimMessage';

/** Messages that wait for a slow client; the oldest are left out. */
const MOST_WAITING = 100;
const LONGEST_TEXT = 4000;

export class MessageWatch implements Watch {
  private readonly held: Held;
  private readonly stops: (() => void)[] = [];
  private waiting: object[] = [];

  constructor(
    private readonly call: BrpCall,
    private readonly output: WatchOutput,
  ) {
    this.held = new Held(call.account);
  }

  /** Throws an OverBoundError. */
  start(): this {
    const { source, account, followers } = this.call;
    this.held.setAll({ subscriptions: 1, keptBytes: MOST_WAITING * LONGEST_TEXT });
    this.stops.push(source.onMessage((message) => this.take(message)));
    this.stops.push(followers.add({ account, look: () => undefined, end: (reason) => this.end(reason) }));
    return this;
  }

  close(): void {
    for (const stop of this.stops.splice(0)) stop();
    this.held.release();
  }

  private take({ level, text, timeSeconds }: SimMessage): void {
    const isOffered = this.waiting.length > 0;
    this.waiting.push({ level, text: text.slice(0, LONGEST_TEXT), time_seconds: timeSeconds });
    if (this.waiting.length > MOST_WAITING) {
      this.waiting.shift();
      this.output.countDropped();
    }
    // The event that waits for the client will have this message too: it is not left out.
    if (isOffered) this.output.release();
    else this.offer();
  }

  private offer(): void {
    this.output.offer(() => {
      const events = this.waiting.splice(0);
      return events.length > 0 ? AnswerText.of(JSON.stringify(events)) : undefined;
    });
  }

  private end(reason: string): void {
    this.close();
    this.output.fail(new RpcError(RpcCode.requestRefused, `the watch has ended: ${reason}`));
  }
}
