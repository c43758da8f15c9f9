// What clients add to a simulation: a client leaves others as much as it takes, also when it has gone.
import { expect } from 'chai';
import { double, struct } from '../../model/state/declare.js';
import type { ClientOrOperator } from '../../model/state/fair-share.js';
import { TestRun } from '../../testing/aids/simulation-run.js';
import type { NewComponent, Request } from './request.js';

const Kilobyte = struct('Kilobyte', { x: double(128) });

describe('what clients add to a simulation', () => {
  const of = (address: string, session: number): ClientOrOperator => ({ address, session });
  let run: TestRun;
  let last = 0;

  const start = async (mostObjects: number, mostStateBytes: number) => {
    run = await TestRun.start({ mostObjects, mostStateBytes }, (sim) => {
      sim.type(Kilobyte);
    });
  };
  const ask = (request: Request) => run.ask(request)[0] as { readonly error?: string };
  const spawn = (by: ClientOrOperator, ...components: readonly NewComponent[]) =>
    ask({ kind: 'spawn', object: `o${last++}`, components, by });
  const most = (by: ClientOrOperator, ...components: readonly NewComponent[]): number => {
    let count = 0;
    while (!spawn(by, ...components).error) count++;
    return count;
  };
  const kilobyte: NewComponent = { alias: 'k', type: 'Kilobyte' };

  it('is shared by objects among clients and addresses, and connecting anew renews nothing', async () => {
    await start(1000, 2 ** 28);
    const own = run.catalog.objects.length;
    expect(most(of('10.0.0.1', 1))).to.equal(375);
    expect(spawn(of('10.0.0.1', 1)).error).to.equal('a client may have added 375 objects now, not one more');
    expect(most(of('10.0.0.1', 2))).to.be.within(187, 188);
    let ofAddress = 375 + 187;
    for (let client = 3; client < 20; client++) ofAddress += most(of('10.0.0.1', client));
    expect(ofAddress).to.be.within(740, 750);
    expect(most(of('10.0.0.2', 40))).to.be.within(Math.floor((250 - own) / 2) - 1, Math.ceil((260 - own) / 2));
    expect(spawn('operator').error).to.equal(undefined);
  });

  it('is free for others once it is despawned, by whomever', async () => {
    await start(1000, 2 ** 28);
    const first = last;
    expect(most(of('10.0.0.1', 1))).to.equal(375);
    ask({ kind: 'despawn', object: `o${first}`, isRecursive: false });
    run.running.state.removeObject(`o${first + 1}`);
    expect(most(of('10.0.0.1', 1))).to.equal(2);
    for (let index = first; index < last; index++) ask({ kind: 'despawn', object: `o${index}`, isRecursive: false });
    expect(run.running.vitals.shared.get('objects')).to.deep.include({ held: 0 });
    expect(most(of('10.0.0.1', 7))).to.equal(375);
  });

  it('is shared by bytes, of components that are inserted too', async () => {
    await start(100_000, 2 ** 20);
    const first = last;
    const alone = most(of('10.0.0.1', 1), kilobyte);
    expect(alone).to.be.within(370, 384);
    const error = spawn(of('10.0.0.1', 1), kilobyte).error;
    expect(error).to.match(/^what a client has added to the state may take \d+ bytes now, not \d+$/);
    const inserted = ask({
      kind: 'insert',
      object: `o${first}`,
      components: [{ ...kilobyte, alias: 'm' }],
      by: of('10.0.0.1', 1),
    });
    expect(inserted.error).to.match(/^what a client has added/);
    expect(spawn(of('10.0.0.1', 1)).error).to.equal(undefined);
    expect(run.running.vitals.shared.get('objectBytes')).to.deep.include({ held: alone * 1024, refusals: 3 });
    ask({ kind: 'remove', object: `o${first}`, aliases: ['k'] });
    expect(run.running.vitals.shared.get('objectBytes')).to.deep.include({ held: (alone - 1) * 1024 });
  });

  it('leaves another address something when one address has taken all it can', async () => {
    await start(100_000, 2 ** 18);
    for (let client = 1; client < 20; client++) most(of('10.0.0.1', client), kilobyte);
    expect(most(of('10.0.0.2', 20), kilobyte)).to.be.above(15);
  });
});
