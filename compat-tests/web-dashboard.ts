// A client of Trick's web server, and where that is.
import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { RunningServer } from '../lib/index.js';

export const portOf = (server: RunningServer): number => server.endpoints.find(({ name }) => name === 'www')?.port ?? 0;

/** A client of the WebSocket, which waits for what it is told. */
export class Dashboard {
  readonly texts: string[] = [];
  private read = 0;
  private come = (): void => undefined;

  private constructor(readonly socket: WebSocket) {
    socket.on('message', (message, isBinary) => {
      this.texts.push(isBinary ? 'binary' : String(message));
      this.come();
    });
  }

  static async open(port: number, options: object = {}): Promise<Dashboard> {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/api/ws/VariableServer`, ['myProtocol'], options);
    const dashboard = new Dashboard(socket);
    await once(socket, 'open');
    return dashboard;
  }

  tell(...messages: readonly (object | string | Buffer)[]): void {
    for (const message of messages)
      this.socket.send(typeof message === 'string' || message instanceof Buffer ? message : JSON.stringify(message));
  }

  /** The next message's text. */
  async next(): Promise<string> {
    while (this.texts.length <= this.read)
      await new Promise<void>((resolve) => {
        this.come = resolve;
      });
    return this.texts[this.read++] as string;
  }

  async values(): Promise<{ readonly time: number; readonly values: readonly unknown[] }> {
    return this.nextOf('values');
  }

  async error(): Promise<string> {
    return (await this.nextOf('error')).error;
  }

  private async nextOf(type: string) {
    const text = await this.next();
    const message = JSON.parse(text);
    if (message.msg_type !== type) throw new Error(`expected ${type}, not ${text}`);
    return message;
  }
}

export const add = (name: string) => ({ cmd: 'var_add', var_name: name });
