// Calls that would take long to decode are refused before.
import { expect } from 'chai';
import { simulation } from '../../../simulation/executive/simulation.js';
import { KrpcFixture } from '../../../testing/aids/krpc-server.js';
import { framed } from '../schema/frame-splitter.js';

const BOX = simulation({ name: 'box', frameSeconds: 0.01 }, () => {});
const COUNT = 300_000;

describe('a call of many small fields', () => {
  let fixture: KrpcFixture;
  beforeEach(async () => {
    fixture = await KrpcFixture.start(BOX);
  });
  afterEach(() => fixture.close());

  const field = (tag: number, bytes: Uint8Array) => Buffer.concat([Buffer.from([tag]), framed(bytes)]);
  const many = (...one: readonly number[]) => Buffer.alloc(one.length * COUNT, Buffer.from(one));

  async function refusal(body: Uint8Array): Promise<string | undefined> {
    const client = fixture.connect();
    client.calls.send(Buffer.from(framed(field(0x0a, body))));
    return (await client.answer()).results[0]?.error?.description;
  }

  for (const [what, ...bytes] of [
    ['names', 0x0a, 1, 0x41],
    ['numbers', 0x20, 1],
    ['unknown fields', 0x78, 1],
  ] as const)
    it(`is refused: ${what}`, async () => {
      expect(await refusal(many(...bytes))).to.equal('a call may have 1000 arguments, and 16 other fields');
    });

  it('is refused: fields of one argument', async () => {
    expect(await refusal(field(0x1a, many(0x12, 0)))).to.equal('an argument of a call may have 16 fields');
  });
});
