// Values on the command line of runs without a server, and the line that says how far they have come.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { RandomStream } from '../../index.js';
import { progressLine } from './progress-line.js';
import { parseDraws, parseSettings, settledText } from './settings.js';

describe('settings', () => {
  it('are numbers, truth values, lists and text', () => {
    const settings = ['a.b=1.5', 'c[2]=-3e2', 'd=true', 'e=ENTRY', 'f=[1, [2, 3]]', 'g=', 'h=-inf', 'i=a=b', 'j= 7 '];
    expect(parseSettings([...settings, 'k=12345678901234567890'])).to.deep.equal({
      'a.b': 1.5,
      'c[2]': -300,
      d: true,
      e: 'ENTRY',
      f: [1, [2, 3]],
      g: '',
      h: Number.NEGATIVE_INFINITY,
      i: 'a=b',
      j: 7,
      k: 12345678901234567890n,
    });
    expect(parseSettings(['o.angle{degree/s}=30'])).to.deep.equal({ 'o.angle{degree/s}': 30 });
    expect(parseSettings(['n=nan'])).to.deep.equal({ n: Number.NaN });
  });

  it('are refused in one sentence', () => {
    for (const setting of ['a', '=1', '1a=2', 'a b=1', 'a{=1', 'a{}=1', '{m}=1'])
      expect(() => parseSettings([setting])).to.throw(`--set takes ball.height=3, not ${setting}`);
    expect(() => parseSettings(['a=[1,']), 'list').to.throw('[1, is no list such as [1, 2, 3]');
  });

  it('draw from distributions', () => {
    const random = new RandomStream(Uint32Array.of(1, 2, 3, 4));
    const draw = parseDraws([
      'u=uniform(2, 3)',
      'n=normal(5,0)',
      'i=integer(4,4)',
      'p=poisson(0)',
      'v=uniform(-1e3,-1e2)',
    ]);
    const { u, n, i, p, v } = draw(random, 0) as Record<string, number>;
    expect(u).to.be.within(2, 3);
    expect([n, i, p]).to.deep.equal([5, 4, 0]);
    expect(v).to.be.within(-1000, -100);
  });

  it('are drawn again where they are outside their bounds', () => {
    const random = new RandomStream(Uint32Array.of(1, 2, 3, 4));
    const draw = parseDraws(['n=normal(0, 10, -1, 2)', 'm=normal(0, 1, 0, inf)', 'z=normal(0, 1, 50, 51)']);
    expect(() => draw(random, 0)).to.throw('of 10000 values of normal(0, 1) none is from 50 to 51');
    const { n, m } = parseDraws(['n=normal(0, 10, -1, 2)', 'm=normal(0, 1, 0, inf)'])(random, 0) as Record<
      string,
      number
    >;
    expect(n).to.be.within(-1, 2);
    expect(m).to.be.at.least(0);
    for (const draw of ['normal(0, 1, 3, 2)', 'uniform(3, 2)', 'integer(3, 2)'])
      expect(() => parseDraws([`n=${draw}`]), draw).to.throw('with low below high, not 3, 2');
  });

  it('are taken from a file, a line for each run', () => {
    const directory = mkdtempSync(join(tmpdir(), 'varwire-values-'));
    const file = join(directory, 'values.txt');
    writeFileSync(file, '# made by hand\na; b\n 1.5; 2\n\n3; x\n');
    const random = new RandomStream(Uint32Array.of(1, 2, 3, 4));
    const draw = parseDraws([`a=file(${file})`, `b=file(${file}, b)`]);
    expect([draw(random, 0), draw(random, 1)]).to.deep.equal([
      { a: 1.5, b: 2 },
      { a: 3, b: 'x' },
    ]);
    expect(() => draw(random, 2)).to.throw('has no value for run 2: it has 2 lines of values');
    expect(() => parseDraws([`a=file(${file}, c)`])).to.throw('has no column c');
    expect(() => parseDraws([`a=file(${file}, 3)`])).to.throw('has no column 3');
    expect(() => parseDraws([`a=file(${directory})`])).to.throw('cannot be read');
    rmSync(directory, { recursive: true });
  });

  for (const text of ['gauss(1,2)', 'normal(1)', 'normal(1,2,3)', 'poisson(1,2)', 'normal(a,b)', 'uniform', '3', '']) {
    it(`does not draw from ${text || 'nothing'}`, () => {
      expect(() => parseDraws([`a=${text}`])).to.throw('--vary takes uniform(low, high), normal(mean, deviation)');
    });
  }

  it('are shown in one line', () => {
    expect(settledText({ a: [1, 2n, true], b: { c: 'x\x1b[2J' }, d: null })).to.equal(
      '{a: [1, 2, true], b: {c: x\\x1b[2J}, d: null}',
    );
  });
});

describe('the progress of a Monte Carlo', () => {
  const progress = (done: number, failed = 0) => ({
    done,
    failed,
    runs: 20,
    runsPerSecond: 2,
    remainingSeconds: 10 - done / 2,
  });

  it('is one line on a terminal, not written more often than a person reads', () => {
    const written: string[] = [];
    let millis = 0;
    const line = progressLine({ isTTY: true, write: (text) => written.push(text) }, () => millis);
    for (let done = 1; done <= 20; done++) {
      millis += 30;
      line.show(progress(done, 1));
    }
    line.end();
    expect(written[0]).to.equal('\r[#...................] 1 of 20 runs, 2 a second, 1 failed, 10 s left\x1b[K');
    expect(written.at(-2)).to.equal('\r[####################] 20 of 20 runs, 2 a second, 1 failed\x1b[K');
    expect(written.at(-1)).to.equal('\n');
    expect(written).to.have.length.within(6, 8);
  });

  it('is a line at each tenth elsewhere', () => {
    const written: string[] = [];
    const line = progressLine({ write: (text) => written.push(text) });
    for (let done = 1; done <= 20; done++) line.show(progress(done));
    line.end();
    expect(written).to.have.length(10);
    expect(written[0]).to.equal('2 of 20 runs, 2 a second, 9 s left\n');
  });
});
