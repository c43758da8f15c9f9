// What a step of an FMU costs, with 20 and with 1,000 values, in its process and on the thread; the goals are 20 and 6 us.
import { simulation } from '../../lib/index.js';
import { start } from '../../lib/testing/index.js';
import { TestFmus } from './test-fmus.js';

const STEPS = 20_000;
const MORE = Array.from(
  { length: 980 },
  (_, i) =>
    `<ScalarVariable name="more[${i + 1}]" valueReference="${1000 + i}" causality="output"><Real/></ScalarVariable>`,
).join('');

/** Microseconds of a frame. */
async function measured(file: string | undefined, isolated: boolean): Promise<number> {
  const definition = simulation({ name: 'bench', frameSeconds: 0.001 }, async (sim) => {
    if (file !== undefined) await sim.fmu('ball', file, { isolated });
  });
  const run = await start(definition);
  try {
    run.step(STEPS / 10);
    const startMillis = performance.now();
    run.step(STEPS);
    return (1000 * (performance.now() - startMillis)) / STEPS;
  } finally {
    run.close();
  }
}

const fmus = await TestFmus.compiled([2]);
if (typeof fmus === 'string') console.log(`steps of FMUs are not measured: ${fmus}`);
else {
  const few = fmus.make('few', { generation: 2 });
  const many = fmus.make('many', { generation: 2, replace: { '</ModelVariables>': `${MORE}</ModelVariables>` } });
  const emptyMicros = await measured(undefined, false);
  for (const [what, file] of [
    ['20', few],
    ['1,000', many],
  ] as const)
    for (const isolated of [true, false]) {
      const micros = (await measured(file, isolated)) - emptyMicros;
      console.log(
        `a step of an FMU with ${what} values, ${isolated ? 'in its process' : 'on the thread'}: ${micros.toFixed(1)} us`,
      );
    }
  fmus.remove();
}
