// The outcomes of changes that were answered before the simulation applied them, by sequence.
import type { Session } from '../../serving/session/session.js';
import type { Answer } from '../../source/source.js';
import { RpcCode, RpcError } from './rpc-error.js';

/** How many changes of one client are remembered. */
const REMEMBERED = 1000;

export interface ChangeResult {
  readonly state: 'waiting' | 'done' | 'refused';
  /** For a change that is done: the number of the first frame that shows it. */
  readonly frame?: number;
  /** For a change that was refused: the reason, in one sentence. */
  readonly reason?: string;
}

export class ChangeResults {
  private readonly bySession = new WeakMap<Session, Map<number, ChangeResult>>();
  private lastSequence = 0;

  /** The next sequence number; it counts the changes of all clients. */
  nextSequence(): number {
    return ++this.lastSequence;
  }

  /** Remembers the outcome of a change when it is known. */
  follow(session: Session, sequence: number, answer: Promise<Answer>, onRefused: (error: Error) => void): void {
    const results = this.of(session);
    results.set(sequence, { state: 'waiting' });
    if (results.size > REMEMBERED) results.delete(results.keys().next().value as number);
    answer.then(
      ({ frame }) => settle(results, sequence, { state: 'done', frame }),
      (error: Error) => {
        settle(results, sequence, { state: 'refused', reason: error.message });
        onRefused(error);
      },
    );
  }

  /** Throws an RpcError for a sequence that is not among this client's latest changes. */
  find(session: Session, sequence: number): ChangeResult {
    const result = this.of(session).get(sequence);
    if (result) return result;
    const sentence = `no change of this client has the sequence ${sequence}, or more than ${REMEMBERED} came after it`;
    throw new RpcError(RpcCode.invalidParams, sentence);
  }

  private of(session: Session): Map<number, ChangeResult> {
    const known = this.bySession.get(session);
    if (known) return known;
    const results = new Map<number, ChangeResult>();
    this.bySession.set(session, results);
    return results;
  }
}

function settle(results: Map<number, ChangeResult>, sequence: number, result: ChangeResult): void {
  if (results.has(sequence)) results.set(sequence, result);
}
