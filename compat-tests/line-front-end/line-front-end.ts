// A protocol of its own beside the others, written through the public interface: `get NAME` and `watch NAME`, in lines.
import type {
  Address,
  Connection,
  Endpoint,
  Frame,
  FrameBatch,
  FrontEnd,
  FrontEndParts,
  HttpExchange,
  Reference,
  Session,
} from '../../lib/index.js';

const LONGEST_LINE = 1000;

export class LineFrontEnd implements FrontEnd {
  readonly name = 'line';

  constructor(
    private readonly parts: FrontEndParts,
    private readonly at: Address | 'main',
  ) {}

  endpoints(): readonly Endpoint[] {
    const facts = { name: 'line', speaks: ['lines'] };
    const answer = (exchange: HttpExchange) => this.answer(exchange);
    const accept = (connection: Connection) => this.accept(connection);
    return [
      { ...facts, kind: 'stream', trust: 'address', at: this.at, accept },
      { ...facts, kind: 'http', trust: 'request', at: 'main', routes: [{ method: 'GET', path: '/line', answer }] },
    ];
  }

  close(): void {
    this.parts.subscriptions.close();
  }

  /** GET /line?name=NAME */
  private answer(exchange: HttpExchange): void {
    const line = refusing(() => this.get(exchange.query.get('name') ?? ''));
    const isFound = !line.startsWith('error');
    exchange.respond(isFound ? 200 : 404, { 'content-type': 'text/plain; charset=utf-8' }, line);
  }

  private accept(connection: Connection): void {
    const { registry, subscriptions } = this.parts;
    const facts = { frontEnd: this.name, peer: connection.peer, transport: connection.kind };
    const session = registry.create(facts, connection);
    const batch = subscriptions.openBatch(session.outbound, {
      kind: 'text',
      message: (frame, due) =>
        Buffer.from(due.flatMap(({ references }) => references.map((one) => lineOf(one, frame))).join('')),
    });
    const watches: (() => void)[] = [];
    let rest = '';
    connection.listen({
      data: (chunk) => {
        const lines = (rest + chunk.toString()).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) {
          const answer = refusing(() =>
            this.run(line.trim(), (name) => watches.push(this.watch(name, session, batch))),
          );
          session.outbound.reply(Buffer.from(answer));
        }
        if (rest.length > LONGEST_LINE) connection.end();
        if (session.outbound.isFull) connection.pauseReading();
      },
      drain: () => {
        session.outbound.release();
        connection.resumeReading();
      },
      close: () => {
        for (const stop of watches) stop();
        subscriptions.closeBatch(batch);
        session.close();
      },
    });
  }

  private run(line: string, watch: (name: string) => void): string {
    const [command, name = ''] = line.split(' ');
    if (command === 'get') return this.get(name);
    if (command !== 'watch') throw new Error('there are get NAME and watch NAME');
    watch(name);
    return '';
  }

  private get(name: string): string {
    return lineOf(this.parts.reference(name), this.parts.registry.source.frame);
  }

  /** Sends the variable now, and whenever a frame shows another value; returns what ends it. */
  private watch(name: string, { account }: Session, batch: FrameBatch): () => void {
    const { reference, subscriptions } = this.parts;
    const subscription = subscriptions.create({ account, references: [reference(name)], cycleMillis: 0, deadBands: 0 });
    subscriptions.attach(subscription, batch.reader(subscription));
    return () => subscriptions.remove(subscription);
  }
}

function lineOf(reference: Reference, frame: Frame): string {
  const value = reference.isShownIn(frame) ? reference.read(frame) : undefined;
  return `${reference.alias} ${JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? Number(one) : one))}\n`;
}

/** The answer, or the sentence that refuses it. */
function refusing(answer: () => string): string {
  try {
    return answer();
  } catch (error) {
    return `error: ${(error as Error).message}\n`;
  }
}
