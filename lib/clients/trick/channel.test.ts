// A text that fails takes the last question with it when the server reads both together: the question is asked again.
import { expect } from 'chai';
import { settled, TestLinks } from '../../testing/aids/client-link.js';
import { ManualClock } from '../../testing/aids/manual-clock.js';
import { Channel } from './channel.js';

describe('a channel', () => {
  /** A server that prints why a text failed, and leaves out so many answers to the last question. */
  async function open(dropped: number) {
    const clock = new ManualClock();
    let left = dropped;
    let asked = 0;
    const links = new TestLinks((line) => {
      if (line === 'bad') return '4 2 5\nwrong';
      if (line !== 'trick.var_send_list_size()') return undefined;
      asked++;
      return left-- > 0 ? '' : undefined;
    });
    const target = { transport: 'tcp', host: 'test', port: 1 } as const;
    const channel = await Channel.open({ target, timeoutMillis: 5000, clock, openLink: links.open });
    [left, asked] = [dropped, 0];
    return { clock, channel, askedTimes: () => asked };
  }

  it('asks again when the last question was dropped with a text that failed', async () => {
    const { clock, channel, askedTimes } = await open(1);
    const asking = channel.ask('bad\n', { mayFail: true });
    await settled();
    clock.advance(30);
    await settled();
    expect(askedTimes()).to.equal(1);
    clock.advance(1000);
    await settled();
    expect(askedTimes()).to.equal(2);
    expect(await asking).to.deep.equal([{ kind: 'stdio', indicator: 4, stream: 'stderr', text: 'wrong' }]);
    expect(clock.pending).to.equal(0);
  });

  it('asks once when it is answered', async () => {
    const { clock, channel, askedTimes } = await open(0);
    const asking = channel.ask('bad\n', { mayFail: true });
    await settled();
    clock.advance(30);
    await asking;
    clock.advance(5000);
    expect([askedTimes(), clock.pending]).to.deep.equal([1, 0]);
  });
});
