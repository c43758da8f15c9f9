// Looks at long lists of a large state: in turns, on the client's account, until the session ends.
import { expect } from 'chai';
import type { PageLeases } from '../../../model/frame/page-leases.js';
import { PAGE_BYTES } from '../../../model/frame/page-map.js';
import { type Account, OverBoundError } from '../../../serving/scheduling/account.js';
import { Turns } from '../../../serving/scheduling/turns.js';
import { ComputingClock, countPieces } from '../../../testing/aids/computing.js';
import { turn } from '../../../testing/aids/http-exchange.js';
import { startTrickFixture, type TrickFixture } from '../../../testing/aids/trick-server.js';
import { ReferenceTable } from '../wire/reference.js';
import { ShownList } from './shown-list.js';

const COUNT = 3000;

describe('the look at a long list', () => {
  let fixture: TrickFixture;
  beforeEach(async () => {
    fixture = await startTrickFixture({ ballast: 2 ** 19 });
  });
  afterEach(() => fixture.close());

  /** Each look at the clock takes a turn. */
  function setUp(length = COUNT) {
    const { source, ledger } = fixture.registry;
    const clock = new ComputingClock();
    const later: (() => void)[] = [];
    const turns = new Turns(
      () => clock.nowMillis(),
      (call) => later.push(call),
    );
    clock.millisPerLook = 3;
    const account: Account = ledger.open('10.0.0.1');
    const table = new ReferenceTable(source);
    const list = Array.from({ length }, (_, k) => table.hold(`ballast.many[${100 * k}]`));
    const bound = { left: true };
    const counted: number[] = [];
    const countCarried = (values: number): void => {
      if (!bound.left) throw new OverBoundError('valuesPerSecond', 'too many values');
      counted.push(values);
    };
    const shown = new ShownList(list, {
      refused: () => undefined,
      countCarried,
      latest: () => source.frame,
      turn: () => turns.turn(account),
    });
    const run = async (): Promise<void> => {
      do {
        await turn();
        later.shift()?.();
        await turn();
      } while (later.length > 0);
    };
    const held = new Set<number>();
    const leases = source.frame.pages?.leases as PageLeases;
    const { hold } = leases;
    leases.hold = (pages) => {
      for (const page of pages) held.add(page);
      hold.call(leases, pages);
    };
    const isAsked = (k: number): boolean => held.has(Math.floor((list[k]?.variable?.offsetBytes ?? 0) / PAGE_BYTES));
    return { shown, account, turns, source, bound, counted, list, later, run, isAsked };
  }

  it('gives way, counts, and holds all its pages at once when they have been counted', async () => {
    const { shown, turns, source, counted, later, run, isAsked } = setUp();
    const pieces = countPieces(turns);
    const looking = shown.isCarriedBy(source.frame);
    expect(looking).to.be.instanceOf(Promise);
    expect([counted, isAsked(0), isAsked(COUNT - 1)]).to.deep.equal([[], false, false]);
    const { computedMillis } = turns;
    for (let count = 0; count < 3; count++) {
      await turn();
      later.shift()?.();
    }
    expect([isAsked(0), turns.computedMillis > computedMillis]).to.deep.equal([false, true]);
    // Who asks meanwhile waits for the same look.
    const other = shown.isCarriedBy(source.frame);
    await run();
    expect(await Promise.all([looking, other])).to.deep.equal([false, false]);
    expect([pieces() > 10, isAsked(0), isAsked(COUNT - 1)]).to.deep.equal([true, true, true]);
    expect(Math.max(...counted)).to.be.above(0);
    await fixture.pass(10);
    // What is known of the list is enough for the frames that come.
    expect(shown.isCarriedBy(source.frame)).to.equal(true);
  });

  it('holds nothing when the client may not have its pages', async () => {
    const { shown, source, bound, run, isAsked } = setUp();
    bound.left = false;
    const looking = shown.isCarriedBy(source.frame);
    await run();
    expect([await looking, shown.isRefused]).to.deep.equal([true, true]);
    expect([isAsked(0), isAsked(COUNT - 1)]).to.deep.equal([false, false]);
  });

  it('is made at once for a short list', () => {
    const { shown, source, isAsked } = setUp(100);
    expect([shown.isCarriedBy(source.frame), isAsked(0), isAsked(99)]).to.deep.equal([false, true, true]);
  });

  it('leaves nothing behind when the session ends while it waits', async () => {
    const { shown, account, turns, source, counted, run, isAsked } = setUp();
    const looking = shown.isCarriedBy(source.frame);
    await turn();
    expect(turns.waiting).to.equal(1);
    shown.close();
    account.close();
    await run();
    expect([await looking, turns.waiting, counted, isAsked(0)]).to.deep.equal([false, 0, [], false]);
  });

  it('leaves no gap in what is copied by frames once frames carry the list', async () => {
    const client = fixture.connect();
    client.send('trick.var_pause()\ntrick.var_add("time")\n');
    for (let k = 0; k < COUNT; k++) client.send(`trick.var_add("ballast.many[${100 * k}]")\n`);
    await fixture.ask(client, 'trick.var_set_copy_mode(2)\ntrick.var_set_write_mode(1)\ntrick.var_unpause()\n');
    await fixture.pass(50);
    client.taken();
    await fixture.pass(200);
    expect(client.taken().split('\n').slice(0, -1)).to.have.length(20);
  });
});
