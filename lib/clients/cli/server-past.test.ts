import { expect } from 'chai';
import { type HistoryWish, PastReader } from './server-past.js';

/** A past of rows at whole seconds, of which every value is kept from some time on: before, every tenth. */
function pastOf(rows: number, wholeSince: number) {
  const kept = Array.from({ length: rows }, (_, time) => time).filter((time) => time >= wholeSince || time % 10 === 0);
  let asked = 0;
  const ask = async ({ from = 0, to = 0, points }: HistoryWish) => {
    asked++;
    const all = kept.filter((time) => time >= from && time <= to);
    const step = Math.ceil(all.length / points);
    const times = all.filter((_, at) => at % step === 0);
    const isThinned = step > 1 || (times[0] ?? 0) < wholeSince;
    return {
      sim_time: { sec_si: rows - 1 },
      series: {
        x: {
          times,
          values: times.map((time) => -time),
          whole_since: wholeSince,
          stretch_sec: isThinned ? 10 * step : 0,
        },
      },
    };
  };
  return { kept, ask, asked: () => asked };
}

describe('the past of a server', () => {
  it('is read by stretches until every row is there, once', async () => {
    const { kept, ask, asked } = pastOf(45_000, 0);
    const reader = new PastReader(ask);
    const { times, values } = await reader.read('x', 44_999);
    expect(times).to.deep.equal(kept);
    expect(values).to.deep.equal(kept.map((time) => -time));
    expect(reader.faults).to.deep.equal([]);
    expect(asked()).to.be.lessThan(30);
  });

  it('has what is left of the time before every value is kept, and tells since when that is', async () => {
    const { kept, ask } = pastOf(3000, 1000);
    const reader = new PastReader(ask);
    expect((await reader.read('x', 2999)).times).to.deep.equal(kept);
    expect(reader.faults).to.deep.equal([
      'before 1000 s only the least and the greatest value of each stretch are kept',
    ]);
  });
});
