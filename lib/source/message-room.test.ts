// What a simulation says is bounded on its way to the server.
import { expect } from 'chai';
import { MessageRoom } from './message-room.js';
import type { SimMessage } from './source.js';

describe('what a simulation says', () => {
  let now: number;
  let sent: SimMessage[];
  let room: MessageRoom;

  beforeEach(() => {
    [now, sent] = [0, []];
    room = new MessageRoom(
      () => now,
      (message) => sent.push(message),
    );
  });

  const say = (count: number, text = 'x'): void => {
    for (let k = 0; k < count; k++) room.say({ level: 'normal', text, timeSeconds: k });
  };
  const leftOut = (): string[] => sent.filter(({ level }) => level === 'warning').map(({ text }) => text);

  it('reaches the server, thousands of messages at once too', () => {
    say(4_000);
    room.end();
    expect([sent.length, leftOut()]).to.deep.equal([4_000, []]);
  });

  it('is bounded when a job says something half a million times a second, and what was left out is told', () => {
    for (now = 0; now < 2000; now++) say(500);
    expect(sent.length).to.be.within(6_000, 7_500);
    expect(leftOut().length).to.be.within(1, 10);
    room.end();
    const counts = leftOut().map((text) => Number.parseInt(text, 10));
    const told = counts.reduce((sum, count) => sum + count, 0);
    expect(told + sent.length - counts.length).to.equal(1_000_000);
    sent.length = 0;
    now += 10_000;
    say(4_000);
    expect([sent.length, leftOut()]).to.deep.equal([4_000, []]);
  });

  it('is bounded in characters, and one message may have more than that', () => {
    say(20, 'x'.repeat(1024 * 1024));
    expect(sent.length).to.be.within(4, 5);
    sent.length = 0;
    now += 10_000;
    say(3, 'x'.repeat(20_000_000));
    expect(sent.map(({ text }) => text.length)).to.deep.equal([leftOut()[0]?.length, 20_000_000]);
  });
});
