import { expect } from 'chai';
import fc from 'fast-check';
import { writingOf } from './leaves.js';
import { identifier, stepsOf } from './names.js';
import { parseDescription } from './parse-description.js';
import { shapesOf, walkShape } from './shapes.js';
import { unitsText } from './units.js';

/** A description of FMI 2.0 with these variables. */
const describedAs = (variables: string) =>
  parseDescription(
    Buffer.from(
      `<fmiModelDescription fmiVersion="2.0" modelName="M" guid="g"><ModelVariables>${variables}</ModelVariables></fmiModelDescription>`,
    ),
  );

const real = (name: string, number: number, more = '') =>
  `<ScalarVariable name="${name}" valueReference="${number}" ${more}><Real/></ScalarVariable>`;

function pathsOf(variables: string): Record<string, number> {
  const found: Record<string, number> = {};
  for (const [alias, shape] of shapesOf(describedAs(variables)).components)
    walkShape(shape, alias, 0, ({ variable }, path) => {
      found[path] = variable.valueReference;
    });
  return found;
}

describe("an FMU's names", () => {
  it('are paths of identifiers and indexes', () => {
    expect(stepsOf('gear.wheel[2].w')).to.deep.equal(['gear', 'wheel', [2], 'w']);
    expect(stepsOf('m[1, 2]')).to.deep.equal(['m', [1, 2]]);
    expect(stepsOf('der(a.b[3])')).to.deep.equal(['a', 'der_b', [3]]);
    expect(stepsOf('der(x,2)')).to.deep.equal(['der2_x']);
    expect(stepsOf("a.'b.c d'")).to.deep.equal(['a', 'b_c_d']);
    expect(stepsOf('3 x')).to.deep.equal(['_3_x']);
  });

  it('become names for any text', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 30 }), (text) => {
        expect(identifier(text)).to.match(/^[A-Za-z_]\w*$/);
        for (const step of stepsOf(text)) if (typeof step === 'string') expect(step).to.match(/^[A-Za-z_]\w*$/);
      }),
    );
  });

  it('make arrays where the indexes are complete, from 0 or 1, and names where not', () => {
    expect(pathsOf(real('a[1]', 1) + real('a[2]', 2))).to.deep.equal({ 'a[0]': 1, 'a[1]': 2 });
    expect(pathsOf(real('a[0]', 1) + real('a[1]', 2))).to.deep.equal({ 'a[0]': 1, 'a[1]': 2 });
    expect(pathsOf(real('a[1]', 1) + real('a[3]', 2))).to.deep.equal({ a_1: 1, a_3: 2 });
    const matrix = real('m[1,1]', 1) + real('m[2,1]', 3) + real('m[1,2]', 2) + real('m[2,2]', 4);
    expect(pathsOf(matrix)).to.deep.equal({ 'm[0][0]': 1, 'm[0][1]': 2, 'm[1][0]': 3, 'm[1][1]': 4 });
    const wheels = real('w[1].x', 1) + real('w[2].x', 2) + real('w[1].y', 3) + real('w[2].y', 4);
    expect(pathsOf(wheels)).to.deep.equal({ 'w[0].x': 1, 'w[0].y': 3, 'w[1].x': 2, 'w[1].y': 4 });
    const unequal = real('w[1].x', 1) + real('w[2].x', 2) + real('w[1].y', 3);
    expect(pathsOf(unequal)).to.deep.equal({ 'w_1.x': 1, 'w_1.y': 3, 'w_2.x': 2 });
  });

  it('keep every variable, also where two names become one', () => {
    expect(pathsOf(real('a b', 1) + real('a.b', 2) + real('a', 3) + real('a_b', 4))).to.deep.equal({
      a: 3,
      'a_.b': 2,
      a_b: 1,
      a_b_: 4,
    });
    // Each finds its name at once, however many there are.
    const many = Object.keys(pathsOf(Array.from({ length: 3000 }, (_, i) => real('x', i)).join('')));
    expect([many.length, ...many.slice(0, 3)]).to.deep.equal([3000, 'x', 'x_', 'x_2']);
  });
});

describe("an FMU's units", () => {
  const unit = (name: string, powers: Record<string, number>, factor = 1, offset = 0) => ({
    name,
    base: { powers, factor, offset },
  });

  it('stay where UDUNITS means the same by the name, and are made of base units where not', () => {
    expect(unitsText(unit('m/s2', { m: 1, s: -2 }), false)).to.equal('m/s2');
    expect(unitsText(unit('kW', { kg: 1, m: 2, s: -3 }, 1000), false)).to.equal('kW');
    expect(unitsText(unit('degC', { K: 1 }, 1, 273.15), false)).to.equal('degC');
    expect(unitsText(unit('rev/min', { s: -1, rad: 1 }, 0.5), false)).to.equal('0.5.rad.s-1');
    expect(unitsText(unit('degC', { K: 1 }, 1, 273.15), true)).to.equal('K');
    // In Trick's spelling, F is a degree Fahrenheit.
    expect(unitsText(unit('F', { kg: -1, m: -2, s: 4, A: 2 }), false)).to.equal('A2.kg-1.m-2.s4');
    expect(unitsText({ name: 'bananas', base: undefined }, false)).to.equal('--');
    expect(unitsText(undefined, false)).to.equal('--');
  });
});

describe("an FMU's variables", () => {
  it('may be written always, before the run or never, by their causality, variability and initial value', () => {
    const variables = [
      ...['causality="input"', 'causality="parameter" variability="tunable"'],
      ...['causality="parameter" variability="fixed"', 'causality="output" initial="exact"', 'initial="approx"'],
      ...['causality="output"', 'causality="calculatedParameter"', 'causality="independent"'],
      'variability="constant" initial="exact"',
    ];
    const described = describedAs(variables.map((more, number) => real(`x${number}`, number, more)).join(''));
    expect(described.variables.map(writingOf)).to.deep.equal([
      ...['always', 'always', 'before the run', 'before the run', 'before the run'],
      ...Array(4).fill('never'),
    ]);
  });
});
