// Where two recordings differ.
import { expect } from 'chai';
import { recordingsHere } from '../../testing/aids/recordings-here.js';
import { compare } from './compare.js';

const EXACTLY = { absolute: 0, relative: 0 };

describe('two recordings', () => {
  const here = recordingsHere();
  const compared = (one: string, other: string, tolerance = EXACTLY) =>
    compare(here.of('one.csv', one), here.of('other.csv', other), tolerance);

  it('are the same when all values are, NaN too', () => {
    const text = 'time,x,n\n0,nan,1\n1,2,3\n';
    const { rows, alone, variables, differences, unlike } = compared(text, text);
    expect({ rows, alone, variables, differences, unlike }).to.deep.equal({
      rows: 2,
      alone: [0, 0],
      variables: 2,
      differences: [],
      unlike: [],
    });
  });

  it('differ first and most at certain times', () => {
    const { differences } = compared('time,x,y\n0,1,5\n1,2,5\n2,3,5\n', 'time,x,y\n0,1,5\n1,2.5,5\n2,5,5\n');
    expect(differences).to.deep.equal([
      {
        name: 'x',
        rows: 2,
        first: { seconds: 1, values: [2, 2.5], by: 0.5 },
        largest: { seconds: 2, values: [3, 5], by: 2 },
      },
    ]);
  });

  it('may differ by a tolerance', () => {
    const texts = ['time,x\n0,100\n', 'time,x\n0,101\n'] as const;
    expect(compared(...texts, { absolute: 0.9, relative: 0 }).differences).to.have.length(1);
    expect(compared(...texts, { absolute: 1, relative: 0 }).differences).to.have.length(0);
    expect(compared(...texts, { absolute: 0, relative: 0.01 }).differences).to.have.length(0);
  });

  it('differ without a distance in NaN, infinity and text', () => {
    const { differences } = compared('time,x,y,z\n0,nan,inf,ab\n', 'time,x,y,z\n0,1,1,ac\n', {
      absolute: 9,
      relative: 0,
    });
    expect(differences.map(({ name, largest }) => [name, largest.by])).to.deep.equal([
      ['x', Number.POSITIVE_INFINITY],
      ['y', Number.POSITIVE_INFINITY],
      ['z', Number.POSITIVE_INFINITY],
    ]);
  });

  it('tell integers apart that are the same as doubles', () => {
    const { differences } = compared('time,n\n0,9007199254740993\n', 'time,n\n0,9007199254740995\n');
    expect(differences[0]?.largest).to.deep.equal({
      seconds: 0,
      values: [9007199254740993n, 9007199254740995n],
      by: 2,
    });
  });

  it('are compared at the times that both have, also at equal ones', () => {
    const { rows, alone, differences } = compared(
      'time,x\n0,1\n1,2\n1,3\n3,4\n',
      'time,x\n-1,0\n1.0000000001,2\n1,3\n2,0\n3,4\n4,4\n',
    );
    expect([rows, alone, differences]).to.deep.equal([3, [1, 3], []]);
  });

  it('say which variables cannot be compared', () => {
    const { unlike, variables } = compared('time,x {m},y,z {1}\n0,1,2,3\n', 'time,x {ft},w,z\n0,1,2,3\n');
    expect(variables).to.equal(1);
    expect(unlike.map((sentence) => sentence.replaceAll(/\S*\/(?=\w+\.csv)/g, ''))).to.deep.equal([
      'x is in m, and in ft in other.csv',
      'y is only in one.csv',
      'w is only in other.csv',
    ]);
  });
});
