// The front-end for edges: a WebSocket at /edge for each.
import { randomInt } from 'node:crypto';
import type { SessionRegistry } from '../../serving/session/registry.js';
import type { WebSocketPeer } from '../../serving/transport/connection.js';
import type { Admission, Endpoint, FrontEnd } from '../../serving/transport/front-end.js';
import { Down, jsonOf, type Need, type SourceLine, Up } from '../../source/edge/carrier.js';
import { Answers, type Asker } from './answers.js';
import { Sender } from './sender.js';

const GREET_SECONDS = 2;
/** Messages that an edge does not take are left out then; frames wait for it anyway. */
const MOST_UNTAKEN_BYTES = 1024 * 1024;
const MOST_EPOCH = 2 ** 47;

/** A random number for each run of a source. */
export const newEpoch = (): number => randomInt(1, MOST_EPOCH);

export class EdgeFrontEnd implements FrontEnd {
  readonly name = 'edge';
  private readonly answers: Answers;

  constructor(
    private readonly registry: SessionRegistry,
    private readonly epoch: number,
  ) {
    this.answers = new Answers(epoch, () => registry.clock.nowMillis());
  }

  endpoints(): readonly Endpoint[] {
    const webSockets = [{ path: '/edge', open: (...opened: [WebSocketPeer, Admission]) => this.open(...opened) }];
    return [{ kind: 'http', trust: 'request', at: 'main', name: 'edge', speaks: ['edges'], routes: [], webSockets }];
  }

  close(): void {
    // Its WebSockets end with the port.
  }

  private open(peer: WebSocketPeer, admission: Admission): void {
    const { registry, epoch } = this;
    const { clock, source } = registry;
    const session = registry.create({ frontEnd: 'edge', peer: peer.peer, transport: 'websocket' }, peer);
    const line = new SocketLine(peer);
    const sender = new Sender(source, line, { epoch, nowMillis: () => clock.nowMillis() });
    const asker: Asker = { session, mayChange: admission.mayChange, open: 0 };
    const stop = registry.timetable.every(GREET_SECONDS, () => sender.greet(), GREET_SECONDS);
    const hear = (message: Uint8Array): void => {
      if (message[0] === Up.taken) line.hasTaken();
      else if (message[0] === Up.need) sender.need({ ...jsonOf<Need>(message), edge: '' });
      else if (message[0] === Up.request) this.answer(peer, admission, asker, message.subarray(1));
    };
    peer.listen({
      data: (message) => {
        try {
          hear(message);
        } catch {
          peer.destroy();
        }
      },
      close: () => {
        stop();
        sender.close();
        session.close();
      },
    });
  }

  private answer(peer: WebSocketPeer, admission: Admission, asker: Asker, text: Uint8Array): void {
    if (!admission.mayAsk()) return;
    this.answers.to(asker, text).then(
      (answer) => peer.write(answer, 'binary'),
      () => peer.destroy(),
    );
  }
}

/** What one edge takes, it says itself. */
class SocketLine implements SourceLine {
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly peer: WebSocketPeer) {}

  send(message: Uint8Array): void {
    const isLeftOut = message[0] === Down.note && this.peer.pendingBytes > MOST_UNTAKEN_BYTES;
    if (!isLeftOut) this.peer.write(message, 'binary');
  }

  taken(): Promise<void> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  hasTaken(): void {
    this.waiting.shift()?.();
  }
}
