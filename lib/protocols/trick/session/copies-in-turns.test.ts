// Copies of chosen frames when the session's turn comes late: other clients get their frames meanwhile.
import { expect } from 'chai';
import { double } from '../../../model/state/declare.js';
import { simulation } from '../../../simulation/executive/simulation.js';
import { turn } from '../../../testing/aids/http-exchange.js';
import { KrpcFixture } from '../../../testing/aids/krpc-server.js';
import { Cadence, type CadenceEvents } from './cadence.js';

const BOX = simulation({ name: 'box', frameSeconds: 0.01 }, (sim) => {
  sim.object('box').component('value', double());
});

describe('copies of chosen frames whose turn comes late', () => {
  let fixture: KrpcFixture;
  beforeEach(async () => {
    fixture = await KrpcFixture.start(BOX);
  });
  afterEach(() => fixture.close());

  function setUp(copy: CadenceEvents['copy'], isCarriedBy: CadenceEvents['isCarriedBy'] = () => true) {
    const { registry } = fixture;
    const { source, timetable, turns } = registry;
    const steps: (() => boolean)[] = [];
    turns.dueSteps = (_, step) => {
      steps.push(step);
      return new Promise(() => undefined);
    };
    const sent: string[] = [];
    const send = (messages: unknown): void => void sent.push(String(messages));
    const account = registry.ledger.open('10.0.0.1');
    const cadence = new Cadence(registry, account, { isCarriedBy, copy, send });
    cadence.setCopyMode(2);
    cadence.setWriteMode(1);
    cadence.listChanged(1);
    const others: string[] = [];
    source.onFrame(({ header }) => others.push(String(header.number)));
    const run = (): void => {
      for (const step of steps.splice(0)) while (step());
    };
    return { cadence, timetable, sent, others, run };
  }

  it('are made of those frames, and no other client waits for them', async () => {
    const { cadence, timetable, sent, others, run } = setUp(({ header }) => Buffer.from(String(header.number)));
    await fixture.ticks(5);
    expect([others.length, sent.length]).to.deep.equal([5, 0]);
    run();
    expect(sent).to.deep.equal(others);
    await fixture.ticks(300);
    run();
    expect(sent.length + timetable.skipped).to.equal(305);
    expect(sent.slice(5)).to.deep.equal(others.slice(5 + timetable.skipped));
    expect(timetable.skipped).to.be.above(0);
    cadence.close();
  });

  it("are looked for in the session's turn, and a frame that does not carry the list is left out", async () => {
    const looked: string[] = [];
    const { cadence, sent, others, run } = setUp(
      ({ header }) => Buffer.from(String(header.number)),
      ({ header }) => looked.push(String(header.number)) !== 3,
    );
    expect(looked.splice(0)).to.have.length(1);
    await fixture.ticks(3);
    expect([others.length, looked.length]).to.deep.equal([3, 0]);
    looked.push('the list was asked for when it came');
    run();
    expect(looked.slice(1)).to.deep.equal(others);
    expect(sent).to.deep.equal([others[0], others[2]]);
    cadence.close();
  });

  it('are made of those frames when looking takes turns, and looking again does not wait for them', async () => {
    const looks: (() => void)[] = [];
    const { cadence, sent, others, run } = setUp(
      ({ header }) => Buffer.from(String(header.number)),
      () => new Promise((resolve) => looks.push(() => resolve(false))),
    );
    looks.length = 0;
    await fixture.ticks(2);
    run();
    expect([looks.length, sent]).to.deep.equal([1, []]);
    for (let count = 1; count <= 2; count++) {
      for (const look of looks.splice(0)) look();
      await turn();
      run();
      await turn();
      expect(sent).to.deep.equal(others.slice(0, count));
      run();
    }
    cadence.close();
  });

  it('leave nothing behind when the session ends while they wait', async () => {
    const looks: (() => void)[] = [];
    let copied = 0;
    const { cadence, sent, run } = setUp(
      () => {
        copied++;
        return Buffer.from('a list');
      },
      () => new Promise((resolve) => looks.push(() => resolve(true))),
    );
    await fixture.ticks(2);
    run();
    const before = looks.length;
    await fixture.ticks(2);
    cadence.close();
    for (const look of looks) look();
    await turn();
    run();
    await turn();
    run();
    expect([looks.length, copied, sent]).to.deep.equal([before, 0, []]);
  });

  it('are made one at a time when they are long', async () => {
    const made: (() => void)[] = [];
    const { cadence, sent, others, run } = setUp(
      ({ header }) => new Promise((resolve) => made.push(() => resolve(Buffer.from(String(header.number))))),
    );
    await fixture.ticks(3);
    for (let count = 1; count <= 3; count++) {
      run();
      expect(made.length).to.equal(1);
      made.shift()?.();
      await turn();
      expect(sent).to.deep.equal(others.slice(0, count));
    }
    cadence.close();
  });
});

describe('a list that is sent by wall time', () => {
  let fixture: KrpcFixture;
  beforeEach(async () => {
    fixture = await KrpcFixture.start(BOX);
  });
  afterEach(() => fixture.close());

  it('asks frames for its values when it is made, and not while its message is being made or has no room', async () => {
    const made: ((bytes: Buffer) => void)[] = [];
    let asked = 0;
    let begin: (() => void) | undefined;
    let hasRoom = true;
    const cadence = new Cadence(fixture.registry, fixture.registry.ledger.open('10.0.0.1'), {
      isCarriedBy: () => ++asked > 0,
      copy: () => new Promise((resolve) => made.push(resolve)),
      send: () => undefined,
      waitsForRoom: (call) => {
        begin = call;
        return !hasRoom;
      },
    });
    cadence.listChanged(1);
    await fixture.ticks(100);
    expect([asked, made.length]).to.deep.equal([1, 1]);
    hasRoom = false;
    made.shift()?.(Buffer.from('a list'));
    await turn();
    await fixture.ticks(100);
    expect([asked, made.length]).to.deep.equal([1, 0]);
    hasRoom = true;
    begin?.();
    expect([asked, made.length]).to.deep.equal([2, 1]);
    cadence.close();
  });
});
