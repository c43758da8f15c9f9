// Requests of many writes on their way to the simulation's thread.
import { expect } from 'chai';
import type { Write } from '../executive/request.js';
import { memoryOf, packed, unpacked } from './packed-writes.js';
import type { ToSimulation } from './protocol.js';

const requestOf = (writes: readonly Write[]): ToSimulation => ({
  kind: 'request',
  id: 7,
  request: { kind: 'write', writes },
});

describe('writes on their way to another thread', () => {
  it('arrive as they were, however many there are', () => {
    for (const count of [0, 1, 16, 17, 1000]) {
      const writes = Array.from({ length: count }, (_, k) => ({
        path: `o.x[${k}]`,
        value: [k, `${k}`, [1, null], BigInt(k)][k % 4] as Write['value'],
        ...(k % 3 > 0 && { catalogVersion: k }),
      }));
      const ofOneVersion = writes.map((write) => ({ ...write, catalogVersion: 5 }));
      for (const request of [requestOf(writes), requestOf(ofOneVersion)])
        expect(unpacked(structuredClone(packed(request)))).to.deep.equal(request);
    }
  });

  it('take the memory of their long lists with them', () => {
    const [one, other] = [new Float64Array(2000).fill(3), new Int32Array(5000).fill(7)];
    const value = { row: one, few: [1, 2] } as unknown as Write['value'];
    const of = (writes: readonly Write[]): ToSimulation => requestOf(writes);
    const request = of([
      { path: 'o.s', value },
      { path: 'o.i', value: other as unknown as Write['value'] },
      { path: 'o.x', value: 1 },
    ]);
    const expected = structuredClone(request);
    const sent = structuredClone(packed(request), { transfer: memoryOf(request) });
    expect([one.length, other.length]).to.deep.equal([0, 0]);
    expect(unpacked(sent)).to.deep.equal(expected);
  });

  it('leave memory of which they use a part', () => {
    const part = new Float64Array(4000).subarray(0, 2000);
    const request = requestOf([{ path: 'o.x', value: part as unknown as Write['value'] }]);
    expect(memoryOf(request)).to.deep.equal([]);
    expect(memoryOf({ kind: 'close' })).to.deep.equal([]);
  });

  it('go as lists when there are many, and everything else goes as it is', () => {
    const many = requestOf(Array.from({ length: 10_000 }, (_, k) => ({ path: `o.x[${k}]`, value: k })));
    expect(packed(many)).to.have.property('paths').that.has.length(10_000);
    for (const message of [requestOf([{ path: 'o.x', value: 1 }]), { kind: 'close' } as const])
      expect(packed(message)).to.equal(message);
  });
});
