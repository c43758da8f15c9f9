// A feed that clients can play: what they may ask, what its owner is told, and what the frames say.
import { expect } from 'chai';
import { Mode, Reason } from '../model/frame/header.js';
import { double } from '../model/state/declare.js';
import type { OverlayHost } from '../simulation/executive/overlay.js';
import type { Control } from '../simulation/executive/request.js';
import { FeedSource } from './feed.js';
import type { Playback } from './feed-playback.js';
import { RequestError } from './source.js';

/** A recording from 10 to 20 s that notes what it is told; a seek publishes. */
function start(more: Partial<Playback> = {}) {
  const told: (string | number)[] = [];
  const clock = { millis: 0 };
  let host!: OverlayHost;
  const source: FeedSource = new FeedSource(
    {
      name: 'flight',
      what: 'a recording',
      frameSeconds: 0.5,
      playback: {
        firstSeconds: 10,
        lastSeconds: 20,
        seek: (seconds) => {
          told.push('seek', seconds);
          source.publish(seconds);
        },
        run: (rate) => void told.push('run', rate),
        freeze: () => void told.push('freeze'),
        ...more,
      },
    },
    (objects) => void objects.object('o').component('x', double()),
    [
      (given) => {
        host = given;
        return {};
      },
    ],
    () => clock.millis,
  );
  source.onFrame(() => undefined);
  const control = (wish: Control) => source.submit({ kind: 'control', control: wish });
  const refusal = async (wish: Control): Promise<string> => {
    const error: unknown = await control(wish).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).to.be.instanceOf(RequestError);
    return (error as Error).message;
  };
  return { source, told, control, refusal, clock, host };
}

describe('a feed that is played', () => {
  it('says that it can be, how far it reaches, and that it keeps to a clock', () => {
    const { source, host } = start();
    expect(source.abilities).to.include({ playback: true, control: false, write: false });
    expect(source.playback).to.deep.equal({ firstSeconds: 10, lastSeconds: 20 });
    expect(source.frame.header.clockRatio).to.equal(1);
    expect(host.clockwork.isRealTime).to.equal(true);
  });

  it('freezes, goes on, and goes to another time, back too', async () => {
    const { source, told, control } = start();
    const reasons: Reason[] = [];
    source.onFrame(({ header }) => reasons.push(header.reason));
    const { frame } = await control({ action: 'freeze' });
    expect([frame, source.frame.header.mode]).to.deep.equal([2, Mode.freeze]);
    await control({ action: 'seek', toSeconds: 15 });
    expect([source.frame.timeSeconds, source.frame.header.mode]).to.deep.equal([15, Mode.freeze]);
    // Freeze frames are for all clients, also for those that were not shown the last tick.
    expect(reasons).to.deep.equal([Reason.freeze, Reason.freeze, Reason.request]);
    await control({ action: 'run' });
    await control({ action: 'seek', toSeconds: 10 });
    expect([source.frame.timeSeconds, source.frame.header.mode]).to.deep.equal([10, Mode.run]);
    expect(told).to.deep.equal(['freeze', 'seek', 15, 'run', 1, 'seek', 10]);
  });

  it('goes backwards where its owner can, which is no jump of time', async () => {
    const { control, refusal, source, told } = start({
      isReversible: true,
      step: (rows) => void told.push('step', rows),
    });
    await control({ action: 'clock-ratio', ratio: -2 });
    source.publish(15);
    source.publish(14);
    expect([source.frame.timeSeconds, source.frame.header.jumps, source.frame.header.clockRatio]).to.deep.equal([
      14, 0, -2,
    ]);
    await control({ action: 'step', frames: -3 });
    expect(told).to.deep.equal(['run', -2, 'step', -3]);
    expect(await refusal({ action: 'clock-ratio', ratio: 0 })).to.equal(
      'the rate of a playback is a number from 0.001 to 1000, or from -1000 to -0.001, not 0',
    );
    const other = start({ step: () => undefined });
    expect(await other.refusal({ action: 'clock-ratio', ratio: -1 })).to.equal(
      'the rate of a playback is a number from 0.001 to 1000, not -1',
    );
    expect(await other.refusal({ action: 'step', frames: -1 })).to.equal('this playback does not step back');
  });

  it('counts in its frames how often time was set to another, by a client or its owner, and no refused seek', async () => {
    const { source, control, refusal } = start();
    source.publish(10.5);
    expect(source.frame.header.jumps).to.equal(0);
    await control({ action: 'seek', toSeconds: 15 });
    await refusal({ action: 'seek', toSeconds: 30 });
    source.publish(15.5);
    expect(source.frame.header.jumps).to.equal(1);
    source.publish(11);
    expect(source.frame.header.jumps).to.equal(2);
  });

  it('changes its rate, at once while it runs, and else when it does', async () => {
    const { source, told, control } = start();
    await control({ action: 'clock-ratio', ratio: 2 });
    await control({ action: 'freeze' });
    await control({ action: 'clock-ratio', ratio: 0.5 });
    expect(source.frame.header.clockRatio).to.equal(0.5);
    await control({ action: 'run' });
    expect(told).to.deep.equal(['run', 2, 'freeze', 'run', 0.5]);
  });

  it('measures its pace anew after a jump', async () => {
    const { source, control, clock, host } = start();
    const run = (from: number): void => {
      for (let k = 0; k < 6; k++) {
        source.publish(from + k);
        clock.millis += 500;
      }
    };
    run(10);
    expect(host.clockwork.actualRatio).to.equal(2);
    await control({ action: 'seek', toSeconds: 20 });
    run(10);
    expect(host.clockwork.actualRatio).to.equal(2);
  });

  it('leaves time to others when its owner takes long', async () => {
    let seeks = 0;
    const { source, clock } = start({
      seek: () => {
        seeks++;
        clock.millis += 1;
      },
    });
    const seek = { kind: 'control', control: { action: 'seek', toSeconds: 15 } } as const;
    const asked = Array.from({ length: 20 }, () => source.submit(seek));
    await Promise.resolve();
    expect(seeks).to.equal(2);
    await Promise.all(asked);
    expect(seeks).to.equal(20);
  });

  it('stands still when its owner says so', () => {
    const { source } = start();
    source.publish(20);
    source.freeze();
    expect([source.frame.header.mode, source.frame.timeSeconds]).to.deep.equal([Mode.freeze, 20]);
    source.finish('over');
    expect(source.frame.header.mode).to.equal(Mode.exit);
  });

  it('may come to its end in the moment in which it is told to run', async () => {
    const { source, control } = start({ run: () => source.freeze() });
    await control({ action: 'run' });
    expect(source.frame.header.mode).to.equal(Mode.freeze);
  });

  const refused: readonly [Control, string][] = [
    [{ action: 'seek', toSeconds: 20.5 }, 'times here are from 10 to 20 s; there is no 20.5 s'],
    [{ action: 'seek', toSeconds: Number.NaN }, 'times here are from 10 to 20 s; there is no NaN s'],
    [{ action: 'clock-ratio', ratio: 1e6 }, 'the rate of a playback is a number from 0.001 to 1000, not 1000000'],
    [{ action: 'freeze', atSeconds: 12 }, 'a playback freezes at once: run it to that time, or seek there'],
    [{ action: 'step', frames: 1 }, 'this playback has no rows to step by'],
    [
      { action: 'terminate', code: 0, reason: 'x' },
      'this source can only run, freeze, step, change its rate and seek: it is a recording',
    ],
  ];
  for (const [wish, sentence] of refused) {
    it(`refuses ${JSON.stringify(wish)} with one sentence, and changes nothing`, async () => {
      const { source, told, refusal } = start();
      expect(await refusal(wish)).to.equal(sentence);
      expect([told, source.frame.header.number, source.frame.header.mode]).to.deep.equal([[], 1, Mode.run]);
    });
  }

  it('refuses with its owner’s sentence, and stays as it was', async () => {
    const { source, control, refusal } = start({
      run: () => {
        throw new Error('the tape is torn');
      },
    });
    await control({ action: 'freeze' });
    expect(await refusal({ action: 'run' })).to.equal('the tape is torn');
    expect(source.frame.header.mode).to.equal(Mode.freeze);
    await control({ action: 'clock-ratio', ratio: 2 });
    expect(source.frame.header.clockRatio).to.equal(2);
  });

  it('is no other feed: that one goes to no other time, and never freezes', async () => {
    const source = new FeedSource({ name: 'tank', frameSeconds: 1 }, () => undefined, []);
    const seek = source.submit({ kind: 'control', control: { action: 'seek', toSeconds: 1 } });
    expect(((await seek.catch((error: unknown) => error)) as Error).message).to.equal(
      'this source goes to no other time: it is a feed',
    );
    expect(() => source.freeze()).to.throw(Error, 'a feed without playback never freezes');
    expect(source.playback).to.equal(undefined);
  });
});
