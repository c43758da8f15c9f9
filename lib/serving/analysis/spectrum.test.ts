import { expect } from 'chai';
import { type Spectrum, spectrumOf, thinnedSpectrum } from './spectrum.js';

const RATE = 100;
const timesOf = (count: number): number[] => Array.from({ length: count }, (_, k) => 5 + k / RATE);

const spectrum = (times: readonly number[], values: readonly (number | null)[]): Promise<Spectrum> =>
  spectrumOf(times, values, async () => undefined);

const peakOf = ({ frequencies, amplitudes }: Spectrum): [frequency: number, amplitude: number] => {
  const amplitude = Math.max(...amplitudes);
  return [frequencies[amplitudes.indexOf(amplitude)] as number, amplitude];
};

describe('a spectrum', () => {
  it('of two sines on an offset has their frequencies and amplitudes, for any number of samples', async () => {
    for (const count of [1000, 1024, 1777]) {
      const times = timesOf(count);
      const wave = (time: number): number =>
        40 + 3 * Math.sin(2 * Math.PI * 12.5 * time) + 0.5 * Math.sin(2 * Math.PI * 31 * time + 1);
      const found = await spectrum(times, times.map(wave));
      const [frequency, amplitude] = peakOf(found);
      expect(frequency).to.be.closeTo(12.5, 0.1);
      expect(amplitude).to.be.closeTo(3, 0.06);
      const above = found.frequencies.findIndex((each) => each > 20);
      const [second, small] = peakOf({
        frequencies: found.frequencies.slice(above),
        amplitudes: found.amplitudes.slice(above),
      });
      expect(second).to.be.closeTo(31, 0.1);
      expect(small).to.be.closeTo(0.5, 0.015);
      expect(found.frequencies.at(-1)).to.be.closeTo(RATE / 2, 1e-9);
    }
  });

  it('is not made of samples that are few, uneven or interrupted', async () => {
    const times = timesOf(100);
    const values = times.map(Math.sin);
    const refusal = (of: readonly number[], given: readonly (number | null)[]) =>
      spectrum(of, given).then(
        () => undefined,
        ({ message }: Error) => message,
      );
    expect(await refusal(times.slice(0, 9), values.slice(0, 9))).to.equal(
      'a spectrum needs at least 16 samples, found 9',
    );
    const later = times.map((time, k) => (k < 50 ? time : time + 1));
    expect(await refusal(later, values)).to.equal('samples are not evenly spaced at 5.01 s');
    const holes = values.map((value, k) => (k === 3 ? null : value));
    expect(await refusal(times, holes)).to.equal('there is no number at 5.03 s');
  });

  it('keeps its peaks when it is thinned', () => {
    const frequencies = Array.from({ length: 1001 }, (_, k) => k);
    const amplitudes = frequencies.map((k) => (k === 777 ? 5 : 1));
    const thinned = thinnedSpectrum({ frequencies, amplitudes }, 100);
    expect(thinned.frequencies).to.have.length.at.most(100);
    expect(peakOf(thinned)).to.deep.equal([777, 5]);
  });
});
