// One conversation with a server: one question at a time, each with all its replies; cyclic messages come in between.
import type { Clock } from './clock.js';
import { ConnectionLostError, ReplyTimeoutError } from './errors.js';
import { farewell } from './farewell.js';
import type { OpenLink, ServerLink, Target } from './link.js';
import { MessageIndicator } from './message-indicator.js';
import { type Message, MessageSplitter } from './message-splitter.js';

/** Sent after every question: Trick answers in the order of the commands, so its answer ends the replies. */
const LAST_QUESTION = 'trick.var_send_list_size()\n';
/** Longer than the cycle of a client's paused session, because Trick reads its socket once a cycle. */
const SETTLE_MILLIS = 30;
/** A server that was late reads the last question with the text that failed, and drops both: then it is asked again. */
const ASK_AGAIN_MILLIS = 1000;
const MAY_REFUSE =
  'before it answered: a Trick simulation takes clients when its input file has called trick.var_allow_all_connections()';

export interface ChannelOptions {
  readonly target: Target;
  readonly timeoutMillis: number;
  readonly clock: Clock;
  readonly openLink: OpenLink;
}

export interface AskOptions {
  /** Takes lists for replies; only for a session that sends no cyclic messages. */
  readonly takesLists?: boolean;
  /**
   * The text may fail, and then the server drops all that it reads together with it, so the text is sent alone. The client
   * does not hear of the failure: Trick reports it on its own terminal.
   */
  readonly mayFail?: boolean;
}

interface Question extends AskOptions {
  readonly text: string;
  readonly replies: Message[];
  readonly resolve: (replies: Message[]) => void;
  readonly reject: (error: Error) => void;
}

export class Channel {
  /** Takes the cyclic messages. */
  onCyclic: (message: Message) => void = () => undefined;
  /** Called once when the connection is gone, not when it was closed here. */
  onLoss: (error: Error) => void = () => undefined;
  /**
   * How long the server may take until it reads what was sent; grows with the cycle of a session that is not paused.
   */
  settleMillis = SETTLE_MILLIS;

  private readonly splitter = new MessageSplitter();
  private readonly waiting: Question[] = [];
  private current: Question | undefined;
  private stopTimer: () => void = () => undefined;
  private cancelAskAgain: () => void = () => undefined;
  private ended: Error | undefined;
  private link: ServerLink | undefined;
  private hasHeard = false;

  private constructor(private readonly options: ChannelOptions) {}

  /** Rejects with a ConnectionLostError when nobody listens there. */
  static async open(options: ChannelOptions): Promise<Channel> {
    const channel = new Channel(options);
    channel.link = await options.openLink(options.target, options.timeoutMillis, {
      onBytes: (bytes) => channel.hear(bytes),
      onEnd: (error) => channel.lose(channel.hasHeard ? error : refused(error), true),
    });
    return channel;
  }

  /** Sends commands, newline included; resolves to their replies once the server has run them. */
  async ask(text: string, options: AskOptions = {}): Promise<Message[]> {
    const blocks = options.mayFail ? [text] : intoBlocks(text);
    // All are queued at once, so that no other question comes between them.
    return (await Promise.all(blocks.map((block) => this.askBlock(block, options)))).flat();
  }

  private askBlock(text: string, options: AskOptions): Promise<Message[]> {
    return new Promise((resolve, reject) => {
      if (this.ended) return reject(this.ended);
      this.waiting.push({ ...options, text, replies: [], resolve, reject });
      this.askNext();
    });
  }

  get isOpen(): boolean {
    return this.ended === undefined;
  }

  /** Sends without waiting for anything. */
  tell(text: string): void {
    if (!this.ended) this.link?.send(text);
  }

  close(): void {
    if (this.ended) return;
    this.end(new ConnectionLostError('the client has been closed'));
  }

  private askNext(): void {
    if (this.current) return;
    const question = this.waiting.shift();
    if (!question) return;
    this.current = question;
    if (question.mayFail) {
      this.link?.send(question.text);
      this.stopTimer = this.options.clock.after(this.settleMillis, () => {
        this.link?.send(LAST_QUESTION);
        this.startTimer();
      });
      return;
    }
    this.link?.send(question.text + LAST_QUESTION);
    this.startTimer();
  }

  private startTimer(): void {
    const { clock, timeoutMillis, target } = this.options;
    const error = new ReplyTimeoutError(`no answer from ${target.host}:${target.port} within ${timeoutMillis} ms`);
    this.stopTimer = clock.after(timeoutMillis, () => this.lose(error));
  }

  private hear(bytes: Buffer): void {
    this.hasHeard = true;
    try {
      for (const message of this.splitter.push(bytes)) this.take(message);
    } catch (error) {
      this.lose(error as Error);
    }
  }

  private take(message: Message): void {
    const { current } = this;
    if (message.indicator === MessageIndicator.stdio && current?.mayFail) this.askAgainLater(current);
    if (message.indicator === MessageIndicator.list && !current?.takesLists) this.onCyclic(message);
    else if (current && message.indicator === MessageIndicator.listSize) this.answer(current);
    else current?.replies.push(message);
  }

  /**
   * Asks the last question again later: the server has printed something about a text that may have failed, so that
   * question may be lost.
   */
  private askAgainLater(question: Question): void {
    this.cancelAskAgain();
    this.cancelAskAgain = this.options.clock.after(ASK_AGAIN_MILLIS, () => {
      if (this.current === question) this.link?.send(LAST_QUESTION);
    });
  }

  private answer(question: Question): void {
    this.stopTimer();
    this.cancelAskAgain();
    this.current = undefined;
    question.resolve(question.replies);
    this.askNext();
  }

  private lose(error: Error, isGone = false): void {
    if (this.ended) return;
    this.end(error, isGone);
    this.onLoss(error);
  }

  /** Ends the session too, whatever the reason, unless the server has ended the connection. */
  private end(error: Error, isGone = false): void {
    this.ended = error;
    if (!isGone) this.link?.send(farewell(this.options.target));
    this.stopTimer();
    this.cancelAskAgain();
    this.link?.close();
    for (const { reject } of [this.current, ...this.waiting.splice(0)].filter((question) => question !== undefined))
      reject(error);
    this.current = undefined;
  }
}

/** Trick closes the connections of clients that it does not take. */
const refused = ({ message }: Error): Error => new ConnectionLostError(`${message} ${MAY_REFUSE}`);

/** Trick reads no further when more than it can hold waits in its socket, and a line is cut there. */
const LONGEST_BLOCK = 32_000;

/** Whole lines, as many as one write may have. */
export function intoBlocks(text: string): string[] {
  if (text.length <= LONGEST_BLOCK) return [text];
  const blocks = [''];
  for (const line of text.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    const last = blocks.length - 1;
    if (blocks[last] !== '' && (blocks[last] as string).length + line.length > LONGEST_BLOCK) blocks.push(line);
    else blocks[last] += line;
  }
  return blocks;
}
