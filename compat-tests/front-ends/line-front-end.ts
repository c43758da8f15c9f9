// A protocol of its own beside the others, written through the public interface: `get NAME` and `watch NAME`, in lines.
import type { Address, Connection, Endpoint, Frame, FrontEnd, FrontEndClient, FrontEndParts } from '../../lib/index.js';
import { lineRoute } from './line-route.js';

const LONGEST_LINE = 1000;

export class LineFrontEnd implements FrontEnd {
  readonly name = 'line';

  constructor(
    private readonly parts: FrontEndParts,
    private readonly at: Address | 'main',
  ) {}

  endpoints(): readonly Endpoint[] {
    const facts = { name: this.name, speaks: ['lines'] };
    const accept = (connection: Connection) => this.accept(connection);
    const route = lineRoute((name) => this.run(`get ${name}`));
    return [
      { ...facts, kind: 'stream', trust: 'address', at: this.at, accept },
      { ...facts, ...route },
    ];
  }

  close(): void {
    this.parts.subscriptions.close();
  }

  private accept(connection: Connection): void {
    let rest = '';
    const run = (line: string) => this.run(line.trim(), client);
    const client = this.parts.accept(this.name, connection, function* (chunk) {
      const lines = `${rest}${chunk}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) yield run(line);
      if (rest.length > LONGEST_LINE) client.end();
    });
  }

  /** The answer to a line, or the sentence that refuses it. */
  private run(line: string, client?: FrontEndClient): string {
    const [command, name = ''] = line.split(' ');
    try {
      if (command !== 'get' && command !== 'watch') throw new Error('there are get NAME and watch NAME');
      const reference = this.parts.reference(name);
      const lineIn = (frame: Frame) => {
        const value = reference.isCarriedBy(frame) ? reference.read(frame) : undefined;
        return `${name} ${JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? Number(one) : one))}\n`;
      };
      if (command === 'get') return lineIn(this.parts.registry.source.frame);
      client?.watch({ references: [reference], deadBands: 0 }, lineIn);
      return '';
    } catch (error) {
      return `error: ${(error as Error).message}\n`;
    }
  }
}
