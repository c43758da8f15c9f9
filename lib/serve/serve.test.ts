// What serve says of something that is no file.
import { expect } from 'chai';
import { simulation } from '../executive/simulation.js';
import { serve } from './serve.js';

describe('serve', () => {
  it('says which function takes a simulation that is no file', async () => {
    const given = simulation({ name: 'ball', frameSeconds: 1 }, () => {}) as never;
    const refusal = await serve(given).catch((error: Error) => error);
    expect(refusal).to.be.instanceOf(TypeError);
    expect((refusal as Error).message).to.equal(
      'serve takes the file that exports the simulation, as a path or a file URL; serveBeside takes the simulation itself',
    );
  });
});
