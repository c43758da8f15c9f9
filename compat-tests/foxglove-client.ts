// Foxglove's own client, and what it has been told.
import protocol, { type Channel } from '@foxglove/ws-protocol';
import { WebSocket } from 'ws';

const { FoxgloveClient } = protocol;

/** What a client has been told, and waits for what it has not. */
export class Told {
  readonly events: (readonly [name: string, event: unknown])[] = [];
  private readonly waiting: (() => void)[] = [];

  add(name: string, event: unknown): void {
    this.events.push([name, event]);
    for (const look of this.waiting.splice(0)) look();
  }

  /** The first event of a name that is as wanted, from now or before. */
  async first<Event>(name: string, is: (event: Event) => boolean = () => true): Promise<Event> {
    for (;;) {
      const found = this.events.find(([one, event]) => one === name && is(event as Event));
      if (found) return found[1] as Event;
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
  }

  forget(): void {
    this.events.length = 0;
  }
}

export interface Message {
  readonly subscriptionId: number;
  readonly timestamp: bigint;
  readonly data: DataView;
}

export const jsonOf = ({ data }: { readonly data: DataView }): unknown =>
  JSON.parse(Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString());

const EVENTS = [
  'serverInfo',
  'status',
  'removeStatus',
  'advertise',
  'unadvertise',
  'advertiseServices',
  'unadvertiseServices',
  'message',
  'time',
  'parameterValues',
  'serviceCallResponse',
  'serviceCallFailure',
  'connectionGraphUpdate',
  'fetchAssetResponse',
] as const;

/** A client that has been told the channels. */
export async function connectFoxglove(port: number, subprotocol = FoxgloveClient.SUPPORTED_SUBPROTOCOL, path = '/') {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, [subprotocol]);
  const told = new Told();
  const client = new FoxgloveClient({ ws: socket as unknown as ConstructorParameters<typeof FoxgloveClient>[0]['ws'] });
  for (const name of EVENTS) client.on(name, (event: unknown) => told.add(name, event));
  const channels = await told.first<Channel[]>('advertise');
  const channel = (topic: string): Channel => channels.find((one) => one.topic === topic) as Channel;
  const sends = (message: object | Buffer): void =>
    socket.send(message instanceof Buffer ? message : JSON.stringify(message));
  return { client, socket, told, channel, channels, sends };
}
