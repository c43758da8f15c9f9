// A protocol that a program adds through the public interface: `get NAME` and `watch NAME`, in lines.
import {
  type Address,
  type Connection,
  type Endpoint,
  type FrontEnd,
  type FrontEndParts,
  type HttpExchange,
  readVariable,
  type Session,
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

  close(): void {}

  /** GET /line?name=NAME */
  private answer(exchange: HttpExchange): void {
    const line = this.lineOf(exchange.query.get('name') ?? '');
    const isFound = !line.startsWith('error');
    exchange.respond(isFound ? 200 : 404, { 'content-type': 'text/plain; charset=utf-8' }, line);
  }

  private accept(connection: Connection): void {
    const facts = { frontEnd: this.name, peer: connection.peer, transport: connection.kind };
    const session = this.parts.registry.create(facts, connection);
    const watches: (() => void)[] = [];
    let rest = '';
    connection.listen({
      data: (chunk) => {
        const lines = (rest + chunk.toString()).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) session.outbound.reply(Buffer.from(this.run(line.trim(), session, watches)));
        if (rest.length > LONGEST_LINE) connection.end();
        if (session.outbound.isFull) connection.pauseReading();
      },
      drain: () => connection.resumeReading(),
      close: () => {
        for (const stop of watches) stop();
        session.close();
      },
    });
  }

  private run(line: string, session: Session, watches: (() => void)[]): string {
    const [command, name = ''] = line.split(' ');
    const shown = this.lineOf(name);
    if (command === 'watch' && !shown.startsWith('error')) watches.push(this.watch(name, session));
    return command === 'get' || command === 'watch' ? shown : 'error: there are get NAME and watch NAME\n';
  }

  /** Sends the variable whenever a frame shows another value. */
  private watch(name: string, session: Session): () => void {
    let before = this.lineOf(name);
    return session.source.onFrame(() => {
      const line = this.lineOf(name);
      if (line !== before && session.outbound.offer(Buffer.from(line))) before = line;
    });
  }

  private lineOf(name: string): string {
    const { catalog, frame } = this.parts.registry.source;
    const variable = catalog.find(name);
    if (!variable) return `error: ${catalog.explain(name)}\n`;
    const value = frame.shows(variable) ? readVariable(variable, frame.memory) : undefined;
    return `${name} ${JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? Number(one) : one))}\n`;
  }
}
