// The fixture simulation, and an object that no input names: it must stay as it was.

import { double, simulation, text } from '../../../lib/index.js';
import fixture from '../../fixture/fixture.js';

export default simulation(fixture.options, async (sim) => {
  await fixture.build(sim);
  const guard = sim.object('guard');
  guard.component('label', text(32), 'as it was');
  guard.component('numbers', double(3), [1.5, -2, 1e-7]);
});
