// What streams read of frames is known until they end, so that it ends with its client.
import { expect } from 'chai';
import { PageLeases } from '../../../model/frame/page-leases.js';
import { Frame, FramePages } from '../../../model/frame/reader.js';
import { headerAt } from '../../../testing/aids/frames.js';
import { FrameSources, WatchedSource } from './frame-sources.js';

describe('the value of a call that is read from frames', () => {
  it('is among those that are read from its first look to its end', () => {
    const bytes = 2 ** 21;
    const frame = new Frame(bytes, headerAt(1), new FramePages(new PageLeases(), bytes));
    const sources = new FrameSources();
    const value = { valueCount: 1, shown: [{ isCarriedBy: () => true }], read: () => 5 };
    const all = Array.from({ length: 3 }, () => new WatchedSource(value, 10, sources));
    expect(sources.read.size).to.equal(0);
    for (const source of all) expect(source.take(frame)).to.equal(5);
    expect(sources.read.size).to.equal(3);
    for (const source of all) source.end();
    expect(sources.read.size).to.equal(0);
  });
});
