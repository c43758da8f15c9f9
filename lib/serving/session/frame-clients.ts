// What clients want of each frame, by client: each client's part is made in its turns.
import { Reason } from '../../model/frame/header.js';
import type { Frame } from '../../model/frame/reader.js';
import type { Account } from '../scheduling/account.js';
import { ClientFrames, type PartOfFrame, untilBegun } from './client-frames.js';
import type { SessionRegistry } from './registry.js';

/** What is done with that of one client. */
export interface PartRule<Wanted> {
  /** Called when the client's turn for a frame has come. */
  begin(wanted: ReadonlySet<Wanted>, account: Account): PartOfFrame;
  /** The client has gone, and all that it wanted must be removed. */
  gone(wanted: ReadonlySet<Wanted>, account: Account): void;
  /** Whether anything may have to be done at a frame. Default: always. */
  isConcerned?(wanted: ReadonlySet<Wanted>, frame: Frame): boolean;
  /** What makes the client's message together with those of others; undefined when nothing does. */
  groupOf?(wanted: ReadonlySet<Wanted>): unknown;
}

interface OfClient<Wanted> {
  readonly wanted: Set<Wanted>;
  readonly frames: ClientFrames;
  /** Called when the last has been removed. */
  readonly forget: () => void;
}

/** Follows frames while anybody wants something of them. */
export class FrameClients<Wanted> {
  private readonly byAccount = new Map<Account, OfClient<Wanted>>();
  private stop: (() => void) | undefined;

  /** @param seesEvery as for `ClientFrames`. */
  constructor(
    private readonly registry: SessionRegistry,
    private readonly rule: PartRule<Wanted>,
    private readonly seesEvery = false,
  ) {}

  get size(): number {
    return this.byAccount.size;
  }

  get all(): readonly Wanted[] {
    return [...this.byAccount.values()].flatMap(({ wanted }) => [...wanted]);
  }

  of(account: Account): ReadonlySet<Wanted> {
    return this.byAccount.get(account)?.wanted ?? new Set();
  }

  add(account: Account, one: Wanted): void {
    const ofClient = this.byAccount.get(account) ?? this.open(account);
    ofClient.wanted.add(one);
    this.stop ??= this.registry.source.onFrame((frame) => this.onFrame(frame));
  }

  private open(account: Account): OfClient<Wanted> {
    const wanted = new Set<Wanted>();
    const begin = (): PartOfFrame => this.rule.begin(wanted, account);
    const frames = new ClientFrames(this.registry, account, begin, this.seesEvery);
    const ofClient = { wanted, frames, forget: account.onClose(() => this.rule.gone(wanted, account)) };
    this.byAccount.set(account, ofClient);
    return ofClient;
  }

  /** False when it has been removed before. */
  remove(account: Account, one: Wanted): boolean {
    const ofClient = this.byAccount.get(account);
    if (!ofClient?.wanted.delete(one)) return false;
    if (ofClient.wanted.size > 0) return true;
    ofClient.forget();
    this.byAccount.delete(account);
    if (this.byAccount.size > 0) return true;
    this.stop?.();
    this.stop = undefined;
    return true;
  }

  /** Who has much to do skips frames, and nobody else does. A scheduled frame may show the middle of a tick. */
  private onFrame(frame: Frame): Promise<void> | undefined {
    if (frame.header.reason === Reason.scheduled) return undefined;
    const { rule } = this;
    const later: Promise<void>[] = [];
    this.registry.turns.inARow(() => {
      for (const { frames, wanted } of this.byAccount.values()) {
        if (rule.isConcerned?.(wanted, frame) === false) continue;
        const begun = frames.take(frame, rule.groupOf?.(wanted));
        if (begun) later.push(begun);
      }
    });
    return untilBegun(later);
  }
}
