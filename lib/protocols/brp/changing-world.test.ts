// Reads while objects come in each moment: they end, are of one frame, and give way as they do otherwise.
import { expect } from 'chai';
import { double, struct } from '../../model/state/declare.js';
import type { Sim } from '../../simulation/executive/simulation.js';
import { TestBrp } from '../../testing/aids/brp-server.js';
import { AnswerText } from '../json-rpc/answer-text.js';

const Probe = struct('Probe', { height: double() });
const [PATH, COUNT] = ['server::Probe', 300];
/** All rows take some 4,000 texts, and a slice is over after some rows. */
const MOST_TEXTS_IN_PIECE = 1000;

describe("Bevy's protocol while objects come all the time", () => {
  let sim: Sim;
  let brp: TestBrp;
  beforeEach(async () => {
    const build = (built: Sim): void => {
      sim = built;
      const probes = Array.from({ length: COUNT }, (_, k) => built.object(`p${k}`).component('probe', Probe));
      built.job(0.01, () => {
        for (const probe of probes) probe.height += 1;
      });
    };
    brp = await TestBrp.start({ build });
    await brp.ticks(3);
  });
  afterEach(() => brp.close());

  /** An object comes whenever work gives way; returns the most texts that were added in one piece. */
  async function whileObjectsCome(act: () => Promise<void>): Promise<number> {
    const { turns } = brp.registry;
    const [resume, add] = [turns.resume, AnswerText.prototype.add];
    let [objects, texts, most] = [0, 0, 0];
    turns.resume = (...given) => {
      sim.object(`new${objects++}`).component('probe', Probe);
      brp.turn();
      [most, texts] = [Math.max(most, texts), 0];
      resume.apply(turns, given);
    };
    AnswerText.prototype.add = function (...given) {
      texts++;
      return add.apply(this, given);
    };
    brp.clock.millisPerLook = 2;
    try {
      await act();
    } finally {
      turns.resume = resume;
      AnswerText.prototype.add = add;
      brp.clock.millisPerLook = 0;
    }
    return Math.max(most, texts);
  }

  for (const [what, method, params] of [
    ['a query', 'world.query', { data: { components: [PATH] } }],
    ['a poll', 'brp.poll', { data: { components: [PATH] }, timeout_ms: 0 }],
  ] as const)
    it(`answers ${what} in pieces, with the values of one frame`, async () => {
      const socket = await brp.open();
      const answers = (): { result?: unknown; error?: unknown }[] => socket.texts;
      const most = await whileObjectsCome(async () => {
        await socket.say({ jsonrpc: '2.0', id: 1, method, params });
        for (let k = 0; k < 2000 && answers().length === 0; k++) await new Promise((resolve) => setImmediate(resolve));
      });
      const { result } = answers()[0] as { result: { entities?: Row[] } & Row[] };
      const rows: Row[] = result.entities ?? result;
      expect(rows).to.have.length.above(COUNT - 1);
      const heights = new Set(rows.slice(0, COUNT).map(({ components }) => components[PATH]?.height));
      expect(heights.size).to.equal(1);
      expect(most).to.be.below(MOST_TEXTS_IN_PIECE);
    });
});

interface Row {
  readonly components: Readonly<Record<string, { readonly height: number }>>;
}
