import { expect } from 'chai';
import type { Server, VariableFacts } from '../../data/server.js';
import type { HistorySeries } from '../plot/history-rows.js';
import { pastFile } from './past-file.js';

/** A server that remembers these. */
function serverWith(series: Readonly<Record<string, HistorySeries>>, dim: readonly number[] = []) {
  const asked: object[] = [];
  const server = {
    facts: async (alias: string) => ({ alias, unit: 'm', dim }) as unknown as VariableFacts,
    call: async (_: string, params: object) => {
      asked.push(params);
      return { series };
    },
  } as unknown as Pick<Server, 'call' | 'facts'>;
  return { server, asked };
}

const refusal = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'it was made',
    (error: Error) => error.message,
  );

describe('the past as a file', () => {
  it('has each element of an array, with its unit, and says since when', async () => {
    const series = { 'p[0]': { times: [1, 2], values: [10, 20] }, 'p[1]': { times: [1, 2], values: [11, 21] } };
    const { server, asked } = serverWith(series, [2]);
    const { text, since } = await pastFile(server, ['p']);
    expect(text).to.equal('time {s},p[0] {m},p[1] {m}\n1,10,11\n2,20,21\n');
    expect(since).to.equal(1);
    expect(asked).to.deep.equal([{ aliases: ['p[0]', 'p[1]'], points: 10_000, lenient: true }]);
  });

  it('asks for fewer points of each variable, the more there are', async () => {
    const { server, asked } = serverWith({ 'p[0]': { times: [1, 2], values: [1, 2] } }, [200]);
    await pastFile(server, ['p']);
    expect(asked[0]).to.have.property('points', 2000);
  });

  it('is refused with a sentence where nothing is remembered, and for too much', async () => {
    expect(await refusal(pastFile(serverWith({ p: { times: [1], values: [1] } }).server, ['p']))).to.match(
      /remembers nothing of these variables yet/,
    );
    expect(await refusal(pastFile(serverWith({}, [201]).server, ['p']))).to.match(/at most 200 numbers/);
    expect(await refusal(pastFile(serverWith({}, [0]).server, ['p']))).to.match(/no fixed number of elements/);
  });
});
