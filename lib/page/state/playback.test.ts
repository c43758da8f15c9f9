import { signal } from '@preact/signals';
import { expect } from 'chai';
import type { SimStatus } from '../data/server.js';
import type { PageState } from './page-state.js';
import { Playback } from './playback.js';

const STATUS = {
  sim_time: { sec_si: 1012, label: 'UTC' },
  elapsed_sec: 12,
  playback: { first_sec: 10, last_sec: 20 },
} as unknown as SimStatus;

/** A server whose clock begins at 1000 s, and which answers when a test says so. */
function setUp() {
  const status = signal<SimStatus | undefined>(STATUS);
  const time = signal<number | undefined>(1012);
  const asked: unknown[] = [];
  const waiting: (() => void)[] = [];
  const call = (method: string, params: object) => {
    asked.push(method, params);
    return new Promise<void>((resolve) => waiting.push(resolve));
  };
  const attempt = async (work: () => Promise<unknown>): Promise<void> => void (await work());
  const playback = new Playback({ server: { status, time, call }, attempt } as unknown as PageState);
  const answer = async (): Promise<void> => {
    waiting.shift()?.();
    for (let turn = 0; turn < 5; turn++) await Promise.resolve();
  };
  return { playback, status, time, asked, answer };
}

describe('the playback of a recording', () => {
  it('shows where it is in its own time, whatever its clock shows', () => {
    const { playback, time } = setUp();
    expect(playback.position.value).to.equal(12);
    time.value = 1015.5;
    expect(playback.position.value).to.equal(15.5);
    time.value = 2000;
    expect(playback.position.value).to.equal(20);
  });

  it('asks for the last place of a drag, one at a time, and stays there until it has come', async () => {
    const { playback, time, asked, answer } = setUp();
    for (const seconds of [13, 14, 99]) playback.seek(seconds);
    expect(asked).to.deep.equal(['sim/seek', { to_sec: 13 }]);
    expect(playback.position.value).to.equal(20);
    await answer();
    expect(asked.slice(2)).to.deep.equal(['sim/seek', { to_sec: 20 }]);
    time.value = 1020;
    await answer();
    expect(asked).to.have.length(4);
    time.value = 1011;
    expect(playback.position.value).to.equal(11);
  });

  it('is none of a simulation', () => {
    const { playback, status } = setUp();
    status.value = { ...STATUS, playback: undefined } as unknown as SimStatus;
    expect(playback.reach.value).to.equal(undefined);
  });
});
