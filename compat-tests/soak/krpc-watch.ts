// A client of kRPC whose streams stay for a whole soak: an update for every frame, whose values are of that frame.
import { demand } from '../demand.js';
import { type Call, call, KrpcClient, type Ports } from '../krpc/client.js';
import { readDouble, readItems, text } from '../krpc/values.js';
import { demandCourse, demandSteps, Succession } from './ball-course.js';
import type { Logbook } from './logbook.js';
import { Watch } from './watch.js';
import type { Moment, Watcher } from './watcher.js';

const STREAMS = {
  count: call('VarServer', 'Get', text('trick_sys.sched.frame_count')),
  steps: call('VarServer', 'Get', text('fx.ball.steps')),
  pos: call('VarServer', 'GetList', text('fx.ball.pos')),
} as const;

type Stream = keyof typeof STREAMS;
/** What an update has: streams that have not changed are not in it. */
type Update = ReadonlyMap<Stream, Uint8Array>;

export class KrpcWatch implements Watcher {
  readonly name = "kRPC's streams";
  readonly succession = new Succession();
  private readonly values: Watch<Update>;
  /** The latest value of each stream. */
  private readonly latest = new Map<Stream, Uint8Array>();

  private constructor(
    private readonly client: KrpcClient,
    streams: ReadonlyMap<bigint, Stream>,
    logbook: Logbook,
  ) {
    const read = async () => updateOf(await client.update(), streams);
    this.values = new Watch({ name: this.name, read, check: (update) => this.check(update) }, logbook);
  }

  static async open(ports: Ports, logbook: Logbook): Promise<KrpcWatch> {
    const client = await KrpcClient.tcp(ports, 'soak');
    const streams = new Map<bigint, Stream>();
    // None is started before all are there, so that the first update has all.
    for (const [name, one] of Object.entries(STREAMS) as [Stream, Call][])
      streams.set(await client.addStream(one, false), name);
    const watch = new KrpcWatch(client, streams, logbook);
    for (const id of streams.keys()) await client.startStream(id);
    return watch;
  }

  async upTo({ returns, frameCount }: Moment): Promise<void> {
    const expected = `frame ${frameCount} after ${returns} returns`;
    await this.values.until(() => this.succession.hasCome(returns, frameCount), expected);
  }

  drop(): void {
    this.values.stop();
    this.client.close();
  }

  private check(update: Update): void {
    for (const [name, value] of update) this.latest.set(name, value);
    const [count, steps, pos] = (['count', 'steps', 'pos'] as const).map((name) => this.latest.get(name));
    // The streams start one after another.
    if (!count || !steps || !pos) return;
    const [frames, made] = [readDouble(count), readDouble(steps)];
    demandSteps(made, frames);
    demandCourse({ pos: readItems(pos).map(readDouble), steps: made });
    this.succession.take(frames);
  }
}

function updateOf(results: Awaited<ReturnType<KrpcClient['update']>>, streams: ReadonlyMap<bigint, Stream>): Update {
  const values = new Map<Stream, Uint8Array>();
  for (const { id, result } of results) {
    const name = streams.get(id);
    demand(name !== undefined, `there is no stream ${id}`);
    demand(result !== undefined && !result.error, `${name} has failed: ${result?.error?.description}`);
    values.set(name, result.value);
  }
  demand(values.size === results.length && values.size > 0, `an update of ${results.length} results`);
  return values;
}
