// Edges that have connected, each with a WebSocket.
import type { SessionRegistry } from '../../serving/session/registry.js';
import type { WebSocketPeer } from '../../serving/transport/connection.js';
import type { Admission } from '../../serving/transport/front-end.js';
import { Down, jsonOf, type Need, type SourceLine, Up } from '../../source/edge/carrier.js';
import type { MethodCalls } from '../json-rpc/method-calls.js';
import { Answers, type Asker } from './answers.js';
import { Pasts } from './pasts.js';
import { GREET_SECONDS, Sender } from './sender.js';

/** Messages that an edge does not take are left out then; frames wait for it anyway. */
const MOST_UNTAKEN_BYTES = 1024 * 1024;

/** Serves the edges of a source, one after another. */
export function edgeSockets(
  registry: SessionRegistry,
  epoch: number,
  calls: MethodCalls,
): (peer: WebSocketPeer, admission: Admission) => void {
  const { clock, source, timetable } = registry;
  const nowMillis = (): number => clock.nowMillis();
  const answers = new Answers(epoch, nowMillis);
  return (peer, admission) => {
    const session = registry.create({ frontEnd: 'edge', peer: peer.peer, transport: 'websocket' }, peer);
    const line = new SocketLine(peer);
    const sender = new Sender(source, line, { epoch, nowMillis });
    const pasts = new Pasts(calls, session, registry, () => admission.mayAsk());
    const asker: Asker = { session, mayChange: admission.mayChange, open: 0 };
    const stop = timetable.every(GREET_SECONDS, () => sender.greet(), GREET_SECONDS);
    const answer = (text: Uint8Array): void => {
      if (!admission.mayAsk()) return;
      answers.to(asker, text).then(
        (answer) => peer.write(answer, 'binary'),
        () => peer.destroy(),
      );
    };
    const need = (told: Need): void => {
      if (told.past) void pasts.to(told.past).then((answer) => peer.write(answer, 'binary'));
      else sender.need({ ...told, edge: '' });
    };
    const hear = (message: Uint8Array): void => {
      if (message[0] === Up.taken) line.hasTaken();
      else if (message[0] === Up.need) need(jsonOf<Need>(message));
      else if (message[0] === Up.request) answer(message.subarray(1));
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
        pasts.close();
        session.close();
      },
    });
  };
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
