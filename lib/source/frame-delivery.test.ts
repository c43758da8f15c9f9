// The delivery of frames to listeners, in order and on demand.
import { expect } from 'chai';
import { Reason } from '../model/frame/header.js';
import { FrameReader } from '../model/frame/reader.js';
import { double } from '../model/state/declare.js';
import { readVariable } from '../model/state/read.js';
import { State } from '../model/state/state.js';
import { type Layout, Publisher } from '../simulation/executive/publisher.js';
import { headerOf } from '../testing/aids/frames.js';
import { FrameDelivery } from './frame-delivery.js';

/** A publisher and a delivery; the test decides when the messages between them arrive. */
class Bench {
  readonly state = new State();
  readonly failures: unknown[] = [];
  readonly delivery: FrameDelivery;
  pokes = 0;
  nowMillis = 0;
  /** How long a listener needs for a frame. */
  costMillis = 0;
  readonly later: (() => void)[] = [];
  readonly delivered: string[] = [];
  readonly object = this.state.addObject('o');
  readonly x = this.object.component('x', double());
  private readonly underway: (() => void)[] = [];
  private readonly publisher = new Publisher(this.state, {
    // Shared memory is a different object on each thread.
    layout: (layout) => this.underway.push(() => this.delivery.enter(structuredClone(layout) as Layout)),
    poke: () => {
      this.pokes++;
      this.underway.push(() => this.delivery.framesCame());
    },
  });

  constructor(isOnDemand = false) {
    this.delivery = new FrameDelivery(
      (error) => this.failures.push(error),
      isOnDemand,
      () => this.nowMillis,
      (call) => this.later.push(call),
    );
    if (!isOnDemand) this.listen();
  }

  listen(): () => void {
    return this.delivery.onFrame((frame) => {
      const variable = this.delivery.catalog.find('o.x');
      const value = variable && readVariable(variable, frame.memory);
      this.nowMillis += this.costMillis;
      this.delivered.push(`${frame.header.number}: ${value} by ${this.delivery.catalog.version}`);
    });
  }

  publish(value: number, reason: Reason = Reason.tick): void {
    this.x.value = value;
    this.publisher.publish(headerOf({ ...this.publisher.next(), reason }));
  }

  grow(cells: number): void {
    this.object.component(`more${this.state.version}`, double(cells));
  }

  /** Runs the next turn of the event loop. */
  nextTurn(): void {
    for (const call of this.later.splice(0)) call();
  }

  arrive(): void {
    for (const message of this.underway.splice(0)) message();
  }
}

describe('the delivery of frames', () => {
  it('has no frame before the first one', () => {
    const { delivery } = new Bench();
    expect([delivery.frame.header.number, delivery.catalog.objects.length]).to.deep.equal([0, 0]);
    expect(delivery.past(1)).to.equal(undefined);
  });

  it('hands on each frame once, in order, with its catalog', () => {
    const bench = new Bench();
    bench.publish(1);
    bench.arrive();
    bench.publish(2);
    bench.publish(3);
    bench.arrive();
    expect(bench.delivered).to.deep.equal(['1: 1 by 3', '2: 2 by 3', '3: 3 by 3']);
    expect(bench.delivery.frame.header.number).to.equal(3);
  });

  it('hands on no frame twice when a catalog comes after frames laid out by it', () => {
    const bench = new Bench();
    bench.publish(1);
    bench.arrive();
    bench.grow(1);
    bench.publish(2);
    bench.publish(3);
    bench.delivery.drain();
    expect(bench.delivered.length).to.equal(1);
    bench.arrive();
    bench.publish(4);
    bench.arrive();
    expect(bench.delivered).to.deep.equal(['1: 1 by 3', '2: 2 by 4', '3: 3 by 4', '4: 4 by 4']);
    expect(bench.delivery.lapped).to.equal(0);
  });

  it('goes on when several catalogs are under way at once, in old rings and new ones', () => {
    const bench = new Bench();
    bench.publish(1);
    bench.arrive();
    for (const [index, cells] of [1, 2, 5000, 1, 20_000, 3].entries()) {
      bench.grow(cells);
      bench.publish(2 + index);
    }
    bench.delivery.drain();
    bench.arrive();
    bench.publish(8);
    bench.arrive();
    const versions = [3, 4, 5, 6, 7, 8, 9, 9];
    expect(bench.delivered).to.deep.equal(versions.map((version, index) => `${index + 1}: ${index + 1} by ${version}`));
    expect(bench.delivery.lapped).to.equal(0);
  });

  it('keeps the latest frame apart from scheduled ones', () => {
    const bench = new Bench();
    bench.publish(1);
    bench.publish(2, Reason.scheduled);
    bench.arrive();
    expect(bench.delivered.length).to.equal(2);
    expect(bench.delivery.frame.header.number).to.equal(1);
  });

  it('never has a frame and a catalog that do not belong together', () => {
    const bench = new Bench();
    bench.publish(1);
    bench.arrive();
    bench.state.addObject('first').component('y', double(), 5);
    bench.publish(2, Reason.scheduled);
    bench.arrive();
    const { frame, catalog } = bench.delivery;
    expect(frame.header.catalogVersion).to.equal(catalog.version);
  });

  it('counts frames that were overwritten before they were read', () => {
    const bench = new Bench();
    bench.publish(1);
    bench.arrive();
    for (let i = 2; i <= 1000; i++) bench.publish(i);
    bench.arrive();
    expect(bench.delivered.length + bench.delivery.lapped).to.equal(1000);
    expect(bench.delivery.lapped).to.be.greaterThan(0);
    expect(bench.delivered.at(-1)).to.equal('1000: 1000 by 3');
  });

  it('gives past frames while the ring has them', () => {
    const bench = new Bench();
    bench.publish(1);
    bench.publish(2);
    bench.publish(3);
    bench.arrive();
    const variable = bench.delivery.catalog.find('o.x');
    const past = bench.delivery.past(2);
    expect(variable && past && readVariable(variable, past.memory)).to.equal(2);
    expect([bench.delivery.past(0), bench.delivery.past(4)]).to.deep.equal([undefined, undefined]);
  });

  it('gives a past frame again as it was, other ones after it, and none that has left the ring', () => {
    const bench = new Bench();
    bench.publish(1);
    bench.publish(2);
    bench.publish(3);
    bench.arrive();
    const variable = bench.delivery.catalog.find('o.x');
    const shown = [2, 2, 1, 2].map((number) => {
      const past = bench.delivery.past(number);
      return variable && past && readVariable(variable, past.memory);
    });
    expect(shown).to.deep.equal([2, 2, 1, 2]);
    for (let value = 4; value < 1000; value++) {
      bench.publish(value);
      bench.arrive();
    }
    expect(bench.delivery.past(2)).to.equal(undefined);
  });

  it('copies a past frame once for readers that ask for several in turn', () => {
    const bench = new Bench();
    for (let value = 1; value <= 5; value++) bench.publish(value);
    bench.arrive();
    const { read } = FrameReader.prototype;
    let copies = 0;
    FrameReader.prototype.read = function (...given) {
      copies++;
      return read.apply(this, given);
    };
    try {
      for (let round = 0; round < 3; round++) for (const number of [1, 2, 3, 4]) bench.delivery.past(number);
    } finally {
      FrameReader.prototype.read = read;
    }
    expect(copies).to.equal(4);
  });

  it('calls every listener though one throws, and none that has left', () => {
    const bench = new Bench();
    const failing = bench.delivery.onFrame(() => {
      throw new Error('a bad listener');
    });
    let calls = 0;
    bench.delivery.onFrame(() => calls++);
    bench.publish(1);
    bench.arrive();
    expect([calls, String(bench.failures)]).to.deep.equal([1, 'Error: a bad listener']);
    failing();
    bench.publish(2);
    bench.arrive();
    expect([calls, bench.failures.length]).to.deep.equal([2, 1]);
  });
});

describe('the delivery of frames on demand', () => {
  /** The visible frame stays the same until the end of a turn of the event loop. */
  const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  const shown = ({ delivery }: Bench): unknown => {
    const variable = delivery.catalog.find('o.x');
    return variable && readVariable(variable, delivery.frame.memory);
  };

  async function publishTen(bench: Bench): Promise<void> {
    for (let value = 1; value <= 10; value++) {
      bench.publish(value);
      bench.arrive();
    }
    await nextTurn();
  }

  it('is poked once, not for each frame, while nobody listens, and shows the latest when it is looked at', async () => {
    const bench = new Bench(true);
    await publishTen(bench);
    const { pokes } = bench;
    expect(pokes).to.be.at.most(2);
    expect(shown(bench)).to.equal(10);
    await publishTen(bench);
    expect([bench.pokes, bench.delivery.lapped]).to.deep.equal([pokes, 0]);
  });

  it('shows one frame throughout a turn of the event loop', async () => {
    const bench = new Bench(true);
    await publishTen(bench);
    expect(shown(bench)).to.equal(10);
    bench.publish(11);
    expect([shown(bench), bench.delivery.frame.header.number]).to.deep.equal([10, 10]);
    await nextTurn();
    expect([shown(bench), bench.delivery.frame.header.number]).to.deep.equal([11, 11]);
  });

  it('tells every frame to a listener from when it came, and pokes for none after it has left', async () => {
    const bench = new Bench(true);
    await publishTen(bench);
    const stop = bench.listen();
    bench.publish(11);
    bench.arrive();
    bench.publish(12);
    bench.publish(13);
    bench.arrive();
    expect(bench.delivered).to.deep.equal(['11: 11 by 3', '12: 12 by 3', '13: 13 by 3']);
    stop();
    const { pokes } = bench;
    await publishTen(bench);
    expect(bench.pokes).to.be.at.most(pokes + 1);
    expect(bench.delivered).to.have.length(3);
    expect(shown(bench)).to.equal(10);
  });

  it('passes over scheduled frames behind the latest of a tick', async () => {
    const bench = new Bench(true);
    await publishTen(bench);
    bench.publish(11);
    bench.publish(12, Reason.scheduled);
    bench.publish(13, Reason.scheduled);
    expect(shown(bench)).to.equal(11);
  });

  it('shows a frame no sooner than its catalog, and then goes on', async () => {
    const bench = new Bench(true);
    await publishTen(bench);
    expect(shown(bench)).to.equal(10);
    bench.grow(1000);
    bench.publish(11);
    await nextTurn();
    expect([shown(bench), bench.delivery.catalog.version]).to.deep.equal([10, 3]);
    bench.arrive();
    bench.publish(12);
    await nextTurn();
    expect([shown(bench), bench.delivery.catalog.version]).to.deep.equal([12, 4]);
  });

  it('gives way after some milliseconds, and goes on where it was', () => {
    const bench = new Bench();
    bench.costMillis = 2;
    for (let value = 1; value <= 5; value++) bench.publish(value);
    bench.arrive();
    expect(bench.delivered).to.have.length(3);
    bench.nextTurn();
    expect(bench.delivered.map((text) => text.split(':')[0])).to.deep.equal(['1', '2', '3', '4', '5']);
    expect(bench.delivery.skipped).to.equal(0);
  });

  it('gives no way when it is to finish, as no further frame comes', () => {
    const bench = new Bench();
    bench.costMillis = 2;
    for (let value = 1; value <= 9; value++) bench.publish(value);
    bench.arrive();
    expect(bench.delivered).to.have.length(3);
    bench.delivery.finish();
    expect(bench.delivered.map((text) => text.split(':')[0])).to.deep.equal([...'123456789']);
    bench.nextTurn();
    expect([bench.delivered.length, bench.delivery.skipped]).to.deep.equal([9, 0]);
  });

  it('goes on with the latest frame when it has been behind for a quarter of a second', () => {
    const bench = new Bench();
    bench.costMillis = 100;
    for (let value = 1; value <= 10; value++) bench.publish(value);
    bench.arrive();
    for (let turn = 0; turn < 10; turn++) bench.nextTurn();
    expect(bench.delivered.at(-1)).to.match(/^10:/);
    expect(bench.delivered.length + bench.delivery.skipped).to.equal(10);
    expect(bench.delivered.length).to.be.below(6);
  });

  it('tells those who wait for a frame once it has been told, or one behind it', () => {
    const bench = new Bench();
    bench.costMillis = 4;
    for (let value = 1; value <= 5; value++) bench.publish(value);
    bench.arrive();
    const heard: number[] = [];
    for (const number of [1, 3, 5]) bench.delivery.whenDelivered(number, () => heard.push(number));
    expect(heard).to.deep.equal([1]);
    bench.nextTurn();
    expect(heard).to.deep.equal([1, 3]);
    bench.nextTurn();
    expect(heard).to.deep.equal([1, 3, 5]);
  });

  it('tells no further frame before a listener is done with the one before', async () => {
    const bench = new Bench();
    let finish: () => void = () => undefined;
    const told: number[] = [];
    bench.delivery.onFrame(({ header }) => {
      told.push(header.number);
      return new Promise<void>((resolve) => {
        finish = resolve;
      });
    });
    for (let value = 1; value <= 3; value++) bench.publish(value);
    bench.arrive();
    expect([told, bench.delivery.frame.header.number]).to.deep.equal([[1], 1]);
    bench.publish(4);
    bench.arrive();
    expect(told).to.deep.equal([1]);
    finish();
    await new Promise((resolve) => setImmediate(resolve));
    expect([told, bench.delivery.frame.header.number]).to.deep.equal([[1, 2], 2]);
  });

  it('loses no frame to a pause of the machine', () => {
    const bench = new Bench();
    for (let value = 1; value <= 6; value++) bench.publish(value);
    bench.nowMillis += 60;
    bench.arrive();
    expect([bench.delivered.length, bench.delivery.skipped]).to.deep.equal([6, 0]);
  });
});
