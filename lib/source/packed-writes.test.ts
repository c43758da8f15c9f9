// Requests of many writes on their way to the simulation's thread.
import { expect } from 'chai';
import type { Write } from '../simulation/executive/request.js';
import { memoryOf, packed, Unpacker } from './packed-writes.js';
import type { ToSimulation } from './protocol.js';

const requestOf = (writes: readonly Write[]): ToSimulation => ({
  kind: 'request',
  id: 7,
  request: { kind: 'write', writes },
});

/** What arrives, message by message. */
function arriving(message: ToSimulation): readonly (ToSimulation | undefined)[] {
  const unpacker = new Unpacker();
  const memory = memoryOf(message);
  return packed(message, memory).map((sent) => unpacker.take(structuredClone(sent, { transfer: memory })));
}

describe('writes on their way to another thread', () => {
  it('arrive as they were, however many there are', () => {
    for (const count of [0, 1, 16, 17, 1000, 1001, 4321]) {
      const writes = Array.from({ length: count }, (_, k) => ({
        path: `o.x[${k}]`,
        value: [k, `${k}`, [1, null], BigInt(k)][k % 4] as Write['value'],
        ...(k % 3 > 0 && { catalogVersion: k }),
      }));
      const ofOneVersion = writes.map((write) => ({ ...write, catalogVersion: 5 }));
      for (const request of [requestOf(writes), requestOf(ofOneVersion)])
        expect(arriving(request).at(-1)).to.deep.equal(request);
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
    const arrived = arriving(request);
    expect([one.length, other.length]).to.deep.equal([0, 0]);
    expect(arrived).to.deep.equal([expected]);
  });

  it('go in one message when memory goes with them, which several may use', () => {
    const shared = new Float64Array(4000);
    const writes = Array.from({ length: 2000 }, (_, k) => ({
      path: `o.x[${k}]`,
      value: (k % 1999 === 0 ? shared : k) as Write['value'],
    }));
    const expected = structuredClone(requestOf(writes));
    expect(arriving(requestOf(writes))).to.deep.equal([expected]);
  });

  it('leave memory of which they use a part', () => {
    const part = new Float64Array(4000).subarray(0, 2000);
    const request = requestOf([{ path: 'o.x', value: part as unknown as Write['value'] }]);
    expect(memoryOf(request)).to.deep.equal([]);
    expect(memoryOf({ kind: 'close' })).to.deep.equal([]);
  });

  it('go as lists when there are many, and everything else goes as it is', () => {
    const many = requestOf(Array.from({ length: 10_000 }, (_, k) => ({ path: `o.x[${k}]`, value: k })));
    const sent = packed(many);
    expect(sent.map((part) => 'paths' in part && [part.paths.length, part.goesOn])).to.deep.equal(
      sent.map((_, part) => [1000, part < 9]),
    );
    expect(arriving(many)).to.deep.equal([...sent.slice(1).map(() => undefined), many]);
    for (const message of [requestOf([{ path: 'o.x', value: 1 }]), { kind: 'close' } as const])
      expect(packed(message)).to.deep.equal([message]);
  });

  it('of two requests are not mixed', () => {
    const of = (id: number, count: number): ToSimulation => ({
      kind: 'request',
      id,
      request: { kind: 'write', writes: Array.from({ length: count }, (_, k) => ({ path: `o.x[${k}]`, value: id })) },
    });
    const unpacker = new Unpacker();
    const requests = [of(1, 2500), of(2, 3), of(3, 1001)];
    const arrived = requests.flatMap((request) => packed(request).map((sent) => unpacker.take(sent)));
    expect(arrived.filter(Boolean)).to.deep.equal(requests);
  });
});
