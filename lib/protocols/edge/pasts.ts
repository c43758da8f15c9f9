// What edges plot of the time before they came: as clients here see it.
import type { SessionRegistry } from '../../serving/session/registry.js';
import type { Session } from '../../serving/session/session.js';
import { Down, jsonMessage, type PastAnswered, type PastAsked } from '../../source/edge/carrier.js';
import type { CallContext } from '../json-rpc/call-context.js';
import { callerOfRequest } from '../json-rpc/caller.js';
import type { MethodCalls } from '../json-rpc/method-calls.js';

const MOST_POINTS = 10_000;

interface Found {
  readonly series: Readonly<Record<string, Omit<PastAnswered, 'id'>>>;
}

/** For the edges that share a session. */
export class Pasts {
  private readonly context: CallContext;
  private end: () => void = () => undefined;

  constructor(
    private readonly calls: MethodCalls,
    private readonly session: Session,
    { turns }: SessionRegistry,
    mayAsk: () => boolean = () => true,
  ) {
    const gone = {
      onClose: (end: () => void): void => {
        this.end = end;
      },
    };
    this.context = calls.contextOf(session, callerOfRequest(session.account, gone, turns, mayAsk), false);
  }

  /** Resolves with the message of the answer. */
  async to({ id, path }: PastAsked): Promise<Uint8Array> {
    try {
      const { times, values } = (await this.kept(path)) ?? {};
      return jsonMessage(Down.past, { id, times, values });
    } catch {
      return jsonMessage(Down.past, { id });
    }
  }

  private async kept(path: string): Promise<Omit<PastAnswered, 'id'> | undefined> {
    const { account } = this.session;
    account.take('parked', 1);
    try {
      return await this.found(path);
    } finally {
      account.give('parked', 1);
    }
  }

  private async found(path: string): Promise<Omit<PastAnswered, 'id'> | undefined> {
    // A playback has not come to what is behind it.
    const to = this.context.source.frame.header.clockSeconds;
    const asked = { aliases: [path], points: MOST_POINTS, to };
    const { result, heldBytes } = await this.calls.call(this.context, 'var/history', asked);
    this.session.account.give('unreadBytes', heldBytes);
    return (result as Found).series[path];
  }

  close(): void {
    this.end();
  }
}
