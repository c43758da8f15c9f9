// The log tells whose work waits for that of all others.
import { expect } from 'chai';
import { Ledger } from './account.js';
import { TurnTime } from './turn-time.js';
import { Turns } from './turns.js';

describe('a client that has used nearly all the time', () => {
  it('is told of once in ten seconds, when its work waits', () => {
    let now = 0;
    const said: string[] = [];
    const clock = { nowMillis: () => now, after: () => () => undefined };
    const ledger = new Ledger(clock, undefined, (who, sentence) => said.push(`${who}: ${sentence}`));
    const turns = new Turns(
      new TurnTime(
        () => undefined,
        () => now,
      ),
    );
    const [busy, calm] = [ledger.open('10.0.0.1:5'), ledger.open('10.0.0.2:5')];
    const wait = (client: typeof busy): void => turns.resume(client, () => undefined);
    calm.spend(500);
    busy.spend(600);
    wait(calm);
    expect(said).to.deep.equal([]);
    for (let round = 0; round < 3; round++) wait(busy);
    const sentence = '10.0.0.1:5: it has computed most of the last second, so its work comes after that of others';
    expect(said).to.deep.equal([sentence]);
    now = 10_000;
    busy.spend(600);
    wait(busy);
    expect(said).to.deep.equal([sentence, sentence]);
    expect(ledger.cameLast).to.equal(4);
  });
});
