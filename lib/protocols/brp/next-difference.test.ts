// Polls that wait: a frame is compared with what many objects have shown in pieces, and a change of any of them ends the wait.
import { expect } from 'chai';
import { double, struct } from '../../model/state/declare.js';
import type { Sim } from '../../simulation/executive/simulation.js';
import { settled, TestBrp } from '../../testing/aids/brp-server.js';
import { turn } from '../../testing/aids/http-exchange.js';
import type { MemoryWebSocket } from '../../testing/aids/memory-connection.js';
import { Portion } from './picture.js';

const Probe = struct('Probe', { height: double() });
/** Three portions. */
const COUNT = 1200;
const QUERY = { data: { components: ['server::Probe'] } };

describe('a poll of many objects that waits', () => {
  let brp: TestBrp;
  let probes: { height: number }[];
  let socket: MemoryWebSocket;
  beforeEach(async () => {
    probes = [];
    const build = (sim: Sim): void => {
      for (let k = 0; k < COUNT; k++) probes.push(sim.object(`p${k}`).component('probe', Probe));
    };
    brp = await TestBrp.start({ build });
    await brp.ticks(3);
    const { watermark } = await brp.call('brp.poll', QUERY);
    socket = await brp.open();
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'brp.poll', params: { ...QUERY, watermark } }));
    for (let k = 0; k < 20; k++) await settled();
    await brp.ticks(2);
    expect(socket.texts).to.have.length(0);
  });
  afterEach(() => brp.close());

  for (const which of [0, 600, COUNT - 1]) {
    it(`ends when object ${which} changes`, async () => {
      (probes[which] as { height: number }).height = 5;
      await brp.ticks(2);
      for (let k = 0; k < 200 && socket.texts.length === 0; k++) await settled();
      const rows = socket.texts[0].result.entities;
      expect(
        rows.filter((row: { components: object }) => Object.values(row.components)[0].height === 5),
      ).to.have.length(1);
      expect(brp.registry.ledger.held('parked')).to.equal(0);
    });
  }

  /** In how many turns of the event loop portions are compared with the next frame. */
  const turnsOfTick = async (): Promise<number> => {
    const seen = new Set<number>();
    let at = 0;
    const { differsIn } = Portion.prototype;
    Portion.prototype.differsIn = function (...given) {
      seen.add(at);
      brp.clock.leap(3);
      return differsIn.apply(this, given);
    };
    void brp.ticks(1);
    for (; at < 50; at++) await turn();
    Portion.prototype.differsIn = differsIn;
    return seen.size;
  };

  it('gives way between its portions', async () => {
    expect(await turnsOfTick()).to.be.within(2, 3);
    expect(socket.texts).to.have.length(0);
  });

  it('has no followers when its client has gone', async () => {
    socket.leave();
    for (let k = 0; k < 20; k++) await settled();
    expect(brp.registry.ledger.held('parked')).to.equal(0);
    expect(await turnsOfTick()).to.equal(0);
  });
});
