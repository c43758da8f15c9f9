// Datagrams leave in turns, whoever sends them.
import { expect } from 'chai';
import { DatagramPace } from './datagram-pace.js';

describe('datagrams', () => {
  let now: number;
  let later: (() => void) | undefined;
  let sent: string;
  let pace: DatagramPace;

  beforeEach(() => {
    [now, later, sent] = [0, undefined, ''];
    pace = new DatagramPace(
      (call) => {
        expect(later).to.equal(undefined);
        later = call;
      },
      () => now,
    );
  });

  const burst = (name: string, count: number) => {
    const one = {
      left: count,
      sendNext: () => {
        if (one.left === 0) return false;
        now += 0.25;
        sent += name;
        return --one.left > 0;
      },
    };
    return one;
  };
  const turn = (): string => {
    sent = '';
    const call = later;
    later = undefined;
    call?.();
    return sent;
  };

  it('leave at once, for a millisecond of a turn', () => {
    for (let k = 0; k < 6; k++) pace.send(burst('a', 1));
    expect([sent, turn(), turn()]).to.deep.equal(['aaaa', 'aa', '']);
    pace.send(burst('b', 1));
    expect(sent).to.equal('b');
  });

  it('of several bursts leave by turns, and one that comes later does not wait for their ends', () => {
    pace.send(burst('a', 9));
    pace.send(burst('b', 9));
    expect([sent, turn(), turn()]).to.deep.equal(['a', 'abab', 'abab']);
    pace.send(burst('c', 1));
    expect([turn(), turn(), turn(), turn(), later]).to.deep.equal(['abca', 'baba', 'bb', '', undefined]);
  });
});
