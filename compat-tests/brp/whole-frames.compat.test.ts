// A hundred watches and a hundred polls of a simulation at 64 Hz: every value that is seen is of one frame.
import { expect } from 'chai';
import { ServerHere, showOutputOfFailure } from '../launch.js';
import { Inspector } from './inspector.js';

const FLEET = new URL('./fleet.js', import.meta.url);
const WATCHES = 100;
const POLLS = 100;
const EVENTS = 20;
const ANSWERS = 10;

interface Pulse {
  readonly beats: readonly number[];
  readonly last: number;
}

/** Throws unless all numbers of a pulse are of the same tick. Returns the tick. */
function whole({ beats, last }: Pulse): number {
  if (!beats.every((beat) => beat === last)) throw new Error(`torn: ${JSON.stringify({ beats, last })}`);
  return last;
}

describe('a hundred watches and a hundred polls', () => {
  let server: ServerHere;
  before(async () => {
    server = await ServerHere.start(FLEET, { options: ['--no-discovery', '--brp', '0'] });
  });
  after(() => server?.stop());
  afterEach(function () {
    showOutputOfFailure(this, server);
  });

  it('see whole frames, in order', async () => {
    const port = server.brpPort;
    const inspector = new Inspector(port);
    const rows = await inspector.call('world.query', { data: { components: ['fleet::Pulse'] } });
    const watch = async (index: number): Promise<void> => {
      const { entity } = rows[index % rows.length];
      const events = await inspector.watch('world.get_components+watch', { entity, components: ['fleet::Pulse'] });
      let latest = 0;
      for (let count = 0; count < EVENTS; count++) {
        const tick = whole((await events.next()).result.components['fleet::Pulse']);
        expect(tick).to.be.above(latest);
        latest = tick;
      }
      events.close();
    };
    const poll = async (): Promise<void> => {
      const client = new Inspector(port);
      let latest = 0;
      let watermark: string | null = null;
      for (let count = 0; count < ANSWERS; count++) {
        const answer: { watermark: string; entities: readonly { components: Record<string, Pulse> }[] } =
          await client.call('brp.poll', { data: { components: ['fleet::Pulse'] }, watermark });
        ({ watermark } = answer);
        const ticks = new Set(answer.entities.map(({ components }) => whole(components['fleet::Pulse'] as Pulse)));
        // All entities of an answer are of one frame.
        expect([...ticks]).to.have.length(1);
        const [tick = 0] = ticks;
        expect(tick).to.be.above(latest);
        latest = tick;
      }
      client.close();
    };
    await Promise.all([
      ...Array.from({ length: WATCHES }, (_, index) => watch(index)),
      ...Array.from({ length: POLLS }, poll),
    ]);
    inspector.close();
  });
});
