import { expect } from 'chai';
import { SlowNews } from './slow-news.js';

/** A clock that moves when told. */
class Clock {
  millis = 0;
  private calls: { readonly at: number; readonly call: () => void }[] = [];
  readonly nowMillis = (): number => this.millis;
  readonly after = (millis: number, call: () => void): void => void this.calls.push({ at: this.millis + millis, call });

  advance(millis: number): void {
    this.millis += millis;
    const due = this.calls.filter(({ at }) => at <= this.millis);
    this.calls = this.calls.filter(({ at }) => at > this.millis);
    for (const { call } of due) call();
  }
}

describe('slow news', () => {
  it('are told eight times a second, all at once, however often they come', () => {
    const clock = new Clock();
    let together = 0;
    const news = new SlowNews(clock, (tell) => {
      together++;
      tell();
    });
    const counts = [0, 0, 0];
    const tells = counts.map((_, k) => () => void counts[k]!++);
    for (let k = 0; k < 200; k++) {
      for (const tell of tells) news.request(tell);
      clock.advance(5);
    }
    expect(counts).to.deep.equal([together, together, together]);
    expect(together).to.be.within(7, 9);
  });

  it('are told soon after a quiet time, and not to one that has gone', () => {
    const clock = new Clock();
    const news = new SlowNews(clock);
    let count = 0;
    const tell = (): void => void count++;
    news.request(tell);
    clock.advance(0);
    expect(count).to.equal(1);
    news.request(tell);
    news.cancel(tell);
    clock.advance(1000);
    expect(count).to.equal(1);
  });
});
