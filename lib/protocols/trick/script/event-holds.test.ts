// What the simulation is told of the operator's events, and how much of it at a time.
import { expect } from 'chai';
import type { Answer, Request } from '../../../source/source.js';
import type { ScriptValue } from '../../python/index.js';
import type { TrickEvent } from '../events/event.js';
import { EventTable } from '../events/event-table.js';
import { EventHolds } from './event-holds.js';

interface Sent {
  readonly control: { readonly action: string; readonly id: number; readonly conditions?: readonly unknown[] };
  answer(value?: Answer['value']): void;
}

describe('holds of events', () => {
  let sent: Sent[];
  let events: EventTable;
  let holds: EventHolds;
  let evaluated: [string, unknown[]][];
  let names: Map<string, ScriptValue>;
  const MOST = 2000;

  beforeEach(() => {
    sent = [];
    evaluated = [];
    names = new Map();
    const server = { canWait: () => true, follow: () => undefined, changed: () => undefined, isVariable: () => true };
    events = new EventTable({ ...server, accountOf: () => undefined, say: () => undefined, timeTics: () => 0 });
    const submit = (request: Request): Promise<Answer> =>
      new Promise((resolve) => {
        const { control } = request as unknown as Sent;
        sent.push({ control, answer: (value) => resolve({ frame: 1, ...(value !== undefined && { value }) }) });
      });
    const frame = { header: { ticsPerSecond: 1e6 } };
    holds = new EventHolds(
      events,
      { submit, frame } as never,
      new Map(),
      () => ({ names, modules: new Map() }),
      (event, decided, done) => {
        evaluated.push([event.name, [...decided.values()]]);
        done();
      },
    );
  });

  const added = (name: string, ...conditions: readonly string[]): TrickEvent => {
    const event = events.create(name, '') as TrickEvent;
    conditions.forEach((text, at) => {
      event.setCondition(at, text, '');
    });
    event.isActive = true;
    events.add(event);
    return event;
  };
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const conditionsSent = (): unknown => sent.at(-1)?.control.conditions;

  it('have the conditions of an active event, with the values of names, and none of one that is not', async () => {
    names.set('limit', 5n);
    const event = added('e', 'fx.i > limit', 'fx.on');
    holds.settle();
    expect(JSON.stringify(conditionsSent(), (_, value) => (typeof value === 'bigint' ? Number(value) : value)))
      .to.contain('"value":5')
      .and.not.contain('limit');
    names.set('limit', 6n);
    holds.namesChanged();
    expect(sent).to.have.length(2);
    holds.namesChanged();
    expect(sent).to.have.length(2);
    event.isActive = false;
    events.changed(event);
    holds.settle();
    expect(conditionsSent()).to.deep.equal([]);
    event.isActive = true;
    event.setCondition(0, 'x = 1', '');
    events.changed(event);
    holds.settle();
    expect(conditionsSent()).to.equal(undefined);
  });

  it('are evaluated with what the simulation has found, and held again at the end', async () => {
    added('e', 'fx.i > 1', 'fx.on');
    holds.settle();
    sent[0]?.answer([true, null] as never);
    await settled();
    expect(evaluated).to.deep.equal([['e', [true, null]]]);
    expect(sent.map(({ control: { action, id } }) => `${action} ${id}`)).to.deep.equal(['hold -1', 'hold -1']);
  });

  it('are let go when the event is removed, and begin anew when it is added again', () => {
    const event = added('e', 'True');
    holds.settle();
    events.remove(event);
    holds.settle();
    events.add(event);
    holds.settle();
    expect(sent.map(({ control: { action, id } }) => `${action} ${id}`)).to.deep.equal([
      'hold -1',
      'let-go -1',
      'hold -2',
    ]);
  });

  it('are no more at a time than the simulation takes, however often somebody switches events', async () => {
    const event = added('e', 'fx.i > 1');
    for (let switched = 0; switched < 10 * MOST; switched++) {
      event.isActive = !event.isActive;
      events.changed(event);
      holds.settle();
    }
    expect(sent.length).to.be.within(MOST, MOST + 10);
    event.isActive = true;
    events.changed(event);
    for (const { control, answer } of sent.splice(0)) if (control.action === 'let-go') answer();
    await settled();
    expect(conditionsSent()).to.have.length(1);
  });
});
