// Polls of many objects by several clients: those of clients that have left end, and others go on.
import { expect } from 'chai';
import { double, struct } from '../../model/state/declare.js';
import type { Sim } from '../../simulation/executive/simulation.js';
import { settled, TestBrp } from '../../testing/aids/brp-server.js';
import type { MemoryWebSocket } from '../../testing/aids/memory-connection.js';
import { Picture } from './picture.js';

const Probe = struct('Probe', { height: double() });
/** More than are read in one piece. */
const COUNT = 1200;
const POLL = {
  jsonrpc: '2.0',
  id: 1,
  method: 'brp.poll',
  params: { data: { option: 'all' }, filter: { with: ['server::Probe'] } },
};

describe('polls of all there is', () => {
  const { add } = Picture.prototype;
  let brp: TestBrp;
  let pictures: Set<Picture>;
  beforeEach(async () => {
    const build = (sim: Sim): void => {
      for (let k = 0; k < COUNT; k++) sim.object(`p${k}`).component('probe', Probe);
    };
    brp = await TestBrp.start({ build });
    await brp.ticks(3);
    pictures = new Set();
    Picture.prototype.add = function (...given) {
      pictures.add(this);
      add.apply(this, given);
    };
    brp.clock.millisPerLook = 1;
  });
  afterEach(() => {
    Picture.prototype.add = add;
    brp.close();
  });

  const asking = async (): Promise<MemoryWebSocket> => {
    const socket = await brp.open();
    socket.send(JSON.stringify(POLL));
    return socket;
  };
  const untilAnswered = async (socket: MemoryWebSocket): Promise<void> => {
    for (let k = 0; k < 5000 && socket.texts.length === 0; k++) await settled();
    expect(socket.texts[0].result.entities).to.have.length(COUNT);
  };

  it('go on when the client that has asked first leaves', async () => {
    const [first, second] = [await asking(), await asking()];
    first.leave();
    await untilAnswered(second);
    expect(first.texts).to.deep.equal([]);
    second.leave();
    await settled();
    expect(brp.registry.ledger.held('keptBytes')).to.equal(0);
    expect(brp.registry.ledger.held('unreadBytes')).to.equal(0);
  });

  it('stop when all have left', async () => {
    const sockets = [await asking(), await asking()];
    for (const socket of sockets) socket.leave();
    for (let k = 0; k < 200; k++) await settled();
    expect(pictures.size).to.equal(0);
    const { ledger } = brp.registry;
    expect([ledger.held('keptBytes'), ledger.held('unreadBytes')]).to.deep.equal([0, 0]);
    await untilAnswered(await asking());
  });
});
