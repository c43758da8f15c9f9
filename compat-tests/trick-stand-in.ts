// A stand-in for NASA's Trick: what its variable server answered when it was recorded (golden/), and what it does not survive.
import { createServer, type Server, type Socket } from 'node:net';
import { binaryList } from '../lib/testing/aids/scripted-server.js';
import { ENUMERATIONS, LABELS, SIE } from './trick-stand-in-description.js';
import {
  asciiOf,
  bytesOf,
  CODES,
  FRAME_MILLIS,
  type Held,
  heldAtStart,
  isInShape,
  stored,
} from './trick-stand-in-values.js';

/** Trick reads its sockets once in a session's cycle. */
const CYCLE_MILLIS = 4;
const FREEZE_FRAME_MILLIS = 40;
/** More than waits in a socket: Trick has read half a line, and reads no more. */
const WEDGED_BYTES = 270_000;
const LONGEST_MESSAGE = 8192;
const LONGEST_TEXT = 8190;

interface Session {
  readonly socket: Socket;
  unread: string;
  form: 'ascii' | 'binary' | 'nameless';
  /** Whether the list is sent by itself. */
  isPaused: boolean;
  copyMode: number;
  multiple: number;
  hasStdio: boolean;
  list: { readonly name: string; readonly units: string | undefined }[];
}

const FRESH = { unread: '', form: 'ascii', isPaused: false, copyMode: 0, multiple: 1, hasStdio: false } as const;

export class TrickStandIn {
  readonly sessions = new Set<Session>();
  readonly held = heldAtStart();
  /** What it says of its variables. */
  description = SIE;
  hasCrashed = false;
  /** Each call of a resource leaves a descriptor open. */
  resources = 0;
  kicks = 0;
  /** The mode in which each checkpoint was loaded. */
  readonly loadedIn: number[] = [];
  /** Whether the sessions are not served for now. */
  isBusy = false;
  /** How often it was asked for values at once. */
  questions = 0;
  /** How many connections there have been; each so-manieth is closed at once. */
  connections = 0;
  dropsEach = Number.POSITIVE_INFINITY;
  /** The next list without names tells another size than it has: a write to a full socket was cut. */
  isTorn = false;
  /** Whether nothing is sent that was not asked for. */
  isSilent = false;
  /** Whether frames of a freeze are sent, as Trick does once a second. */
  sendsInFreeze = false;
  /** Whether it is of a time before containers could be asked about. */
  isOld = false;
  /** Whether a session has got so much at once that it reads no more. */
  isWedged = false;
  private waitingFile: string | undefined;
  private readonly server: Server;
  private readonly timers: NodeJS.Timeout[];

  constructor() {
    this.server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => this.accept(socket));
    this.timers = [
      setInterval(() => this.turn(), CYCLE_MILLIS),
      setInterval(() => this.frame(), FRAME_MILLIS),
      setInterval(() => this.freezeFrame(), FREEZE_FRAME_MILLIS),
    ];
  }

  get port(): number {
    return (this.server.address() as { port: number }).port;
  }

  get mode(): number {
    return this.one('trick_sys.sched.mode');
  }
  set mode(mode: number) {
    (this.held['trick_sys.sched.mode'] as Held).values = [mode];
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  async stop(): Promise<void> {
    for (const timer of this.timers) clearInterval(timer);
    for (const { socket } of this.sessions) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  one(name: string): number {
    return this.held[name]?.values[0] as number;
  }

  private add(name: string, more: number): number {
    const sum = this.one(name) + more;
    (this.held[name] as Held).values = [sum];
    return sum;
  }

  private accept(socket: Socket): void {
    if (++this.connections % this.dropsEach === 0) return void socket.destroy();
    const session: Session = { ...FRESH, socket, list: [] };
    this.sessions.add(session);
    socket.on('data', (bytes) => {
      session.unread += bytes.toString('latin1');
    });
    // The end of a session that sends nothing by itself is not noticed.
    socket.on('error', () => undefined);
  }

  private turn(): void {
    if (this.isBusy) return;
    for (const session of this.sessions) {
      const end = session.unread.lastIndexOf('\n') + 1;
      this.isWedged ||= session.unread.length > WEDGED_BYTES;
      if (end === 0 || this.isWedged) continue;
      const block = session.unread.slice(0, end).replaceAll('\r', '');
      session.unread = session.unread.slice(end);
      this.run(
        session,
        block.split('\n').filter((line) => line.trim() !== ''),
      );
    }
  }

  /** Sessions that copy at the top of a frame send their list then. */
  private frame(): void {
    if (this.mode !== 5 || this.isBusy) return;
    const count = this.add('trick_sys.sched.frame_count', 1);
    this.add('trick_sys.sched.time_tics', FRAME_MILLIS);
    if (this.isSilent) return;
    for (const session of this.sessions)
      if (!session.isPaused && (session.copyMode === 1 || (session.copyMode === 2 && count % session.multiple === 0)))
        this.send(session, 0, session.list);
  }

  freezeFrame(): void {
    if (this.mode !== 1) return;
    this.add('trick_sys.sched.freeze_frame_count', 1);
    if (this.sendsInFreeze)
      for (const session of this.sessions)
        if (!session.isPaused && session.copyMode === 2) this.send(session, 0, session.list);
    if (this.waitingFile !== undefined) this.load();
  }

  private load(): void {
    this.loadedIn.push(this.mode);
    this.waitingFile = undefined;
    (this.held['trick_sys.sched.time_tics'] as Held).values = [500];
  }

  /** A block runs as a whole or, with a syntax error, not at all; an error ends it. */
  private run(session: Session, lines: readonly string[]): void {
    const isStatement = (line: string) => /^(trick\.\w+|print|[\w.]+ = )/.test(line);
    try {
      if (!lines.every(isStatement)) throw new Error('SyntaxError: invalid syntax');
      for (const line of lines) this.statement(session, line);
    } catch (error) {
      this.complain(session, (error as Error).message);
    }
  }

  private statement(session: Session, line: string): void {
    const [, assigned, list] = /^([\w.]+) = (\[.*\])$/.exec(line) ?? [];
    if (list !== undefined) {
      this.assign(assigned as string, JSON.parse(list));
      return;
    }
    const [, printed] = /^print\((.*)\)$/.exec(line) ?? [];
    const [, called = '', given = ''] = /^trick\.(\w+)\((.*)\)$/.exec(printed ?? line) ?? [];
    const args = [...given.matchAll(/"((?:[^"\\]|\\.)*)"|([^,\s][^,]*)/g)].map(
      ([, text, other]) => text ?? other ?? '',
    );
    const result = this.command(session, called, args);
    if (printed !== undefined) for (const text of [String(result ?? 'None'), '\n']) this.stdio(session, 1, text);
  }

  private command(session: Session, called: string, [first = '', second, third]: readonly string[]): unknown {
    const { socket } = session;
    switch (called) {
      case 'var_ascii':
        session.form = 'ascii';
        return 0;
      case 'var_binary':
        session.form = 'binary';
        return 0;
      case 'var_binary_nonames':
        session.form = 'nameless';
        return 0;
      case 'var_set_send_stdio':
        session.hasStdio = first === 'True';
        return 0;
      case 'var_exit':
        this.sessions.delete(session);
        socket.end();
        socket.resume();
        return 0;
      case 'var_send_list_size':
        return this.answer(session, 3, session.list.length);
      case 'var_exists':
        return this.answer(session, 1, this.find(first) ? 1 : 0);
      case 'var_get_stl_size': {
        if (this.isOld) throw new Error(`AttributeError: module 'trick' has no attribute '${called}'`);
        const found = this.held[first];
        return this.answer(session, 6, found?.isContainer ? found.values.length : 'BAD_REF');
      }
      case 'var_send_once':
        this.questions++;
        return this.send(
          session,
          5,
          first.split(',').map((name) => ({ name: name.trim(), units: undefined })),
        );
      case 'var_add':
        return session.list.push({ name: first, units: second });
      case 'var_remove': {
        const at = session.list.findIndex(({ name }) => name === first);
        return at < 0 ? 0 : session.list.splice(at, 1).length;
      }
      case 'var_clear':
        session.list = [];
        return 0;
      case 'var_send':
        this.questions++;
        return this.send(session, 0, session.list);
      case 'send_sie_resource':
        this.resources++;
        return socket.write(`2\t${this.description.length}\n${this.description}`);
      case 'send_sie_enum':
        return socket.write(`2\t${ENUMERATIONS.length}\n${ENUMERATIONS}`);
      case 'var_set':
        return this.set(first, second ?? '', third);
      case 'exec_freeze':
        this.mode = 1;
        return 0;
      case 'exec_run':
        this.mode = 5;
        return 0;
      case 'load_checkpoint':
        this.waitingFile = first;
        // While it runs the values of two times are mixed.
        if (this.mode === 5) this.load();
        return 0;
      case 'kick':
        this.kicks++;
        return Number(first) + Number(second);
      case 'var_pause':
      case 'var_unpause':
        session.isPaused = called === 'var_pause';
        if (!session.isPaused && session.copyMode === 0)
          setTimeout(() => this.send(session, 0, session.list), CYCLE_MILLIS);
        return 0;
      case 'var_set_copy_mode':
        session.copyMode = Number(first);
        return 0;
      case 'var_set_frame_multiple':
        session.multiple = Number(first);
        return 0;
      case 'var_cycle':
      case 'var_set_client_tag':
      case 'var_set_write_mode':
        return 0;
      default:
        throw new Error(`AttributeError: module 'trick' has no attribute '${called}'`);
    }
  }

  /** A short list is filled with zeros; one in another shape is not taken, without a word. */
  private assign(name: string, list: readonly unknown[]): void {
    const held = this.held[name];
    if (!held || !isInShape(list, held.extents ?? [])) return;
    const values = list.flat(9) as number[];
    held.values = held.values.map((_, index) => values[index] ?? 0);
  }

  private set(name: string, given: string, units: string | undefined): number {
    const held = this.held[name];
    if (!held) return 2;
    held.values = stored(held, literalOf(given), units);
    return 0;
  }

  /** The value of a path, a row of several dimensions included; undefined for BAD_REF. */
  private find(path: string): { readonly held: Held; readonly values: readonly number[] } | undefined {
    if (path === 'time') {
      const values = [this.one('trick_sys.sched.time_tics') / this.one('trick_sys.sched.time_tic_value')];
      return { held: { kind: 'double', units: 's', values }, values };
    }
    const whole = this.held[path];
    const [, name = '', indices = ''] = whole ? ['', path] : (/^([\w.]+?)((?:\[\d+\])*)$/.exec(path) ?? []);
    const held = whole ?? this.held[name];
    if (!held) return undefined;
    const steps = [...indices.matchAll(/\d+/g)].map(([digits]) => Number(digits));
    // Trick reads memory that is not its own, and ends.
    if (held.isContainer && steps.length > 1) return this.crash();
    if (held.isContainer && steps.length === 0) return undefined;
    let values: readonly number[] = held.values;
    for (const [depth, step] of steps.entries()) {
      const extent = held.extents?.[depth];
      if (extent === undefined || step >= extent) return undefined;
      const size = values.length / extent;
      values = values.slice(step * size, (step + 1) * size);
    }
    return { held, values };
  }

  private crash(): undefined {
    this.hasCrashed = true;
    for (const { socket } of this.sessions) socket.destroy();
    this.sessions.clear();
  }

  /** Replies that do not carry a size. */
  private answer(session: Session, indicator: number, value: number | string): number {
    if (session.form === 'ascii') session.socket.write(`${indicator}\t${value}\n`);
    else {
      const bytes = Buffer.alloc(indicator === 1 ? 5 : indicator === 3 ? 12 : 8);
      bytes.writeInt32LE(indicator);
      if (indicator === 1) bytes.writeInt8(Number(value), 4);
      else bytes.writeInt32LE(Number(value) || 0, bytes.length - 4);
      session.socket.write(bytes);
    }
    return 0;
  }

  private send({ form, socket }: Session, indicator: number, asked: Session['list']): number {
    if (form === 'ascii') {
      const fields = asked.map(({ name, units }) => this.text(name, units).slice(0, LONGEST_TEXT));
      socket.write(`${indicator}\t${fields.join('\t')}\n`);
      return 0;
    }
    let message: [string, number, Buffer][] = [];
    let size = 12;
    const flush = (): void => {
      if (message.length > 0) socket.write(this.torn(binaryList(indicator, message, form === 'binary')));
      message = [];
      size = 12;
    };
    for (const { name } of asked) {
      const found = this.find(name);
      const bytes = found ? bytesOf(found.held.kind, found.values) : Buffer.alloc(4);
      const own = 12 + name.length + bytes.length;
      // A value that fits no message is left out without a word.
      if (12 + own > LONGEST_MESSAGE) continue;
      if (size + own > LONGEST_MESSAGE) flush();
      message.push([name, found ? CODES[found.held.kind] : 25, bytes]);
      size += own;
    }
    flush();
    return 0;
  }

  private torn(bytes: Buffer): Buffer {
    if (this.isTorn) bytes.writeInt32LE(bytes.readInt32LE(4) - 20, 4);
    this.isTorn = false;
    return bytes;
  }

  private text(name: string, units: string | undefined): string {
    const whole = this.held[name];
    const found = whole?.isContainer ? { held: whole, values: [] } : this.find(name);
    return found ? asciiOf(found.held, found.values, name === 'time' ? 's' : units) : 'BAD_REF';
  }

  private complain(session: Session, sentence: string): void {
    this.stdio(session, 2, `${sentence}\n`);
  }

  private stdio({ hasStdio, socket }: Session, stream: 1 | 2, text: string): void {
    if (hasStdio) socket.write(`4 ${stream} ${text.length}\n${text}`);
  }
}

/** Labels are names of its module; of text that is no number it takes 0. Throws an Error for any other name. */
function literalOf(given: string): string {
  const [, label] = /^trick\.(\w+)$/.exec(given) ?? [];
  if (label === undefined) return given;
  const value = LABELS.get(label);
  if (value === undefined) throw new Error(`AttributeError: module 'trick' has no attribute '${label}'`);
  return String(value);
}
