// The runs of a study, with a queue in memory: whose loss counts, and what becomes of the runs.
import { EventEmitter, once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import type { Drawn, RunRow } from '../headless/run-row.js';
import type { Holding, Job, Outcome } from './messages.js';
import { type StudyQueue, StudyUnderWay } from './study-under-way.js';

const LOST_AFTER_MILLIS = 50;
const MANY_LOOKS_MILLIS = 4 * LOST_AFTER_MILLIS;

/** A queue whose workers are those of a test. */
class MemoryQueue implements StudyQueue {
  readonly jobs: Job[] = [];
  isAnswering = true;
  private readonly told: Outcome[] = [];
  private readonly events = new EventEmitter();
  private heard: (holding: Holding) => void = () => undefined;
  private readonly alive = new Map<string, NodeJS.Timeout>();

  async add(_id: string, job: Job): Promise<number> {
    this.events.emit('added');
    return this.jobs.push(job);
  }

  /** The next job, for a worker that says from now on that it has it. */
  async taken(worker: string): Promise<Job> {
    while (this.jobs.length === 0) await once(this.events, 'added');
    const job = this.jobs.shift() as Job;
    this.hold(worker, [job.name]);
    return job;
  }

  hold(worker: string, jobs: readonly string[]): void {
    const say = (): void => void (this.isAnswering && this.heard({ worker, jobs: [...jobs] }));
    this.silence(worker);
    this.alive.set(worker, setInterval(say, LOST_AFTER_MILLIS / 10));
    say();
  }

  silence(worker: string): void {
    clearInterval(this.alive.get(worker));
  }

  tell(runs: readonly Drawn[]): void {
    const rows = runs.map(({ run, seed }) => ({ run, seed, set: { told: 1 }, values: { a: run } }));
    this.told.push({ rows, millisPerRun: 100 });
    this.events.emit('told');
  }

  async *outcomes(_id: string, over: AbortSignal): AsyncGenerator<Outcome> {
    while (!over.aborted) {
      const next = this.told.shift();
      if (next) yield next;
      else await once(this.events, 'told', { signal: over }).catch(() => undefined);
    }
  }

  hearHoldings(_id: string, heard: (holding: Holding) => void): () => void {
    this.heard = heard;
    return () => {
      for (const worker of this.alive.keys()) this.silence(worker);
    };
  }

  answers = async (): Promise<boolean> => this.isAnswering;
  count = async (): Promise<number> => 1;
  drop = async (): Promise<void> => undefined;
  keepInput = async (): Promise<void> => undefined;
}

function begun(count: number) {
  const queue = new MemoryQueue();
  const runs = Array.from({ length: count }, (_, run): Drawn => ({ run, seed: 7 * run, set: { x: run }, read: ['a'] }));
  const rows: RunRow[] = [];
  const study = new StudyUnderWay(
    queue,
    { id: 'i', runs, input: undefined, lostAfterMillis: LOST_AFTER_MILLIS },
    (row) => rows.push(row),
  );
  return { queue, rows, ended: study.run(new AbortController().signal) };
}

describe('the runs of a study', () => {
  it('are all computed but for the one that ends three workers', async () => {
    const { queue, rows, ended } = begun(40);
    let isOver = false;
    let lost = 0;
    const working = (async () => {
      for (let number = 0; !isOver; ) {
        const job = await queue.taken(`worker ${number}`);
        if (job.runs.some(({ run }) => run === 11)) {
          queue.silence(`worker ${number++}`);
          lost++;
        } else queue.tell(job.runs);
      }
    })();
    await ended;
    isOver = true;
    await Promise.race([working, wait(0)]);
    expect(lost).to.equal(3);
    expect(rows).to.have.length(40);
    expect(rows.filter(({ error }) => error).map(({ run, error }) => [run, error])).to.deep.equal([
      [11, '3 workers have ended in this run'],
    ]);
    // What a run was given is known here; a worker says nothing of that.
    expect(rows.find(({ run }) => run === 5)).to.deep.include({ set: { x: 5 }, values: { a: 5 } });
  });

  it('are not lost while the server does not answer, however often', async () => {
    const { queue, rows, ended } = begun(1);
    const job = await queue.taken('one');
    for (let outage = 0; outage < 4; outage++) {
      queue.isAnswering = false;
      await wait(MANY_LOOKS_MILLIS);
      queue.isAnswering = true;
      await wait(LOST_AFTER_MILLIS / 2);
    }
    expect(queue.jobs).to.have.length(0);
    queue.tell(job.runs);
    await ended;
    expect(rows.map(({ error }) => error)).to.deep.equal([undefined]);
  });

  it('count nobody as lost who is heard again', async () => {
    const { queue, rows, ended } = begun(1);
    for (const worker of ['one', 'two']) {
      await queue.taken(worker);
      queue.silence(worker);
    }
    // The third has it once the second is lost; then both are there again.
    const job = await queue.taken('three');
    for (const worker of ['one', 'two']) queue.hold(worker, []);
    queue.silence('three');
    const again = await queue.taken('four');
    expect(again.runs).to.deep.equal(job.runs);
    queue.tell(again.runs);
    await ended;
    expect(rows.map(({ error }) => error)).to.deep.equal([undefined]);
  });

  it('take no row of a run that there is not, or that has one', async () => {
    const { queue, rows, ended } = begun(2);
    const [first] = (await queue.taken('one')).runs as [Drawn];
    queue.tell([
      { ...first, run: 17 },
      { ...first, seed: 1 },
    ]);
    queue.tell([first]);
    queue.tell([first]);
    queue.tell((await queue.taken('one')).runs);
    await ended;
    expect(rows.map(({ run }) => run)).to.deep.equal([0, 1]);
  });
});
