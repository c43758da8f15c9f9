// A subscription over a WebSocket that stays for a whole soak: every frame, once and in order, with the values of that frame.
import { on, once } from 'node:events';
import WebSocket from 'ws';
import { demand } from '../demand.js';
import type { Values } from '../http-client.js';
import { demandCourse, demandSteps, Succession } from './ball-course.js';
import type { Logbook } from './logbook.js';
import { Watch } from './watch.js';
import type { Moment, Watcher } from './watcher.js';

const COUNT = 'trick_sys.sched.frame_count';
const [POSITION, STEPS] = ['fx.ball.pos', 'fx.ball.steps'];
const TICK_MILLIS = 10;

type Told = Values & { readonly frame: number };

export class SocketWatch implements Watcher {
  readonly name = 'the WebSocket';
  readonly succession = new Succession();
  private readonly values: Watch<Told>;
  private lastNumber = 0;

  private constructor(
    private readonly socket: WebSocket,
    messages: AsyncIterator<unknown[]>,
    logbook: Logbook,
  ) {
    const read = async () => {
      const { value, done } = await messages.next();
      demand(!done, 'the WebSocket has closed');
      return notificationOf(`${value[0]}`);
    };
    this.values = new Watch({ name: this.name, read, check: (told) => this.check(told) }, logbook);
  }

  static async open(port: number, logbook: Logbook): Promise<SocketWatch> {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`);
    const messages = on(socket, 'message', { close: ['close'] });
    await once(socket, 'open');
    const params = { aliases: [COUNT, POSITION, STEPS], cycle_ms: TICK_MILLIS };
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'var/subscribe', params }));
    const { value } = await messages.next();
    const { result } = JSON.parse(`${value[0]}`);
    demand(result?.effective_cycle_ms === TICK_MILLIS, `var/subscribe was answered ${value[0]}`);
    return new SocketWatch(socket, messages, logbook);
  }

  async upTo({ returns, frameCount }: Moment): Promise<void> {
    const expected = `frame ${frameCount} after ${returns} returns`;
    await this.values.until(() => this.succession.hasCome(returns, frameCount), expected);
  }

  drop(): void {
    this.values.stop();
    this.socket.terminate();
  }

  private check({ frame, sim_time, values, dropped }: Told): void {
    demand(frame > this.lastNumber, `frame ${frame} came after frame ${this.lastNumber}`);
    this.lastNumber = frame;
    demand(Object.keys(values).length === 3, `values ${JSON.stringify(values)}`);
    const [count, steps] = [Number(values[COUNT]), Number(values[STEPS])];
    const ticks = Math.round(sim_time.sec_si * (1000 / TICK_MILLIS));
    demand(count === ticks, `at ${sim_time.sec_si} s there have been ${count} frames, not ${ticks}`);
    demandSteps(steps, count);
    demandCourse({ pos: values[POSITION] as number[], steps });
    this.succession.take(count, dropped);
  }
}

function notificationOf(text: string): Told {
  const { method, params } = JSON.parse(text);
  demand(method === 'var', `not a message of a subscription: ${text}`);
  return params;
}
