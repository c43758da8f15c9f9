// What native code can do wrong: each is one sentence, and nobody else is changed.
import { expect } from 'chai';
import { Balls } from './balls.js';

/** Of modes of the ball. */
const ENDS: Readonly<Record<number, RegExp>> = {
  1: /is lost in a step: its process has ended by a segmentation fault$/,
  3: /is lost in a step: it has ended its process with exit code 3$/,
  11: /is lost in a step: what its process has written is no answer$/,
  // What it logs on a thread of its own waits for the step, and the step for that thread.
  14: /has not returned in a step in time, and its process was ended$/,
  15: /is lost in a step: its process has ended by a floating-point exception$/,
  // It damages the heap.
  19: /is lost in a step: its process has ended by an abort$/,
  // Its step has returned when a thread of its own crashes.
  20: /is lost in a step: its process has ended by a segmentation fault$/,
};
/** Of modes whose process stays. */
const FAILURES: Readonly<Record<number, string>> = {
  5: 'fmi2DoStep returned Error: the valve is stuck at 0.1 s',
  12: 'fmi2DoStep returned -5',
};
/** The beginning of the first line, the directory of the resources, which is an address or a path, and the second line. */
const LOGGED = {
  2: [
    'ball: test: ball has 2 states, 0.12 and 1e+10, 3 4 5 6',
    /^file:\/\/\/.*\/resources$/,
    'ball: test: line 0 of many',
  ],
  3: ['ball: test:', /^\/.*\/resources\/$/, 'ball: test: one of many'],
} as const;
const MOST_STEPS = 100_000;

describe('an FMU that does wrong', function () {
  this.timeout(30_000);
  let balls: Balls;
  before(async function () {
    balls = await Balls.compiled(this);
  });
  afterEach(() => balls.closeRuns());
  after(() => balls?.fmus.remove());

  it('by a crash, a hang, an exit or a damage freezes the run with one sentence, now and when it goes on', async () => {
    await Promise.all(
      Object.entries(ENDS).map(async ([mode, sentence]) => {
        const run = await balls.start(2, { isolated: true, limitSeconds: 1 });
        run.step();
        run.write('ball.mode', Number(mode));
        expect(() => run.step(MOST_STEPS), mode).to.throw(sentence);
        expect(run.isFrozen).to.equal(true);
        run.run();
        expect(() => run.step(), mode)
          .to.throw(sentence)
          .that.has.property('message')
          .that.matches(/^job ball failed: ball \(ball2\.fmu\) /);
      }),
    );
  });

  it('by a status that is an error is not called any more', async () => {
    for (const [mode, sentence] of Object.entries(FAILURES)) {
      const run = await balls.start(2);
      run.step();
      run.write('ball.mode', Number(mode));
      for (let times = 0; times < 2; times++) {
        expect(() => run.step()).to.throw(`job ball failed: ball (ball2.fmu): ${sentence}`);
        run.run();
      }
      // A call of the FMU now would end the process of this test.
      run.close();
    }
  });

  it('to its process changes nobody else, and can be ended', async () => {
    const directory = process.cwd();
    const [upset, beside] = [await balls.start(2, { isolated: true, limitSeconds: 1 }), await balls.start(2)];
    // It changes the directory, the locale and the signal handlers; then it prints without end.
    for (const mode of [16, 21]) {
      upset.write('ball.mode', mode);
      for (const run of [upset, beside]) run.step(2);
      expect([upset, beside].map((run) => run.read('ball.shown_label'))).to.deep.equal(['/', 'plant']);
      for (const name of ['ball.h', 'ball.v']) expect(upset.read(name)).to.equal(beside.read(name));
      expect([process.cwd(), process.env.TZ === 'Asia/Tokyo']).to.deep.equal([directory, false]);
    }
    upset.write('ball.mode', 2);
    expect(() => upset.step()).to.throw('has not returned in a step in time, and its process was ended');
  });

  it('to its globals changes no other instance, also on the thread', async () => {
    const both = [await balls.start(2), await balls.start(2)];
    expect(both.map((run) => run.read('ball.instance'))).to.deep.equal([1, 1]);
  });

  it('and has another library than its description says is told of', async () => {
    const fmu = { name: 'liar', generation: 3, libraryGeneration: 2 } as const;
    const refused = await balls.start(fmu).catch(({ message }: Error) => message);
    expect(refused).to.match(/ball \(liar\.fmu\): its library has no function fmi3InstantiateCoSimulation$/);
  });

  it('is stepped from times that are counted and not summed up', async () => {
    for (const generation of [2, 3] as const) {
      const run = await balls.start(generation);
      for (let steps = 0; steps < 2000; steps++) {
        run.step();
        // In version 3.0, a tick at 0.25 s and each half a second later parts this step.
        if (generation === 3 && steps % 5 === 2) continue;
        if (run.read('ball.asked') !== steps / 10) expect(run.read('ball.asked')).to.equal(steps / 10);
      }
      expect([run.timeSeconds, run.read('ball.ticks')]).to.deep.equal([200, generation === 3 ? 800 : 0]);
    }
  });

  it('that ends the simulation ends the run', async () => {
    for (const generation of [2, 3] as const) {
      const run = await balls.start(generation);
      // 8 MB of stack are no reason to crash.
      run.write('ball.mode', 13);
      run.step();
      expect(run.read('ball.h')).to.be.below(1);
      run.write('ball.mode', 6);
      run.step();
      expect(run.end).to.deep.equal({ reason: 'ball has ended the simulation', exitCode: 0 });
    }
  });

  it('that logs without end is heard in part, with its numbers and texts in place', async () => {
    for (const generation of [2, 3] as const) {
      const run = await balls.start(generation, { logging: true });
      run.write('ball.mode', 4);
      run.step(3);
      run.close();
      const said = run.messages.map(({ text }) => text).filter((text) => text.startsWith('ball'));
      expect(said).to.have.length(101);
      expect(said.at(-1)).to.match(/^ball has logged \d{6} more lines, which are left out$/);
      const [begins, place, second] = LOGGED[generation];
      const [, first, directory, content] = /^(.*) (\S+) with (\w+)$/.exec(said[0] as string) ?? [];
      expect([first, content, said[1]]).to.deep.equal([begins, 'data', second]);
      expect(directory).to.match(place);
    }
  });
});
