// `node bystander.js SECONDS PORT VARIABLE ECHO-PORT [tls]`: asks for a value each 5 ms and for its health each 100 ms;
// prints a line once the server knows it, and so many seconds later how long it waited.
import type { Socket } from 'node:net';
import { type Dialled, dial } from '../dial.js';

const QUESTION_MILLIS = 5;
const HEALTH_MILLIS = 100;
/** The server counts a client as new until it has had a few short answers. */
const FIRST_ANSWERS = 50;
const MOST_UNTIL_THEN_MILLIS = 3000;

export interface Waited {
  readonly answers: number;
  /** Asked, and not answered at the end. */
  readonly unanswered: number;
  readonly p50Millis: number;
  readonly p99Millis: number;
  readonly worstMillis: number;
}

export interface Witnessed {
  readonly value: Waited;
  readonly health: Waited;
  /** Of a process that only echoes: what the machine makes everybody wait. */
  readonly echo: Waited;
}

/** Waits between questions and answers that come in their order. What is not answered has waited until the end. */
class Waits {
  private readonly done: number[] = [];
  private readonly open: number[] = [];

  asked(): void {
    this.open.push(performance.now());
  }

  answered(): void {
    const asked = this.open.shift();
    if (asked !== undefined) this.done.push(performance.now() - asked);
  }

  get answers(): number {
    return this.done.length;
  }

  get figures(): Waited {
    const now = performance.now();
    const all = [...this.done, ...this.open.map((asked) => now - asked)].sort((a, b) => a - b);
    const at = (share: number): number => all[Math.min(all.length - 1, Math.floor(all.length * share))] ?? 0;
    return {
      answers: this.done.length,
      unanswered: this.open.length,
      p50Millis: at(0.5),
      p99Millis: at(0.99),
      worstMillis: at(1),
    };
  }
}

/** Asks by the clock, whether or not it has been answered; counts what `end` marks as an answer's end. */
function asking(
  dialled: Dialled,
  question: string,
  everyMillis: number,
  end: RegExp,
): { waits: Waits; socket: Socket } {
  const waits = new Waits();
  const socket = dial(dialled);
  socket.on('error', () => undefined);
  socket.setEncoding('latin1').on('data', (text: string) => {
    for (const _ of text.matchAll(end)) waits.answered();
  });
  setInterval(() => {
    waits.asked();
    if (!socket.destroyed) socket.write(question);
  }, everyMillis);
  return { waits, socket };
}

const [seconds, port, variable, echoPort, way] = process.argv.slice(2);
const server = { port: Number(port), isSecure: way === 'tls' };
const value = asking(server, `trick.var_send_once("${variable}")\n`, QUESTION_MILLIS, /\n/g);
value.socket.write('trick.var_pause()\n');
const health = asking(server, 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n', HEALTH_MILLIS, /HTTP\/1\.1 /g);
const echo = asking({ port: Number(echoPort) }, 'x\n', QUESTION_MILLIS, /\n/g);

function tell(): void {
  const witnessed: Witnessed = {
    value: value.waits.figures,
    health: health.waits.figures,
    echo: echo.waits.figures,
  };
  process.stdout.write(JSON.stringify(witnessed), () => process.exit(0));
}

const sinceMillis = performance.now();
const beginning = setInterval(() => {
  if (value.waits.answers < FIRST_ANSWERS && performance.now() < sinceMillis + MOST_UNTIL_THEN_MILLIS) return;
  clearInterval(beginning);
  process.stdout.write('begun\n');
  setTimeout(tell, 1000 * Number(seconds));
}, QUESTION_MILLIS);
