// Trick's event viewer in the soak: follows events, fires them, loads one and starts over when the list changes.
import { demand } from '../demand.js';
import { EventViewer, parsed, type Typed } from '../event-viewer.js';
import type { Logbook } from './logbook.js';
import { Watch } from './watch.js';

/** The event that the input file defines. */
const EVENT = 'counted';
/** Positions in a cyclic message of one event. */
const At = { ticker: 1, active: 2, ranCount: 6, conditionEnabled: 11 } as const;
const LOADED = `loaded = trick.new_event("loaded")
loaded.cycle = 0.5
loaded.activate( )
trick.add_event(loaded )
loaded.condition(0,"""False""")
loaded.action(0,"""
fx.all.w_i = 1
""")`;

type Message = readonly Typed[];

const valueAt = (message: Message, place: number) => message[place]?.[1];

export class Viewer {
  private constructor(
    private readonly viewer: EventViewer,
    private readonly state: Watch<Message>,
  ) {}

  static async open(port: number, logbook: Logbook): Promise<Viewer> {
    const viewer = await EventViewer.open(port);
    viewer.put('trick.var_cycle(0.01)');
    demand(Number((await viewer.one('trick_ip.mtv.mtv_count'))?.[1]) >= 1, 'there are no events');
    const data = await viewer.eventData();
    demand(data[0] === EVENT, `the first event is ${data[0]}`);
    await viewer.one('trick_ip.mtv.mtv_update_ticker');
    viewer.follow(0, 1, 1);
    const codes = (await viewer.message()).map(([code]) => code).join();
    const check = (message: Message) => {
      const found = message.map(([code]) => code).join();
      demand(found === codes, `expected types ${codes}, not ${found}`);
    };
    return new Viewer(viewer, new Watch({ name: 'the event viewer', read: () => viewer.message(), check }, logbook));
  }

  /** Fires the event; needs a running simulation. */
  async fire(): Promise<void> {
    const before = await this.now(At.ranCount);
    this.viewer.put(`${EVENT}.manual_fire()`);
    await this.state.until((message) => valueAt(message, At.ranCount) === before + 1, 'the event fired');
    this.viewer.put(`${EVENT}.activate()`);
    await this.state.until((message) => valueAt(message, At.active) === true, 'the event active again');
  }

  async disableAndEnable(): Promise<void> {
    for (const [command, isEnabled] of [
      ['condition_disable', 0],
      ['condition_enable', 1],
    ] as const) {
      this.viewer.put(`${EVENT}.${command}(0)`);
      await this.state.until((message) => valueAt(message, At.conditionEnabled) === isEnabled, command);
    }
  }

  /** Loads an event and deletes it; each changes the ticker. */
  async loadAndDelete(): Promise<void> {
    const before = await this.now(At.ticker);
    this.viewer.put('trick.var_pause()', parsed(LOADED), 'trick.var_unpause()');
    await this.state.until((message) => Number(valueAt(message, At.ticker)) > before, 'a new event');
    this.viewer.put('trick.delete_event(loaded)');
    await this.state.until((message) => Number(valueAt(message, At.ticker)) > before + 1, 'it deleted');
  }

  private async now(place: number): Promise<number> {
    return Number(valueAt(await this.state.until(() => true, 'anything'), place));
  }

  async alive(): Promise<void> {
    await this.state.next(2);
  }

  drop(): void {
    this.state.stop();
    this.viewer.drop();
  }
}
