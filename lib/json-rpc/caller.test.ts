// Which pieces of a client's work are known to be long.
import { expect } from 'chai';
import type { Account } from '../scheduling/account.js';
import { LONG_MESSAGE_BYTES, type Turns } from '../scheduling/turns.js';
import { callerOfRequest, givesWay, type Pieces, whileThere } from './caller.js';
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

  it('is long from the start when a request is long, or was sent before the last answer', async () => {
    const first = async (bytes: number, isBehind: boolean): Promise<boolean | undefined> => {
      let seen: boolean | undefined;
      const run = async (_: Account, __: unknown, isLong?: boolean) => {
        seen = isLong;
      };
      const request = { isBehind, onClose: () => undefined };
      const caller = callerOfRequest({} as Account, request, bytes, { run } as unknown as Turns, () => true);
      await caller.inTurns(function* () {
        yield;
      });
      return seen;
    };
    expect(await first(LONG_MESSAGE_BYTES, false)).to.equal(false);
    expect(await first(LONG_MESSAGE_BYTES + 1, false)).to.equal(true);
    expect(await first(10, true)).to.equal(true);
  });

  it('is short again when its count is', async () => {
    const pieces = { count: 0 };
    givesWay(pieces);
    expect(await longOf(1, pieces)).to.equal('L');
    pieces.count = 0;
    expect(await longOf(1, pieces)).to.equal('s');
  });
});
