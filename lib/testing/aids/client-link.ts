// A server in memory for tests of the client: a test opens, refuses, answers and cuts its links.
import { ConnectionLostError } from '../../clients/trick/errors.js';
import type { LinkEvents, OpenLink, ServerLink } from '../../clients/trick/link.js';

/** One connection to the server. */
export class TestLink implements ServerLink {
  readonly lines: string[] = [];
  isClosed = false;

  constructor(
    private readonly events: LinkEvents,
    private readonly answer: (line: string) => string | Buffer | undefined,
  ) {}

  send(text: string): void {
    for (const line of text.split('\n').slice(0, -1)) {
      this.lines.push(line);
      const answer = this.answer(line) ?? (line === 'trick.var_send_list_size()' ? '3\t0\n' : '');
      if (answer.length > 0) this.say(answer);
    }
  }

  say(bytes: string | Buffer): void {
    this.events.onBytes(Buffer.from(bytes as string));
  }

  cut(): void {
    this.events.onEnd(new ConnectionLostError('cut by the test'));
  }

  close(): void {
    this.isClosed = true;
  }
}

export class TestLinks {
  readonly all: TestLink[] = [];
  attempts = 0;
  isRefusing = false;

  constructor(private readonly answer: (line: string) => string | Buffer | undefined = () => undefined) {}

  get last(): TestLink {
    return this.all.at(-1) as TestLink;
  }

  readonly open: OpenLink = (_target, _timeoutMillis, events) => {
    this.attempts++;
    if (this.isRefusing) return Promise.reject(new ConnectionLostError('refused by the test'));
    this.all.push(new TestLink(events, this.answer));
    return Promise.resolve(this.last);
  };
}

/** Resolves when everything that can happen without time passing has happened. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
