// The list of events: names, the viewer's numbers, and what one client and all together may have.

import { expect } from 'chai';
import fc from 'fast-check';
import { Ledger } from '../../../serving/scheduling/account.js';
import { ManualClock } from '../../../testing/aids/manual-clock.js';
import type { ShownEvents } from '../catalog/event-memory.js';
import type { TrickEvent } from './event.js';
import { EventTable } from './event-table.js';

describe('the table of events', () => {
  let table: EventTable;
  let ledger: Ledger;
  let said: string[];

  beforeEach(() => {
    said = [];
    ledger = new Ledger(new ManualClock());
    const accounts = new Map<string, ReturnType<Ledger['open']>>();
    table = new EventTable({
      follow: () => undefined,
      canWait: () => true,
      changed: () => undefined,
      accountOf: (owner) => {
        if (owner === '') return undefined;
        const account = accounts.get(owner) ?? ledger.open(owner);
        accounts.set(owner, account);
        return account;
      },
      say: (text) => said.push(text),
      isVariable: () => true,
      timeTics: () => 0,
    });
  });

  const made = (name: string, owner = 'a'): TrickEvent => {
    const event = table.create(name, owner);
    if (!event) throw new Error(`${name} is taken`);
    return event;
  };
  const fill = (event: TrickEvent, count: number, text = 'True', comment = ''): void => {
    for (let index = event.conditions.length; count > 0; index++, count--) {
      table.reserve(event, undefined, text, comment);
      event.setCondition(index, text, comment);
    }
  };
  const shown = (): ShownEvents =>
    (table.takeChange() as unknown as { readonly value: ShownEvents } | undefined)?.value as ShownEvents;

  it('makes no second event of a name, until the first one is deleted', () => {
    const first = made('e');
    expect(table.create('e', 'b')).to.equal(undefined);
    table.delete(first);
    expect(table.find('e')).to.equal(first);
    expect(made('e')).to.not.equal(first);
  });

  it("gives the operator the name of a client's event, which is removed with a line in the log, and nobody else", () => {
    const clients = made('e');
    fill(clients, 2);
    table.add(clients);
    const operators = made('e', '');
    expect(table.find('e')).to.equal(operators);
    expect([clients.isAdded, table.listed.includes(clients), table.hasEventsOf('a')]).to.deep.equal([
      false,
      false,
      false,
    ]);
    expect(said).to.deep.equal(['event e of a is removed: the operator makes one of that name']);
    for (const owner of ['', 'a']) expect(table.create('e', owner)).to.equal(undefined);
    expect(said).to.have.length(1);
    expect(() => table.add(clients)).to.throw('there is another event e now');
    table.add(operators);
    table.delete(operators);
    table.add(clients);
    expect(table.listed.includes(clients)).to.equal(true);
  });

  it('makes any number of events without a name, which nothing finds', () => {
    expect(made('')).to.not.equal(made(''));
    expect(table.find('')).to.equal(undefined);
  });

  it('lists events when they are added, and never moves one', () => {
    const [a, b] = [made('a'), made('b')];
    expect(table.takeChange()).to.equal(undefined);
    for (const event of [b, a, b]) table.add(event);
    expect(table.listed).to.deep.equal([b, a]);
    expect(shown()).to.deep.include({ updateTicker: 2, count: 2 });
    table.remove(b);
    expect(shown()).to.deep.include({ updateTicker: 2, count: 2 });
    table.delete(b);
    table.add(b);
    expect(table.listed[2]).to.equal(b);
    expect(shown()).to.deep.include({ updateTicker: 4, count: 3 });
  });

  it('shows where a deleted event has been as many conditions as it had, and counts none', () => {
    const event = made('e');
    fill(event, 3);
    table.add(event);
    table.delete(event);
    const [, gone] = shown().changes[0] ?? [];
    expect(gone).to.deep.include({ name: 'no_name_specified', condition_count: 0, added: false });
    expect(gone?.conditions).to.have.length(3);
  });

  it('shows no more than 2,000 conditions and actions, however often an event is added and deleted', () => {
    const event = made('e');
    fill(event, 100);
    for (let round = 0; round < 999; round++) {
      table.add(event);
      table.delete(event);
    }
    let written = 0;
    for (let piece = shown(); piece; piece = shown())
      for (const [, { conditions, actions }] of piece.changes) written += conditions.length + actions.length;
    expect(written).to.be.within(100, 2000);
    fill(made('other'), 100);
    expect(event.conditions).to.have.length(100);
  });

  it('has room for 250 events of a client and leaves room for another, and deleted ones give way', () => {
    const first = made('0');
    for (let index = 1; index < 250; index++) made(`${index}`);
    expect(() => made('more')).to.throw('a client may have 250 events, one has to be deleted first');
    made('more', 'b');
    table.delete(first);
    made('most');
    expect(table.find('0')).to.equal(undefined);
  });

  it('has room for 1000 events in all', () => {
    for (let index = 0; index < 1000; index++) made(`${index}`, index < 600 ? '' : `client ${index % 10}`);
    expect(() => made('more', 'b')).to.throw('there are 1000 events, one has to be deleted first');
    const one = table.find('7') as TrickEvent;
    table.delete(one);
    made('more', 'b');
  });

  it('uses the places of deleted events again only when there are no others', () => {
    for (let index = 0; index < 1000; index++) {
      const event = made('e');
      table.add(event);
      table.delete(event);
    }
    const last = made('last');
    table.add(last);
    expect(table.listed).to.have.length(1000);
    expect(table.listed[0]).to.equal(last);
  });

  it('has room for 500 conditions and actions of a client, and for 2000 in all', () => {
    const owners = ['a', 'b', 'c', 'd'];
    for (const owner of owners) for (let index = 0; index < 5; index++) fill(made(`${owner}${index}`, owner), 100);
    expect(() => fill(made('more', 'a'), 1)).to.throw('a client may have 500 conditions and actions of events');
    expect(() => fill(made('other', 'e'), 1)).to.throw('there are 2000 conditions and actions of events');
    table.delete(table.find('a3') as TrickEvent);
    fill(made('now', 'a'), 100);
  });

  it('looks at each deleted event once at most to make room for a condition', () => {
    let looks = 0;
    const watched = (event: TrickEvent): TrickEvent => {
      const { owner } = event;
      const get = (): string => {
        looks++;
        return owner;
      };
      return Object.defineProperty(event, 'owner', { get });
    };
    const gone = Array.from({ length: 200 }, (_, k) => made(`gone ${k}`));
    for (const event of gone) fill(event, 2);
    for (let k = 0; k < 500; k++) watched(made(`other ${k}`, `client ${k % 5}`));
    const own = made('own');
    fill(own, 100);
    for (const event of gone) table.delete(watched(event));
    looks = 0;
    fill(own, 2);
    expect(looks).to.be.within(1, 2 * gone.length);
  });

  it('does not forget a deleted event to make room for its own conditions', () => {
    const event = made('e');
    fill(event, 100);
    for (let index = 1; index < 5; index++) fill(made(`${index}`), 100);
    table.delete(event);
    expect(() => fill(event, 1)).to.throw('a client may have 500 conditions and actions of events');
    expect(event.conditions).to.have.length(100);
    table.delete(table.find('1') as TrickEvent);
    fill(event, 1);
    expect(event.conditions).to.have.length(101);
  });

  it('counts what a client takes over as its own', () => {
    const event = made('e');
    fill(event, 100);
    table.give(event, 'b');
    expect([table.hasEventsOf('a'), table.hasEventsOf('b')]).to.deep.equal([false, true]);
    for (let index = 0; index < 4; index++) fill(made(`b${index}`, 'b'), 100);
    expect(() => fill(made('more', 'b'), 1)).to.throw('a client may have 500 conditions and actions of events');
    for (let index = 0; index < 5; index++) fill(made(`a${index}`), 100);
  });

  it('counts texts as what their client keeps, and gives them back', () => {
    const event = made('e');
    const before = ledger.held('keptBytes');
    fill(event, 10, 'x'.repeat(10_000));
    expect(ledger.held('keptBytes') - before).to.be.within(200_000, 210_000);
    table.reserve(event, event.conditions[0], 'y', '');
    expect(ledger.held('keptBytes') - before).to.be.within(180_000, 190_000);
    table.delete(event);
    made('e');
    expect(ledger.held('keptBytes')).to.be.lessThan(10_000);
  });

  it('refuses texts that its client may not keep, and forgets those of events that are gone', () => {
    const text = 'x'.repeat(10_000);
    const fillAll = (): void => {
      for (let index = 0; index < 5; index++) fill(made(`${index}`), 100, text, text);
    };
    expect(fillAll).to.throw(/a client may have 16777216 bytes of names, lists, events, streams and requests/);
    const [first] = [table.find('0') as TrickEvent];
    table.delete(first);
    made('0');
    expect(first.conditions).to.have.length(0);
  });

  it('shows many changes piece by piece, and the new list and its ticker with the last one', () => {
    const events = Array.from({ length: 240 }, (_, k) => made(`e${k}`));
    for (const event of events) {
      fill(event, 1);
      table.add(event);
    }
    const pieces: ShownEvents[] = [];
    for (let piece = shown(); piece; piece = shown()) pieces.push(piece);
    expect(pieces.map(({ changes }) => changes.length)).to.deep.equal([75, 75, 75, 15]);
    expect(pieces.map(({ count }) => count)).to.deep.equal([75, 150, 225, 240]);
    expect(pieces.map(({ updateTicker }) => updateTicker)).to.deep.equal([0, 0, 0, table.ticker]);
    for (const event of events) table.remove(event);
    expect(shown()).to.include({ count: 240, updateTicker: table.ticker });
  });

  describe('whatever is done to its events', () => {
    const operation = fc.tuple(
      fc.constantFrom('create', 'add', 'remove', 'delete', 'fill'),
      fc.integer({ min: 0, max: 7 }),
      fc.constantFrom('a', 'b'),
    );
    type Operation = readonly [what: string, which: number, owner: string];

    const carryOut = (events: Map<number, TrickEvent>, [what, which, owner]: Operation): void => {
      const event = events.get(which);
      const created = what === 'create' ? table.create(`e${which}`, owner) : undefined;
      if (created) events.set(which, created);
      else if (what === 'add' && event) table.add(event);
      else if (what === 'remove' && event) table.remove(event);
      else if (what === 'delete' && event) table.delete(event);
      else if (what === 'fill' && event) fill(event, 2);
    };

    it('lists no event twice', () => {
      fc.assert(
        fc.property(fc.array(operation, { maxLength: 60 }), (operations) => {
          const events = new Map<number, TrickEvent>();
          for (const one of operations) {
            carryOut(events, one);
            table.takeChange();
            const live = table.listed.filter(({ name }) => name !== 'no_name_specified');
            expect(new Set(live).size).to.equal(live.length);
          }
          for (const event of events.values()) table.delete(event);
        }),
        { numRuns: 50 },
      );
    });

    it('gives back what they held when others take their names', () => {
      fc.assert(
        fc.property(fc.array(operation, { maxLength: 60 }), (operations) => {
          const held = ledger.held('keptBytes');
          const events = new Map<number, TrickEvent>();
          for (const one of operations) carryOut(events, one);
          for (const event of events.values()) table.delete(event);
          for (const which of events.keys()) table.delete(table.create(`e${which}`, 'a') as TrickEvent);
          // Eight events without conditions are left at most.
          expect(ledger.held('keptBytes') - held).to.be.at.most(8 * 2200);
        }),
        { numRuns: 50 },
      );
    });
  });
});
