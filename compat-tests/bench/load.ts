// The load client of load.c in Node, for machines without a C compiler: the same arguments, the same line of JSON.
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import type { AskResult, Cut, FanResult } from './load-client.js';
import { cpuSeconds } from './process-cost.js';

const SETTLE_MILLIS = 3000;
const NEWLINE = 10;

/** How many updates end in the received bytes. */
type CutUpdates = (chunk: Buffer) => number;

const cutLines = (): CutUpdates => (chunk) => {
  let lines = 0;
  for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) lines++;
  return lines;
};

/** An event ends with a blank line. */
const cutEvents = (): CutUpdates => {
  let last = 0;
  return (chunk) => {
    let events = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) {
      if ((at === 0 ? last : chunk[at - 1]) === NEWLINE) events++;
    }
    last = chunk[chunk.length - 1] as number;
    return events;
  };
};

/** Length of the whole message at the start, or 0 while it is not known. */
type MessageLength = (bytes: Buffer) => number;

const binaryLength: MessageLength = (bytes) => (bytes.length < 12 ? 0 : 4 + bytes.readUInt32LE(4));

const webSocketLength: MessageLength = (bytes) => {
  const kind = (bytes[1] ?? 0) & 127;
  const headBytes = kind === 127 ? 10 : kind === 126 ? 4 : 2;
  if (bytes.length < headBytes) return 0;
  if (kind === 127) return headBytes + Number(bytes.readBigUInt64BE(2));
  return headBytes + (kind === 126 ? bytes.readUInt16BE(2) : kind);
};

const cutMessages = (lengthOf: MessageLength, worth: (message: Buffer) => number): CutUpdates => {
  let held = Buffer.alloc(0);
  return (chunk) => {
    held = Buffer.concat([held, chunk]);
    let updates = 0;
    for (let length = lengthOf(held); length > 0 && length <= held.length; length = lengthOf(held)) {
      updates += worth(held.subarray(0, length));
      held = held.subarray(length);
    }
    return updates;
  };
};

const cutBinary = (valuesInUpdate: number): CutUpdates => {
  let values = 0;
  return cutMessages(binaryLength, (message) => {
    values += message.readUInt32LE(8);
    if (values < valuesInUpdate) return 0;
    values = 0;
    return 1;
  });
};

/** The answer to the upgrade comes before the messages. */
const cutWebSocket = (): CutUpdates => {
  let answer: Buffer | undefined = Buffer.alloc(0);
  const cut = cutMessages(webSocketLength, () => 1);
  return (chunk) => {
    if (!answer) return cut(chunk);
    answer = Buffer.concat([answer, chunk]);
    const end = answer.indexOf('\r\n\r\n');
    if (end < 0) return 0;
    const rest = answer.subarray(end + 4);
    answer = undefined;
    return cut(rest);
  };
};

const CUTS: Readonly<Record<Cut, (valuesInUpdate: number) => CutUpdates>> = {
  line: cutLines,
  binary: cutBinary,
  event: cutEvents,
  websocket: cutWebSocket,
};

class LoadSession {
  updates = 0;
  bytes = 0;
  firstMillis = 0;
  lastMillis = 0;

  constructor(
    socket: Socket,
    setUp: Buffer,
    cut: CutUpdates,
    private readonly gaps: number[],
  ) {
    socket.on('data', (chunk) => this.take(chunk.length, cut(chunk)));
    socket.on('error', (error) => console.error(error.message));
    socket.write(setUp);
  }

  get hertz(): number {
    return this.updates > 1 ? ((this.updates - 1) * 1000) / (this.lastMillis - this.firstMillis) : 0;
  }

  private take(bytes: number, updates: number): void {
    this.bytes += bytes;
    if (updates === 0) return;
    const now = performance.now();
    if (this.updates === 0) this.firstMillis = now;
    else this.gaps.push(now - this.lastMillis);
    this.updates += updates;
    this.lastMillis = now;
  }
}

const wait = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis));
const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);
const share = (sorted: Float64Array, part: number): number => sorted[Math.floor(sorted.length * part)] ?? 0;

function residentKilobytes(processId: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${processId}/status`, 'utf8'))?.[1]);
}

async function fan(port: number, processId: number, rest: readonly string[]): Promise<FanResult> {
  const [count, seconds, cut, values, ...files] = rest as [string, string, Cut, string, ...string[]];
  const setUps = files.map((file) => readFileSync(file));
  const gaps: number[] = [];
  const sessions = Array.from({ length: Number(count) }, (_, i) => {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true });
    return new LoadSession(socket, setUps[i % setUps.length] as Buffer, CUTS[cut](Number(values)), gaps);
  });
  await wait(SETTLE_MILLIS);
  for (const session of sessions) session.updates = session.bytes = 0;
  gaps.length = 0;
  const [startCpu, startMillis] = [cpuSeconds(processId), performance.now()];
  await wait(1000 * Number(seconds));
  const elapsed = (performance.now() - startMillis) / 1000;
  const updates = sumOf(sessions.map((session) => session.updates));
  const sorted = Float64Array.from(gaps).sort();
  return {
    seconds: elapsed,
    values: updates * Number(values),
    bytes: sumOf(sessions.map((session) => session.bytes)),
    hertz: updates / elapsed / sessions.length,
    slowestHertz: Math.min(...sessions.map(({ hertz }) => hertz)),
    cpuSeconds: cpuSeconds(processId) - startCpu,
    gapP50Millis: share(sorted, 0.5),
    gapP99Millis: share(sorted, 0.99),
    gapMaxMillis: sorted.at(-1) ?? 0,
    residentKilobytes: residentKilobytes(processId),
  };
}

async function ask(port: number, processId: number, rest: readonly string[]): Promise<AskResult> {
  const [rounds, setUp, question] = rest as [string, string, string];
  const socket = connect({ host: '127.0.0.1', port, noDelay: true });
  socket.write(readFileSync(setUp));
  await wait(400);
  const startCpu = cpuSeconds(processId);
  const asked = readFileSync(question);
  const times: number[] = [];
  for (let round = 0; round < Number(rounds); round++) {
    const start = performance.now();
    socket.write(asked);
    await new Promise<void>((resolve) => {
      const onData = (chunk: Buffer) => {
        if (chunk[chunk.length - 1] !== NEWLINE) return;
        socket.off('data', onData);
        resolve();
      };
      socket.on('data', onData);
    });
    times.push(performance.now() - start);
  }
  const sorted = Float64Array.from(times).sort();
  return {
    p50Millis: share(sorted, 0.5),
    p99Millis: share(sorted, 0.99),
    maxMillis: sorted.at(-1) ?? 0,
    cpuSeconds: cpuSeconds(processId) - startCpu,
  };
}

/** Runs the client and prints its line of JSON. */
export async function runLoad([mode, port, processId, ...rest]: readonly string[]): Promise<void> {
  const measure = mode === 'fan' ? fan : ask;
  console.log(JSON.stringify(await measure(Number(port), Number(processId), rest)));
  process.exit();
}
