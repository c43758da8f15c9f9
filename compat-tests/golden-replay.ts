// Replays recorded sessions: sends what was sent, and compares every byte of the answer.
import type { GoldenSession, GoldenStep } from './recorded.js';
import { WireClient } from './wire-client.js';

/** Sent after each step; its answer, which no recorded session contains, marks the end of the step's answer. */
const MARKER_NAME = 'fx.all.big_i[1234]';
const MARKER_VALUE = 101234;
const MARKER = `trick.var_send_once("${MARKER_NAME}")\n`;
const MARKER_ANSWERS = [
  `5\t${MARKER_VALUE}\n`,
  ...[true, false].flatMap((isNamed) => [true, false].map((isSwapped) => binaryMarker(isNamed, isSwapped))),
];

const PREAMBLE = 'trick.var_cycle(0.01)\ntrick.var_pause()\n';

/** The marker's answer in binary: indicator, size, count, [name length, name,] type int, size, value. */
function binaryMarker(isNamed: boolean, isSwapped: boolean): string {
  const int32 = (value: number): Buffer => {
    const bytes = Buffer.alloc(4);
    if (isSwapped) bytes.writeInt32BE(value);
    else bytes.writeInt32LE(value);
    return bytes;
  };
  const name = isNamed ? [int32(MARKER_NAME.length), Buffer.from(MARKER_NAME)] : [];
  const variable = Buffer.concat([...name, int32(6), int32(4), int32(MARKER_VALUE)]);
  return Buffer.concat([int32(5), int32(8 + variable.length), int32(1), variable]).toString('latin1');
}

const markerIn = (received: string): string | undefined => MARKER_ANSWERS.find((answer) => received.endsWith(answer));

/** An answer that differs from the recorded one. */
export interface Difference {
  readonly step: number;
  readonly send: string;
  readonly expected: string;
  readonly received: string;
}

/**
 * Whether the texts are equal, except for the last digits of numbers (with a tolerance) or as the step's pattern
 * allows.
 */
export function agrees(step: GoldenStep, received: string, tolerance = 0): boolean {
  if (step.match !== undefined) return new RegExp(step.match).test(received);
  const expected = step.expect ?? step.recv;
  if (received === expected) return true;
  const [ours, theirs] = [received, expected].map((text) => text.split(/([\t\n, {}]+)/)) as [string[], string[]];
  return (
    tolerance > 0 && ours.length === theirs.length && ours.every((part, k) => isClose(part, theirs[k] ?? '', tolerance))
  );
}

const isClose = (ours: string, theirs: string, tolerance: number): boolean =>
  ours === theirs || Math.abs(Number(ours) - Number(theirs)) <= tolerance * Math.abs(Number(theirs));

class Replay {
  private constructor(
    private readonly client: WireClient,
    /** It gets its answer only after the server has read what the other connection sent before. */
    private readonly witness: WireClient | undefined,
  ) {}

  static async open({ transport }: GoldenSession, tcpPort: number, udpPort: number): Promise<Replay> {
    if (transport === 'udp') return new Replay(await WireClient.udp(udpPort), undefined);
    return new Replay(await WireClient.tcp(tcpPort), await WireClient.tcp(tcpPort));
  }

  async answerTo(step: GoldenStep): Promise<string> {
    this.client.send(step.send);
    if (step.closed) {
      await this.client.ended();
      return this.client.leftovers;
    }
    const isWhole = this.witness === undefined || step.send.endsWith('\n');
    if (!isWhole) {
      await this.settle();
      return (await this.client.bytes((step.expect ?? step.recv).length)).toString('latin1');
    }
    return this.throughMarker();
  }

  async throughMarker(): Promise<string> {
    await this.settle();
    this.client.send(MARKER);
    const received = await this.client.through((text) => markerIn(text) !== undefined, "the marker's answer");
    return received.slice(0, -(markerIn(received) ?? '').length);
  }

  close(): void {
    this.witness?.close();
    this.client.close();
  }

  drop(): void {
    this.witness?.drop();
    this.client.drop();
  }

  /** Resolves when everything sent so far has run, as a block before anything that is sent later. */
  private async settle(): Promise<void> {
    this.witness?.send('trick.var_exists("fx.all.i")\n');
    await this.witness?.bytes('1\t1\n'.length);
  }

  begin(preamble = ''): Promise<string> {
    this.client.send(PREAMBLE + preamble);
    return this.throughMarker();
  }
}

/** All steps whose answer differs from the recorded one. */
export async function replay(session: GoldenSession, tcpPort: number, udpPort: number): Promise<Difference[]> {
  const replaying = await Replay.open(session, tcpPort, udpPort);
  const differences: Difference[] = [];
  try {
    if (!session.raw) await replaying.begin(session.preamble);
    for (const [step, recorded] of session.steps.entries()) {
      const received = await replaying.answerTo(recorded);
      const expected = recorded.match ?? recorded.expect ?? recorded.recv;
      if (!agrees(recorded, received, session.tolerance))
        differences.push({ step, send: recorded.send, expected, received });
    }
    if (session.steps.at(-1)?.closed) replaying.drop();
    else replaying.close();
  } finally {
    replaying.drop();
  }
  return differences;
}
