import { expect } from 'chai';
import { colourStops } from './limit-stroke.js';

const COLOURS = { normal: 'n', warning: 'w', alarm: 'a' };
/** A plot from 10 down to 0. */
const placeOf = (value: number): number => 1 - value / 10;
const stops = (limits: object): string =>
  colourStops(limits, COLOURS, placeOf)
    .map(({ offset, colour }) => `${offset}${colour}`)
    .join(' ');

describe('the stroke of a line with limits', () => {
  it('has the colour of each stretch between them', () => {
    expect(stops({ lowAlarm: 0, lowWarning: 2.5, highWarning: 7.5, highAlarm: 10 })).to.equal(
      '0a 0w 0.25w 0.25n 0.75n 0.75w 1w 1a',
    );
    expect(stops({ highAlarm: 5 })).to.equal('0.5a 0.5n');
    expect(stops({ lowAlarm: 5 })).to.equal('0.5n 0.5a');
    expect(stops({})).to.equal('');
  });

  it('is of one colour when a limit lies beyond the plot', () => {
    expect(stops({ highAlarm: 50 })).to.equal('0a 0n');
    expect(stops({ highAlarm: -50 })).to.equal('1a 1n');
  });
});
