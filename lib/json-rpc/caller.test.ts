// Which pieces of a client's work are known to be long.
import { expect } from 'chai';
import { behind, type Pieces, whileThere } from './caller.js';
import { Presence } from './presence.js';

describe('the work of a caller', () => {
  const longOf = async (count: number, pieces?: Pieces): Promise<string> => {
    let seen = '';
    const inTurns = whileThere(
      async (_, isLong) => {
        seen += isLong ? 'L' : 's';
        return undefined as never;
      },
      new Presence(),
      pieces,
    );
    for (let k = 0; k < count; k++)
      await inTurns(function* () {
        yield;
      });
    return seen;
  };

  it('is long after a few pieces', async () => {
    expect(await longOf(8)).to.equal('ssssssLL');
  });

  it('is long from the start when it was asked for before the last answer', async () => {
    expect(await longOf(2, behind())).to.equal('LL');
  });

  it('is short again when its count is', async () => {
    const pieces = behind();
    expect(await longOf(1, pieces)).to.equal('L');
    pieces.count = 0;
    expect(await longOf(1, pieces)).to.equal('s');
  });
});
