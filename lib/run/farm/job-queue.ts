// The queue of jobs and the stream of their outcomes on a NATS server with JetStream: the only file here that knows NATS.
import { setTimeout as wait } from 'node:timers/promises';
import type { Consumer, JetStreamClient, JetStreamManager, JsMsg } from '@nats-io/jetstream';
import { connectNats, type NatsLink } from '../../source/edge/nats.js';
import { type Job, jobIn, type Outcome, outcomeIn, type Study, studyIn, toJson } from './messages.js';

const PREFIX = 'varwire.farm';
const STUDIES = `${PREFIX}.study`;
const jobsOf = (id: string): string => `${PREFIX}.jobs.${id}`;
const outcomesOf = (id: string): string => `${PREFIX}.outcomes.${id}`;
const stopOf = (id: string): string => `${PREFIX}.stop.${id}`;
const refusalsOf = (id: string): string => `${PREFIX}.refusals.${id}`;
const [JOBS, OUTCOMES] = ['VARWIRE_JOBS', 'VARWIRE_OUTCOMES'];

const LOST_AFTER_MILLIS = 5000;
/** So often a worker says that it goes on, within that time. */
const WORKING_TIMES = 5;
const LONGEST_SENTENCE = 1000;
/** What nobody has taken is forgotten after so long, also what `--resume` would find. */
const MOST_AGE_MILLIS = 7 * 24 * 3600 * 1000;
const MOST_BYTES = 1024 * 1024 * 1024;
/** One answer of the server may take so long; then it is asked again. */
const PATIENCE_MILLIS = 2000;
const RETRY_MILLIS = 500;
/** What is asked again may come twice, and in any order. */
const STAYING = { reconnect: true, maxReconnectAttempts: -1, timeout: PATIENCE_MILLIS } as const;
const DENIED = 'PermissionViolationError';
const FETCHED = 200;
const NANOS_PER_MILLI = 1_000_000;

/** A job that this worker has, until it is finished or given back. */
export interface TakenJob extends Job {
  /** How many workers have been lost with it. */
  readonly attempts: number;
  /** Its outcome is known: nobody gets it again. */
  done(): Promise<void>;
}

export class JobQueue {
  private constructor(
    private readonly connection: NatsLink['connection'],
    private readonly manager: JetStreamManager,
    private readonly client: JetStreamClient,
    private readonly lostAfterMillis: number,
  ) {}

  /**
   * Rejects with one sentence.
   * @param url `nats://user:password@host:4222`.
   * @param lostAfterMillis a worker that has not said for so long that it goes on has lost its job; all have the same.
   */
  static async open(url: string, lostAfterMillis = LOST_AFTER_MILLIS): Promise<JobQueue> {
    const jetStream = await jetStreamPackage();
    const { connection, address } = await connectNats(url, STAYING);
    try {
      const manager = await jetStream.jetstreamManager(connection, { timeout: PATIENCE_MILLIS });
      const kept = { max_age: MOST_AGE_MILLIS * NANOS_PER_MILLI, max_bytes: MOST_BYTES };
      await manager.streams.add({ name: JOBS, subjects: [jobsOf('*')], retention: 'workqueue', ...kept });
      await manager.streams.add({ name: OUTCOMES, subjects: [outcomesOf('*')], ...kept });
      const client = jetStream.jetstream(connection, { timeout: PATIENCE_MILLIS });
      return new JobQueue(connection, manager, client, lostAfterMillis);
    } catch (error) {
      await connection.close();
      throw new Error(
        `the NATS server at ${address} keeps no jobs: ${(error as Error).message} (nats-server needs --jetstream)`,
      );
    }
  }

  close(): Promise<void> {
    return this.connection.close();
  }

  /** Tells workers of a study; to be called again and again. */
  announce(study: Study): void {
    this.connection.publish(STUDIES, toJson(study));
  }

  /** Calls back for each announcement. */
  hearStudies(heard: (study: Study) => void): void {
    this.connection.subscribe(STUDIES, {
      callback: (error, message) => {
        const study = error ? undefined : studyIn(message.string());
        if (study) heard(study);
      },
    });
  }

  /** Tells the study why a worker takes none of its runs. */
  refuse(id: string, sentence: string): void {
    this.connection.publish(refusalsOf(id), sentence);
  }

  /** Calls back for each; the returned function takes that back. */
  hearRefusals(id: string, heard: (sentence: string) => void): () => void {
    const subscription = this.connection.subscribe(refusalsOf(id), {
      callback: (error, message) => {
        if (!error) heard(message.string().slice(0, LONGEST_SENTENCE));
      },
    });
    return () => subscription.unsubscribe();
  }

  /** Nobody takes or goes on with jobs of it. Its outcomes stay. */
  async stop(id: string): Promise<void> {
    this.connection.publish(stopOf(id));
    await this.clear(id, AbortSignal.timeout(PATIENCE_MILLIS)).catch(() => undefined);
    await this.manager.consumers.delete(JOBS, id).catch(() => undefined);
  }

  /** Takes the jobs of a study out of the queue. Goes on through outages until the signal. */
  async clear(id: string, over: AbortSignal): Promise<void> {
    await untilDone(over, () => this.manager.streams.purge(JOBS, { filter: jobsOf(id) }));
  }

  /** Calls back once when a study is stopped; the returned function takes that back. */
  onStop(id: string, stopped: () => void): () => void {
    const subscription = this.connection.subscribe(stopOf(id), { max: 1, callback: stopped });
    return () => subscription.unsubscribe();
  }

  /** Forgets all that has come of a study. Goes on through outages until the signal. */
  async forget(id: string, over: AbortSignal): Promise<void> {
    await untilDone(over, () => this.manager.streams.purge(OUTCOMES, { filter: outcomesOf(id) }));
  }

  /** Resolves when the server has stored it, which it does once for a name. Goes on through outages until the signal. */
  async add(id: string, job: Job, over: AbortSignal): Promise<void> {
    await this.stored(jobsOf(id), job.name, toJson(job), over);
  }

  /** As `add`, of an outcome. */
  async tell(id: string, name: string, outcome: Outcome, over: AbortSignal): Promise<void> {
    await this.stored(outcomesOf(id), name, toJson(outcome), over);
  }

  private async stored(subject: string, msgID: string, text: string, over: AbortSignal): Promise<void> {
    await untilDone(over, () => this.client.publish(subject, text, { msgID }));
  }

  /** How many jobs of a study are queued or under way; undefined when the server does not answer. */
  async count(id: string): Promise<number | undefined> {
    const { state } = (await this.manager.streams
      .info(JOBS, { subjects_filter: jobsOf(id) })
      .catch(() => undefined)) ?? { state: undefined };
    return state && (state.subjects?.[jobsOf(id)] ?? 0);
  }

  /** All outcomes of a study, those from before first, until the signal. */
  async *outcomes(id: string, over: AbortSignal): AsyncGenerator<Outcome> {
    let consumer: Consumer | undefined;
    let next = 0;
    while (!over.aborted) {
      try {
        consumer ??= await this.client.consumers.get(OUTCOMES, {
          filter_subjects: outcomesOf(id),
          ...(next > 0 && { opt_start_seq: next, deliver_policy: 'by_start_sequence' }),
        });
        const messages = await consumer.fetch({ max_messages: FETCHED, expires: 1000 });
        const stop = (): void => messages.stop();
        over.addEventListener('abort', stop, { once: true });
        for await (const message of messages) {
          next = message.seq + 1;
          const outcome = outcomeIn(message.string());
          if (outcome) yield outcome;
        }
        over.removeEventListener('abort', stop);
      } catch {
        consumer = undefined;
        await pause(over);
      }
    }
  }

  /** The next job of a study; undefined at the signal. */
  async take(id: string, over: AbortSignal): Promise<TakenJob | undefined> {
    while (!over.aborted) {
      try {
        await this.manager.consumers.add(JOBS, {
          durable_name: id,
          filter_subject: jobsOf(id),
          ack_policy: 'explicit',
          ack_wait: this.lostAfterMillis * NANOS_PER_MILLI,
        });
        const consumer = await this.client.consumers.get(JOBS, id);
        const message = await consumer.next({ expires: PATIENCE_MILLIS });
        const job = message && jobIn(message.string());
        if (message && !job) message.term();
        else if (message && over.aborted) message.nak();
        else if (message && job) return taken(message, job, this.lostAfterMillis / WORKING_TIMES);
      } catch {
        await pause(over);
      }
    }
    return undefined;
  }
}

/** The server is told that a job goes on until it is done. */
function taken(message: JsMsg, job: Job, workingMillis: number): TakenJob {
  const timer = setInterval(() => message.working(), workingMillis);
  return {
    ...job,
    attempts: job.lost + message.info.deliveryCount - 1,
    async done() {
      clearInterval(timer);
      // When this is lost, somebody computes the same rows again.
      await message.ackAck({ timeout: PATIENCE_MILLIS }).catch(() => undefined);
    },
  };
}

/** Rejects only when the server does not allow it. */
async function untilDone(over: AbortSignal, act: () => Promise<unknown>): Promise<void> {
  while (!over.aborted) {
    try {
      await act();
      return;
    } catch (error) {
      const { name, cause } = error as Error;
      if (DENIED === name || DENIED === (cause as Error | undefined)?.name) throw error;
      await pause(over);
    }
  }
}

const pause = (over: AbortSignal): Promise<unknown> =>
  wait(RETRY_MILLIS, undefined, { signal: over }).catch(() => undefined);

async function jetStreamPackage(): Promise<typeof import('@nats-io/jetstream')> {
  try {
    return await import('@nats-io/jetstream');
  } catch {
    throw new Error('a farm needs a package that is not installed: npm install @nats-io/jetstream@3.3.1');
  }
}
