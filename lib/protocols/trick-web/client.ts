// One client of the WebSocket /api/ws/VariableServer.
import { Held } from '../../serving/scheduling/held.js';
import type { SessionRegistry } from '../../serving/session/registry.js';
import type { Session } from '../../serving/session/session.js';
import type { SubscriptionTable } from '../../serving/session/subscription-table.js';
import type { WebSocketPeer } from '../../serving/transport/connection.js';
import type { Admission } from '../../serving/transport/front-end.js';
import { type Answering, AskingSocket } from '../json-rpc/asking-socket.js';
import { parseJson } from '../json-rpc/json-text.js';
import { readOnce } from '../json-rpc/reading.js';
import type { RpcError } from '../json-rpc/rpc-error.js';
import type { TrickFrontEnd } from '../trick/front-end/front-end.js';
import type { Console } from '../trick/script/console.js';
import { sieFile } from '../trick/wire/sie.js';
import { checkedCommand, errorMessage, unitsMessage, type WebCommand } from './messages.js';
import { SIE_CHAPTERS, SIE_JSON } from './sie-json.js';
import { ValueList } from './value-list.js';

/** Messages that may wait for those before them until the socket is read no further. */
const MOST_WAITING = 32;

export interface ClientParts {
  readonly registry: SessionRegistry;
  readonly table: SubscriptionTable;
  readonly trick: Pick<TrickFrontEnd, 'openConsole' | 'server'>;
  /** Whether clients may use the command language. */
  readonly hasLanguage: boolean;
}

export class WebClient implements Answering {
  private readonly session: Session;
  private readonly asking: AskingSocket;
  private readonly list: ValueList;
  private console: Console | undefined;
  /** Resolves when all messages so far have been carried out: each sees what those before it have changed. */
  private last = Promise.resolve();
  private waiting = 0;

  constructor(
    private readonly peer: WebSocketPeer,
    private readonly admission: Admission,
    private readonly parts: ClientParts,
  ) {
    const { registry } = parts;
    this.session = registry.create({ frontEnd: 'trick-web', peer: peer.peer, transport: 'websocket' }, peer);
    this.asking = new AskingSocket(this.session, peer, { registry, mayAsk: () => admission.mayAsk() });
    this.list = new ValueList(parts, this.session, (sentence) => this.tell(sentence));
    this.session.reading = () => this.list.names();
  }

  listen(): void {
    this.peer.listen({
      data: (message) => this.take(message),
      drain: () => this.readOn(),
      close: () => this.close(),
    });
  }

  private take(message: Buffer): void {
    if (++this.waiting >= MOST_WAITING) this.peer.pauseReading();
    void this.asking.take(message, this).then(() => {
      this.waiting--;
      this.readOn();
    });
  }

  refused({ message }: RpcError): void {
    this.tell(`${message}\n`);
  }

  /** What is wrong with a message is told, and the connection stays. */
  failed(error: unknown): void {
    this.tell((error as Error).message);
  }

  private readOn(): void {
    this.asking.drained();
    if (this.waiting >= MOST_WAITING) this.peer.pauseReading();
  }

  answer(message: Buffer): Promise<void> {
    const answered = this.last.then(() => this.carryOut(message));
    this.last = answered.catch(() => undefined);
    return answered;
  }

  private async carryOut(message: Buffer): Promise<void> {
    await this.asking.caller.turn();
    await this.handle(checkedCommand(await parseJson(message, this.asking.caller.turn)));
  }

  private async handle(command: WebCommand): Promise<void> {
    switch (command.cmd) {
      case 'var_add':
        return this.list.add(command.var_name);
      case 'var_cycle':
        return this.list.setPeriod(command.period);
      case 'var_unpause':
        return this.list.setPaused(false);
      case 'var_pause':
        return this.list.setPaused(true);
      case 'var_send':
        return this.send();
      case 'var_clear':
        return this.list.clear();
      case 'var_exit':
        return;
      case 'units':
        return this.tellUnits(command.var_name);
      case 'sie':
        return this.sendSie();
      case 'python':
        return this.run(command.pycode);
    }
  }

  /** Sends the values of the latest frame. */
  private async send(): Promise<void> {
    const { registry } = this.parts;
    const { source, largeReads } = registry;
    const context = { session: this.session, source, largeReads, presence: this.asking.caller.presence };
    this.asking.send(await readOnce(context, this.list.references, (frame) => this.list.message(frame)));
  }

  private tellUnits(name: string): void {
    const units = this.list.unitsOf(name);
    const sentence = `cannot get units for "${name}" because it must be added to the variable server first`;
    if (units === undefined) throw new Error(`Variable Server: var_units ${sentence}\n`);
    this.asking.send(unitsMessage(name, units));
  }

  /** The document counts as an answer that waits while it is made. */
  private async sendSie(): Promise<void> {
    const { catalog } = this.parts.registry.source;
    const held = new Held(this.session.account);
    const mayHave = (bytes: number): boolean => !this.asking.isClosed && held.trySet('unreadBytes', bytes);
    try {
      const client = { turn: this.asking.caller.turn, mayHave };
      const sie = await sieFile(catalog, client, SIE_CHAPTERS, SIE_JSON);
      if (!sie) throw new Error('sie: the text is longer than what this client may leave unread\n');
      held.release();
      this.session.account.take('unreadBytes', sie.length);
      this.asking.send(sie);
      this.session.outbound.count(sie.length);
    } finally {
      held.release();
    }
  }

  /** Runs a text as Trick's connections do. There is no answer but what has gone wrong. */
  private async run(text: string): Promise<void> {
    const { trick, hasLanguage } = this.parts;
    if (!this.admission.mayChange) throw new Error('python: the token allows reading only\n');
    if (!hasLanguage || !trick.server.isEnabled) throw new Error("python: Trick's language is switched off here\n");
    if (text.includes('\0')) throw new Error('python: the text has a null character\n');
    this.console ??= trick.openConsole(this.session);
    const { output } = await this.console.run(text.replaceAll('\r', ''));
    const errors = output.filter(({ stream }) => stream === 'stderr');
    if (errors.length > 0) this.tell(errors.map((one) => one.text).join(''));
  }

  private tell(text: string): void {
    this.asking.send(errorMessage(text));
  }

  private close(): void {
    this.asking.close();
    this.console?.close();
    this.list.close();
    this.session.close();
  }
}
