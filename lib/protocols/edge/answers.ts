// What edges have asked for, by id: what is asked again has the same answer, and is done once.
import type { Session } from '../../serving/session/session.js';
import { type Answered, type Asked, Down } from '../../source/edge/carrier.js';
import { fromJson, toJson } from '../../source/edge/wire-values.js';
import { requestOf } from './request-shape.js';

/** An edge asks no more for an answer that it has waited for so long. */
const KEPT_MILLIS = 60_000;
/** Of all edges. */
const MOST_KEPT = 20_000;
/** Of a longer answer, such as the text of a checkpoint, it is kept that it was given. */
const LONGEST_KEPT_BYTES = 4096;
const NOT_KEPT = 'this was done; its answer was too long to be kept for another time';
/** Of one asker, without an answer. */
const MOST_OPEN = 1000;

interface Kept {
  readonly sinceMillis: number;
  readonly answer: Promise<Uint8Array>;
}

/** Who asks. */
export interface Asker {
  readonly session: Session;
  readonly mayChange: boolean;
  /** How much of what it has asked for has no answer. */
  open: number;
}

export class Answers {
  private readonly kept = new Map<string, Kept>();

  constructor(
    private readonly epoch: number,
    private readonly nowMillis: () => number,
  ) {}

  /** Resolves with the message of the answer. Rejects for what is not of an edge at all. */
  async to(asker: Asker, text: Uint8Array): Promise<Uint8Array> {
    const asked = fromJson(Buffer.from(text).toString()) as Asked;
    const { edge, id, epoch, request } = asked;
    if (typeof edge !== 'string' || edge.length > 32 || typeof id !== 'number') throw new Error('this is no edge');
    const { mayChange } = asker;
    if (request === undefined) return messageOf({ id, mayChange });
    this.forget();
    const key = `${asker.session.account.network} ${edge} ${id}`;
    const known = this.kept.get(key);
    if (known) return known.answer;
    const refusal = this.refusalOf(asker, epoch);
    if (refusal !== undefined) return messageOf({ id, error: refusal });
    const answer = this.carryOut(asker, id, request);
    this.kept.set(key, { sinceMillis: this.nowMillis(), answer });
    const { length } = await answer;
    const short = Promise.resolve(messageOf({ id, error: NOT_KEPT }));
    if (length > LONGEST_KEPT_BYTES) this.kept.set(key, { sinceMillis: this.nowMillis(), answer: short });
    return answer;
  }

  private refusalOf({ open }: Asker, epoch: number): string | undefined {
    if (epoch !== this.epoch) return 'the simulation has been started again since this was asked for';
    if (open >= MOST_OPEN || this.kept.size >= MOST_KEPT)
      return 'this edge asks for more than is answered; ask again later';
    return undefined;
  }

  private async carryOut(asker: Asker, id: number, given: unknown): Promise<Uint8Array> {
    asker.open++;
    try {
      const request = requestOf(given);
      if (!asker.mayChange && request.kind !== 'look') return messageOf({ id, error: 'this edge may only read' });
      const { frame, value } = await asker.session.submit(request);
      return messageOf({ id, frame, ...(value !== undefined && { value }) });
    } catch (error) {
      return messageOf({ id, error: (error as Error).message });
    } finally {
      asker.open--;
    }
  }

  private forget(): void {
    const oldest = this.nowMillis() - KEPT_MILLIS;
    for (const [key, { sinceMillis }] of this.kept) {
      if (sinceMillis > oldest) return;
      this.kept.delete(key);
    }
  }
}

const messageOf = (answer: Answered): Uint8Array =>
  Buffer.concat([Uint8Array.of(Down.answer), Buffer.from(toJson(answer))]);
