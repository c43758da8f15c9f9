// What edges ask again, because the answer was lost.
import { expect } from 'chai';
import { SessionRegistry } from '../../serving/session/registry.js';
import { bodyOf } from '../../source/edge/carrier.js';
import { toJson } from '../../source/edge/wire-values.js';
import { TestBall } from '../../testing/aids/http-ball.js';
import { Answers, type Asker } from './answers.js';

const EPOCH = 7;
const MINUTE_MILLIS = 60_000;

describe('the answers to edges', () => {
  const ball = new TestBall();
  const session = new SessionRegistry(ball).create(
    { frontEnd: 'edge', peer: '127.0.0.1:1', transport: 'websocket' },
    { write: () => true, pendingBytes: 0 },
  );
  let nowMillis = 0;
  const answers = new Answers(EPOCH, () => nowMillis);
  const ask = async (id: number, value: number, others: object = {}, mayChange = true): Promise<string> => {
    const request = { kind: 'write', writes: [{ path: 'ball.position[1]', value }] };
    const asker: Asker = { session, mayChange, open: 0 };
    const text = toJson({ edge: 'one', id, epoch: EPOCH, request, ...others });
    return Buffer.from(bodyOf(await answers.to(asker, Buffer.from(text)))).toString();
  };

  it('are kept for a minute: what is asked again is done once, and answered with the same words', async () => {
    const first = await ask(1, 5);
    const { length } = ball.requests;
    nowMillis += MINUTE_MILLIS - 1;
    expect(await ask(1, 5)).to.equal(first);
    expect(ball.requests).to.have.length(length);
    expect(await ask(2, 6)).not.to.equal(first);
    expect(ball.requests).to.have.length(length + 1);
    nowMillis += 2;
    await ask(1, 5);
    expect(ball.requests).to.have.length(length + 2);
  });

  it('are refusals of what was meant for another run, of who may only read, and of what is no request', async () => {
    expect(await ask(10, 1, { epoch: EPOCH + 1 })).to.match(/has been started again/);
    expect(await ask(11, 1, {}, false)).to.match(/may only read/);
    expect(await ask(12, 1, { request: { kind: 'schedule' } })).to.match(/no request that an edge may make/);
    const gone = await ask(13, 1, { edge: 'x'.repeat(33) }).catch((error: Error) => error.message);
    expect(gone).to.equal('this is no edge');
  });
});
