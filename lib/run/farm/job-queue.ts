// The queue of jobs and the stream of their outcomes on a NATS server with JetStream: the only file here that knows NATS.
import { setTimeout as wait } from 'node:timers/promises';
import type { Consumer, JetStreamClient, JetStreamManager, JsMsg, StreamConfig } from '@nats-io/jetstream';
import { connectNats, type NatsLink } from '../../source/edge/nats.js';
import {
  type Holding,
  holdingIn,
  type Job,
  jobIn,
  type Outcome,
  outcomeIn,
  partIn,
  type Study,
  studyIn,
  toJson,
} from './messages.js';
import type { InputFacts, InputParts } from './sent-input.js';

const PREFIX = 'varwire.farm';
const STUDIES = `${PREFIX}.study`;
const jobsOf = (id: string): string => `${PREFIX}.jobs.${id}`;
const inputOf = (id: string): string => `${PREFIX}.inputs.${id}`;
const outcomesOf = (id: string): string => `${PREFIX}.outcomes.${id}`;
const holdingsOf = (id: string): string => `${PREFIX}.holdings.${id}`;
const stopOf = (id: string): string => `${PREFIX}.stop.${id}`;
const refusalsOf = (id: string): string => `${PREFIX}.refusals.${id}`;
const [JOBS, INPUTS, OUTCOMES] = ['VARWIRE_JOBS', 'VARWIRE_INPUTS', 'VARWIRE_OUTCOMES'];

const LONGEST_SENTENCE = 1000;
/** What nobody has taken is forgotten after so long, also what `--resume` would find. */
const MOST_AGE_MILLIS = 7 * 24 * 3600 * 1000;
const MOST_BYTES = 1024 * 1024 * 1024;
const MOST_INPUT_BYTES = 256 * 1024 * 1024;
/** One answer of the server may take so long; then it is asked again. */
const PATIENCE_MILLIS = 2000;
const RETRY_MILLIS = 500;
/** A job of which the server has not heard for so many times that of a lost worker goes to somebody else. */
const REDELIVERED_AFTER = 2;
/** So often the server hears of it within that time. */
const WORKING_TIMES = 5;
/** What is asked again may come twice, and in any order. */
const STAYING = {
  reconnect: true,
  maxReconnectAttempts: -1,
  reconnectTimeWait: RETRY_MILLIS,
  timeout: PATIENCE_MILLIS,
} as const;
const DENIED = 'PermissionViolationError';
const REFUSED = 'JetStreamApiError';
/** Of the error of a stream that has other settings. */
const IS_THERE = 10058;
const FETCHED = 200;
const NANOS_PER_MILLI = 1_000_000;

/** A job that this worker has, until it is finished or given back. */
export interface TakenJob extends Job {
  /** Its outcome is known: nobody gets it again. */
  done(): Promise<void>;
  /** Somebody else gets it. */
  giveBack(): void;
  /** This worker has it already. */
  ignore(): void;
}

type Say = (sentence: string) => void;

export class JobQueue {
  private readonly said = new Set<string>();

  private constructor(
    private readonly connection: NatsLink['connection'],
    private readonly address: string,
    private readonly manager: JetStreamManager,
    private readonly client: JetStreamClient,
    private readonly say: Say,
  ) {}

  /**
   * Rejects with one sentence.
   * @param url `nats://user:password@host:4222`.
   * @param say told once of each thing that the server refuses.
   */
  static async open(url: string, say: Say): Promise<JobQueue> {
    const jetStream = await jetStreamPackage();
    const { connection, address } = await connectNats(url, STAYING);
    try {
      const manager = await jetStream.jetstreamManager(connection, { timeout: PATIENCE_MILLIS });
      const client = jetStream.jetstream(connection, { timeout: PATIENCE_MILLIS });
      const queue = new JobQueue(connection, address, manager, client, say);
      await queue.addStreams();
      void queue.followRefusals();
      return queue;
    } catch (error) {
      await connection.close();
      throw new Error(
        `the NATS server at ${address} keeps no jobs: ${(error as Error).message} (nats-server needs --jetstream)`,
      );
    }
  }

  /** Does nothing where they are, as whoever runs the server has made them. */
  private async addStreams(): Promise<void> {
    const kept = { max_age: MOST_AGE_MILLIS * NANOS_PER_MILLI, max_bytes: MOST_BYTES };
    const streams: readonly (Partial<StreamConfig> & { readonly name: string })[] = [
      { name: JOBS, subjects: [jobsOf('*')], retention: 'workqueue', discard: 'new' },
      { name: INPUTS, subjects: [inputOf('*')], max_bytes: MOST_INPUT_BYTES },
      { name: OUTCOMES, subjects: [outcomesOf('*')] },
    ];
    for (const stream of streams)
      await this.manager.streams.add({ ...kept, ...stream }).catch((error: Error & { readonly code?: number }) => {
        if (error.code !== IS_THERE) throw error;
      });
  }

  private async followRefusals(): Promise<void> {
    for await (const status of this.connection.status())
      if (status.type === 'error' && status.error.name === DENIED) this.sayOnce(status.error.message);
  }

  private sayOnce(refusal: string): void {
    if (this.said.has(refusal) || this.said.size === MOST_SAID) return;
    this.said.add(refusal);
    this.say(`the NATS server at ${this.address} refuses: ${refusal}`);
  }

  /** What is on its way arrives, if the server answers. */
  async close(): Promise<void> {
    await this.answers();
    await this.connection.close();
  }

  /** Whether the server answers soon, once what it has sent before has been heard. */
  answers(): Promise<boolean> {
    const answered = this.connection.flush().then(
      () => true,
      () => false,
    );
    return Promise.race([answered, wait(PATIENCE_MILLIS, false, { ref: false })]);
  }

  /** Tells workers of a study; to be called again and again. */
  announce(study: Study): void {
    this.connection.publish(STUDIES, toJson(study));
  }

  /** Calls back for each announcement of others; the returned function takes that back. */
  hearStudies(heard: (study: Study) => void): () => void {
    return this.hear(STUDIES, studyIn, heard);
  }

  /** Tells the study why a worker takes none of its runs. */
  refuse(id: string, sentence: string): void {
    this.connection.publish(refusalsOf(id), sentence);
  }

  /** Calls back for each; the returned function takes that back. */
  hearRefusals(id: string, heard: (sentence: string) => void): () => void {
    return this.hear(refusalsOf(id), (text) => text.slice(0, LONGEST_SENTENCE), heard);
  }

  /** Tells the study which jobs a worker has; to be called again and again. */
  hold(id: string, holding: Holding): void {
    this.connection.publish(holdingsOf(id), toJson(holding));
  }

  hearHoldings(id: string, heard: (holding: Holding) => void): () => void {
    return this.hear(holdingsOf(id), holdingIn, heard);
  }

  private hear<Message>(
    subject: string,
    messageIn: (text: string) => Message | undefined,
    heard: (message: Message) => void,
  ): () => void {
    const subscription = this.connection.subscribe(subject, {
      callback: (error, message) => {
        const read = error ? undefined : messageIn(message.string());
        if (read !== undefined) heard(read);
      },
    });
    return () => subscription.unsubscribe();
  }

  /** Nobody takes or goes on with jobs of it. Its outcomes stay. */
  async stop(id: string): Promise<void> {
    this.connection.publish(stopOf(id));
    await this.clear(id, AbortSignal.timeout(PATIENCE_MILLIS)).catch(() => undefined);
  }

  /** Calls back once when a study is stopped; the returned function takes that back. */
  onStop(id: string, stopped: () => void): () => void {
    return this.hear(stopOf(id), () => true, stopped);
  }

  /** Takes the jobs of a study out of the queue. Goes on through outages until the signal. */
  async clear(id: string, over: AbortSignal): Promise<void> {
    await this.untilDone(over, () => this.manager.streams.purge(JOBS, { filter: jobsOf(id) }));
    await this.untilDone(over, () => this.manager.streams.purge(INPUTS, { filter: inputOf(id) }));
    await this.manager.consumers.delete(JOBS, id).catch(() => undefined);
  }

  /** Forgets all that has come of a study. Goes on through outages until the signal. */
  async forget(id: string, over: AbortSignal): Promise<void> {
    await this.untilDone(over, () => this.manager.streams.purge(OUTCOMES, { filter: outcomesOf(id) }));
  }

  /**
   * Resolves when the server has stored it, with its number in the queue, which it has once for a name. Goes on through
   * outages until the signal.
   */
  async add(id: string, job: Job, over: AbortSignal): Promise<number | undefined> {
    return this.stored(jobsOf(id), job.name, toJson(job), over);
  }

  /** Takes one job out of the queue, if the server answers. */
  async drop(sequence: number): Promise<void> {
    await this.manager.streams.deleteMessage(JOBS, sequence, false).catch(() => undefined);
  }

  /** As `add`, of an outcome. */
  async tell(id: string, name: string, outcome: Outcome, over: AbortSignal): Promise<void> {
    await this.stored(outcomesOf(id), name, toJson(outcome), over);
  }

  /** As `add`, of an input file. */
  async keepInput(id: string, name: string, { texts }: InputParts, over: AbortSignal): Promise<void> {
    for (const [part, text] of texts.entries())
      await this.stored(inputOf(id), `${name}.input${part}`, toJson({ part, text }), over);
  }

  /** The parts of an input file, once all are there; fewer at the signal. */
  async input(id: string, { parts }: InputFacts, over: AbortSignal): Promise<readonly string[]> {
    const texts = new Map<number, string>();
    for await (const { part, text } of this.messages(INPUTS, inputOf(id), partIn, over)) {
      if (part < parts) texts.set(part, text);
      if (texts.size === parts) break;
    }
    return [...texts].sort(([one], [other]) => one - other).map(([, text]) => text);
  }

  private async stored(subject: string, msgID: string, text: string, over: AbortSignal): Promise<number | undefined> {
    return (await this.untilDone(over, () => this.client.publish(subject, text, { msgID })))?.seq;
  }

  /** How many jobs of a study are queued or under way; undefined when the server does not answer. */
  async count(id: string): Promise<number | undefined> {
    try {
      // A server that has lost its files has no streams either.
      await this.addStreams();
      const { state } = await this.manager.streams.info(JOBS, { subjects_filter: jobsOf(id) });
      return state.subjects?.[jobsOf(id)] ?? 0;
    } catch {
      return undefined;
    }
  }

  /** All outcomes of a study, those from before first, until the signal. */
  outcomes(id: string, over: AbortSignal): AsyncGenerator<Outcome> {
    return this.messages(OUTCOMES, outcomesOf(id), outcomeIn, over);
  }

  private async *messages<Message>(
    stream: string,
    subject: string,
    messageIn: (text: string) => Message | undefined,
    over: AbortSignal,
  ): AsyncGenerator<Message> {
    let consumer: Consumer | undefined;
    let next = 0;
    while (!over.aborted) {
      try {
        consumer ??= await this.client.consumers.get(stream, {
          filter_subjects: subject,
          ...(next > 0 && { opt_start_seq: next, deliver_policy: 'by_start_sequence' }),
        });
        const messages = await consumer.fetch({ max_messages: FETCHED, expires: 1000 });
        const stop = (): void => messages.stop();
        over.addEventListener('abort', stop, { once: true });
        try {
          for await (const message of messages) {
            next = message.seq + 1;
            const read = messageIn(message.string());
            if (read) yield read;
          }
        } finally {
          over.removeEventListener('abort', stop);
        }
      } catch (error) {
        this.requireAllowed(error);
        consumer = undefined;
        await pause(over);
      }
    }
  }

  /** The next job of a study; undefined when there is none for a while, and at the signal. Rejects when the server does not allow it. */
  async take({ id, lostAfterMillis }: Study, over: AbortSignal): Promise<TakenJob | undefined> {
    const silenceMillis = REDELIVERED_AFTER * lostAfterMillis;
    while (!over.aborted) {
      try {
        await this.manager.consumers.add(JOBS, {
          durable_name: id,
          filter_subject: jobsOf(id),
          ack_policy: 'explicit',
          ack_wait: silenceMillis * NANOS_PER_MILLI,
        });
        const consumer = await this.client.consumers.get(JOBS, id);
        const message = await nextUnless(over, consumer);
        const job = message && jobIn(message.string());
        if (job) return taken(message, job, silenceMillis / WORKING_TIMES);
        if (!message) return undefined;
        message.term();
      } catch (error) {
        this.requireAllowed(error);
        await pause(over);
      }
    }
    return undefined;
  }

  /** Rejects only when the server does not allow it; undefined at the signal. */
  private async untilDone<Result>(over: AbortSignal, act: () => Promise<Result>): Promise<Result | undefined> {
    while (!over.aborted) {
      try {
        return await act();
      } catch (error) {
        this.requireAllowed(error);
        await pause(over);
      }
    }
    return undefined;
  }

  /** What is not allowed will not be allowed; a store that is full may have room again. */
  private requireAllowed(error: unknown): void {
    const { name, message, cause } = error as Error;
    if (DENIED === name || DENIED === (cause as Error | undefined)?.name)
      throw new Error(`the NATS server at ${this.address} refuses: ${message}`);
    if (name === REFUSED) this.sayOnce(message);
  }
}

const MOST_SAID = 10;

/** The server is told that a job goes on until it is done. */
function taken(message: JsMsg, job: Job, workingMillis: number): TakenJob {
  const timer = setInterval(() => message.working(), workingMillis);
  return {
    ...job,
    async done() {
      clearInterval(timer);
      // When this is lost, somebody computes the same rows again.
      await message.ackAck({ timeout: PATIENCE_MILLIS }).catch(() => undefined);
    },
    giveBack() {
      clearInterval(timer);
      message.nak();
    },
    ignore: () => clearInterval(timer),
  };
}

/** Null when nothing comes for a while, and at the signal: what comes then goes back. */
async function nextUnless(over: AbortSignal, consumer: Consumer): Promise<JsMsg | null> {
  const asked = consumer.next({ expires: PATIENCE_MILLIS });
  let stop = (): void => undefined;
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  over.addEventListener('abort', stop, { once: true });
  if (over.aborted) stop();
  await Promise.race([asked, stopped]).finally(() => over.removeEventListener('abort', stop));
  if (!over.aborted) return asked;
  asked.then((late) => late?.nak()).catch(() => undefined);
  return null;
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
