// A modern client beside Trick's: an event stream by simulation time, which must show every tenth frame once.
import { demand } from '../demand.js';
import { EventStream, type Values } from '../http-client.js';
import type { Logbook } from './logbook.js';
import { Watch } from './watch.js';

const NAMES = ['trick_sys.sched.frame_count', 'fx.ball.pos'];

export class EventWatch {
  private constructor(
    private readonly events: EventStream,
    private readonly values: Watch<Values>,
  ) {}

  static async open(port: number, logbook: Logbook): Promise<EventWatch> {
    const events = await EventStream.subscribe(port, NAMES, 100);
    const messages = events.messages();
    const read = async () => {
      const { value, done } = await messages.next();
      demand(!done, 'the stream has ended');
      return value as Values;
    };
    const check = ({ values }: Values) => {
      const isWhole = NAMES.every((name) => values[name] !== undefined && values[name] !== null);
      demand(isWhole && Object.keys(values).length === NAMES.length, `values ${JSON.stringify(values)}`);
    };
    return new EventWatch(events, new Watch({ name: 'the event stream', read, check }, logbook));
  }

  async alive(): Promise<void> {
    await this.values.next(2);
  }

  drop(): void {
    this.values.stop();
    this.events.close();
  }
}
