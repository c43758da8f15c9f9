// The events of a simulation elsewhere in the viewer's list here: as they are there for as long as somebody reads the list.
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../../serving/scheduling/clock.js';
import { type EventElsewhere, type EventOrder, RequestError, refusalOf, type Source } from '../../../source/source.js';
import type { Run } from '../../python/index.js';
import type { EventPlace, TrickEvent } from './event.js';
import type { EventTable } from './event-table.js';
import { shownEvent } from './shown-event.js';

const EVERY_MILLIS = 1000;
/** Viewers read it all the time. */
const TICKER = 'trick_ip.mtv.mtv_update_ticker';

export class ShownElsewhere {
  private readonly shown = new Map<string, TrickEvent>();
  /** For which there is no room. */
  private readonly refused = new Set<string>();
  private taken: object | undefined;
  private cancel: (() => void) | undefined;
  private isClosed = false;

  /** @param settled resolves when the variables show what the table has. */
  constructor(
    private readonly source: Source,
    private readonly table: EventTable,
    private readonly clock: Clock,
    private readonly settled: () => Promise<void>,
  ) {}

  async begin(): Promise<void> {
    await this.refresh();
    this.goOn();
  }

  close(): void {
    this.isClosed = true;
    this.cancel?.();
  }

  /** Resolves when the variables show them as they are now; while there is no connection, as they were last. */
  async refresh(): Promise<void> {
    const found = await this.source.events?.list().catch(() => undefined);
    if (!found || this.isClosed) return;
    if (found !== this.taken) this.take(found.events);
    this.taken = found;
    await this.settled();
  }

  /** As `refresh`, of a block. */
  *look(): Run<void> {
    yield this.refresh();
  }

  async has(name: string): Promise<boolean> {
    await this.refresh();
    return this.shown.has(name);
  }

  /** Resolves when the variables show what it did. Rejects with one sentence. */
  async order(name: string, order: EventOrder): Promise<void> {
    const refusal = refusalOf(this.source, 'control');
    if (refusal) throw refusal;
    const event = this.shown.get(name);
    if (!event) throw new RequestError(`there is no event ${name} any more`);
    if (typeof order === 'object') requireItem(event, order.item, order.index);
    await this.source.events?.order(name, order);
    await this.refresh();
  }

  private goOn(): void {
    if (this.isClosed) return;
    this.cancel = this.clock.after(EVERY_MILLIS, () => {
      void (this.isRead ? this.refresh() : Promise.resolve()).then(() => this.goOn());
    });
  }

  private get isRead(): boolean {
    const ticker = this.source.catalog.find(TICKER);
    return ticker !== undefined && this.source.frame.carries(ticker);
  }

  private take(events: readonly EventElsewhere[]): void {
    const there = new Map<string, EventElsewhere>();
    for (const each of events) if (!there.has(each.name)) there.set(each.name, each);
    for (const [name, event] of this.shown) if (!isSame(event, there.get(name))) this.forget(event);
    for (const each of there.values()) {
      const event = this.shown.get(each.name) ?? this.make(each);
      if (!event) continue;
      const before = shownEvent(event);
      follow(event, each);
      if (!isDeepStrictEqual(before, shownEvent(event))) this.table.changed(event);
    }
  }

  private forget(event: TrickEvent): void {
    this.shown.delete(event.name);
    this.table.delete(event);
  }

  /** Undefined, with one warning, when there is no room for it. */
  private make({ name, conditions, actions }: EventElsewhere): TrickEvent | undefined {
    if (this.refused.has(name)) return undefined;
    try {
      const event = this.table.create(name, '');
      if (!event) return undefined;
      event.isElsewhere = true;
      for (const [at, { text, comment }] of conditions.entries()) {
        this.table.reserve(event, undefined, text, comment);
        event.setCondition(at, text, comment);
      }
      for (const [at, { text, comment }] of actions.entries()) {
        this.table.reserve(event, undefined, text, comment);
        event.setAction(at, text, comment);
      }
      this.table.list(event);
      this.shown.set(name, event);
      return event;
    } catch (error) {
      this.refused.add(name);
      this.table.say(`event ${name} of the simulation is not listed: ${(error as Error).message}`, 'warning');
      return undefined;
    }
  }
}

/** Whether an event still has the texts that viewers have read of it. */
function isSame(event: TrickEvent, there: EventElsewhere | undefined): boolean {
  const textsOf = ({ conditions, actions }: Pick<EventElsewhere, 'conditions' | 'actions'>) =>
    [conditions, actions].map((items) => items.map(({ text, comment }) => [text, comment]));
  return there !== undefined && isDeepStrictEqual(textsOf(event), textsOf(there));
}

function follow(event: TrickEvent, there: EventElsewhere): void {
  const { name: _, conditions, actions, cycleSeconds, target, ...state } = there;
  Object.assign(event, state);
  event.setCycle(cycleSeconds);
  event.target = target && { place: target.place as EventPlace, job: target.job, periodTics: 0 };
  for (const [at, item] of event.conditions.entries()) Object.assign(item, conditions[at]);
  for (const [at, item] of event.actions.entries()) Object.assign(item, actions[at]);
}

function requireItem(event: TrickEvent, item: 'condition' | 'action', index: number): void {
  const { length } = event[`${item}s`];
  if (index < 0 || index >= length)
    throw new RequestError(`event ${event.name} has ${length} ${item}s, none with the index ${index}`);
}
