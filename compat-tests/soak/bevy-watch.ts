// A watch of Bevy's protocol that stays for a whole soak: an event for every step of the ball.
import { type Events, Inspector } from '../brp/inspector.js';
import { demand } from '../demand.js';
import { type BallShown, demandCourse, Succession, stepsDue } from './ball-course.js';
import type { Logbook } from './logbook.js';
import { Watch } from './watch.js';
import type { Moment, Watcher } from './watcher.js';

const BALL = 'fixture::Ball';

interface Told {
  readonly result?: { readonly components: Readonly<Record<string, BallShown>>; readonly removed: readonly string[] };
  readonly error?: { readonly message: string };
}

export class BevyWatch implements Watcher {
  readonly name = 'the Bevy watch';
  readonly succession = new Succession();
  private readonly values: Watch<Told>;

  private constructor(
    private readonly inspector: Inspector,
    private readonly events: Events,
    logbook: Logbook,
  ) {
    const read = async () => {
      const told: Told | undefined = await events.next();
      demand(told !== undefined, 'the watch has ended');
      return told;
    };
    this.values = new Watch({ name: this.name, read, check: (told) => this.check(told) }, logbook);
  }

  static async open(port: number, logbook: Logbook): Promise<BevyWatch> {
    const inspector = new Inspector(port);
    const [row] = await inspector.call('world.query', { data: { components: [BALL] } });
    demand(row !== undefined, `no entity has ${BALL}`);
    const asked = { entity: row.entity, components: [BALL] };
    // In a run as fast as possible, more than one event comes at once.
    const events = await inspector.watch('world.get_components+watch', asked, { isCutAnywhere: true });
    return new BevyWatch(inspector, events, logbook);
  }

  async upTo({ returns, frameCount }: Moment): Promise<void> {
    const [steps, expected] = [stepsDue(frameCount), `frame ${frameCount} after ${returns} returns`];
    await this.values.until(() => this.succession.hasCome(returns, steps), expected);
  }

  drop(): void {
    this.values.stop();
    this.events.close();
    this.inspector.close();
  }

  private check({ result, error }: Told): void {
    demand(result !== undefined, `the watch says ${error?.message}`);
    const ball = result.components[BALL];
    demand(ball !== undefined && result.removed.length === 0, `an event of ${JSON.stringify(result)}`);
    demandCourse(ball);
    this.succession.take(ball.steps);
  }
}
