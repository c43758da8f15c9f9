// The SDK's own client of the Model Context Protocol, which uses tools and is refused by them.
import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const VARWIRE = new URL('../lib/clients/cli/main.js', import.meta.url).pathname;

interface Answer {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent?: unknown;
}

export class ToolClient {
  static readonly program = VARWIRE;

  private constructor(readonly client: Client) {}

  static async overHttp(port: number, token?: string, options: object = {}): Promise<ToolClient> {
    const requestInit = { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } };
    const transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), { requestInit });
    return ToolClient.connected(transport, options);
  }

  /** By a process of its own: `varwire mcp`. */
  static async overPipes(port: number, ...args: readonly string[]): Promise<ToolClient> {
    const all = [VARWIRE, 'mcp', '--connect', `127.0.0.1:${port}`, ...args];
    return ToolClient.connected(new StdioClientTransport({ command: process.execPath, args: all }), {});
  }

  private static async connected(transport: Parameters<Client['connect']>[0], options: object): Promise<ToolClient> {
    const client = new Client({ name: 'test', version: '1' }, options);
    await client.connect(transport);
    return new ToolClient(client);
  }

  async names(): Promise<readonly string[]> {
    return (await this.client.listTools()).tools.map(({ name }) => name);
  }

  readonly use = async <T>(name: string, given: object = {}): Promise<T> => {
    const { isError, content, structuredContent } = await this.answerOf(name, given);
    assert(isError !== true, content[0]?.text);
    assert.deepEqual(JSON.parse(content[0]?.text ?? ''), structuredContent);
    return structuredContent as T;
  };

  /** What a call is refused with: one line of sentences, of which the last says what to do next. */
  readonly refusal = async (name: string, given: object = {}): Promise<string> => {
    const { isError, content } = await this.answerOf(name, given);
    const text = content[0]?.text ?? '';
    assert(isError, `${name} answers ${text.slice(0, 200)}`);
    assert.match(text, /^[^\n]{10,1000}[.?] [^\n.]{10,}\.$/);
    return text;
  };

  private answerOf(name: string, given: object): Promise<Answer> {
    return this.client.callTool({ name, arguments: given as Record<string, unknown> }) as Promise<Answer>;
  }

  close(): Promise<void> {
    return this.client.close();
  }
}
