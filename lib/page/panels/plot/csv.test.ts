import { expect } from 'chai';
import { csvText, historyCsv } from './csv.js';
import { ShownSamples } from './shown-samples.js';

const POSITION = { alias: 'ball.position[0]', unit: 'm' };

describe('the CSV of a plot', () => {
  it('has time first, units in braces, and the rows of the window', () => {
    const samples = new ShownSamples(2);
    for (let k = 0; k < 5; k++) samples.add(k / 10, [k, k === 2 ? Number.NaN : -k]);
    const text = csvText([POSITION, { alias: 'mode', unit: '' }], samples, 0.1, 0.3);
    expect(text).to.equal('time {s},ball.position[0] {m},mode {1}\n0.1,1,-1\n0.2,2,\n0.3,3,-3\n');
  });

  it('says the least and the most where samples were thinned', () => {
    const samples = new ShownSamples(1, 4);
    for (let k = 0; k < 8; k++) samples.add(k, [k]);
    const [head, first] = csvText([POSITION], samples, 0, 9).split('\n');
    expect(head).to.equal('time {s},ball.position[0] min {m},ball.position[0] max {m}');
    expect(first).to.equal('0,0,3');
  });

  it('of a history leaves cells empty where a variable has no point of its own', () => {
    const text = historyCsv(
      [POSITION, { alias: 'mode', unit: '' }, { alias: 'gone', unit: 's' }],
      [{ times: [0, 2], values: [1, 'NaN'] }, { times: [0, 1], values: [5, null] }, undefined],
    );
    expect(text).to.equal('time {s},ball.position[0] {m},mode {1},gone {s}\n0,1,5,\n1,,,\n2,,,\n');
  });

  it('quotes names with commas, and lets no name start a formula', () => {
    const head = csvText([{ alias: '=a,b', unit: 'm' }], new ShownSamples(1), 0, 1);
    expect(head).to.equal(`time {s},"'=a,b {m}"\n`);
  });
});
