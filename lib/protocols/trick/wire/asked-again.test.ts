// A reference that several lists share, when a frame is not asked for one of the lists because it is too much.
import { expect } from 'chai';
import { TooManyPointersError } from '../../../model/state/reach.js';
import { startTrickFixture } from '../../../testing/aids/trick-server.js';
import { ReferenceTable } from './reference.js';

describe('a reference of a list that is refused', () => {
  it('is asked for by another list in the same frame', async () => {
    const server = await startTrickFixture({ ballast: 400_000 });
    const { source } = server.registry;
    const { frame } = source;
    const shared = new ReferenceTable(source).hold('ballast.many[1000]');
    const { offsetBytes = 0 } = shared.variable ?? {};
    const isAsked = (): boolean | undefined => frame.pages?.wanted.isAsked(offsetBytes, 8);
    const tooMuch = {
      isShownIn: () => {
        throw new TooManyPointersError('far');
      },
    };
    expect(() => frame.showsAll([shared, tooMuch])).to.throw(TooManyPointersError);
    expect(isAsked()).to.equal(false);
    expect(frame.showsAll([shared])).to.equal(false);
    expect(isAsked()).to.equal(true);
    await server.close();
  });
});
