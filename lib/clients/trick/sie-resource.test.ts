// Names of variables from NASA Trick's own description of the fixture simulation.
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { ProtocolError } from './errors.js';
import { listVariables, parseSieResource } from './sie-resource.js';

const XML = readFileSync(new URL('../../../../compat-tests/reference/sie.xml', import.meta.url), 'utf8');

describe('listVariables', () => {
  const resource = parseSieResource(XML);

  it('goes into structures, arrays of them and pointers to them', () => {
    expect([...listVariables(resource, 'fx.all.vehicle.s')].map(({ name }) => name)).to.deep.equal(
      ['sensor', 'sensors[0]', 'sensors[1]', 'spare[0]'].flatMap((sensor) =>
        ['reading', 'id', 'label', 'ok'].map((member) => `fx.all.vehicle.${sensor}.${member}`),
      ),
    );
  });

  it('tells types, dimensions and units', () => {
    expect([...listVariables(resource, 'fx.all.vehicle.att')]).to.deep.equal([
      { name: 'fx.all.vehicle.attitude', type: 'double', dimensions: [2, 2], units: 'rad' },
    ]);
  });

  it('finds nothing under a name that is not there', () => {
    expect([...listVariables(resource, 'nosuch')]).to.deep.equal([]);
  });

  it('does not follow a class into itself for ever', () => {
    const list =
      parseSieResource(`<sie><class name="Node"><member name="next" type="Node" units="1"><dimension>0</dimension></member>
      <member name="x" type="int" units="a &lt; b"></member></class>
      <top_level_object name="head" type="Node" alloc_memory_init="0"></top_level_object></sie>`);
    expect([...listVariables(list)].map(({ name, units }) => [name, units])).to.deep.equal([
      ['head.next', '1'],
      ['head.x', 'a < b'],
    ]);
  });

  it('ends where there are more than anybody can wait for', () => {
    const endless = parseSieResource(`<sie><class name="Part"><member name="x" type="int"></member></class>
      <class name="All"><member name="parts" type="Part"><dimension>1000000000</dimension></member></class>
      <top_level_object name="all" type="All"></top_level_object></sie>`);
    let listed = 0;
    const list = (): void => {
      for (const _ of listVariables(endless)) listed++;
    };
    expect(list).to.throw(ProtocolError, 'more than 1000000 variables');
    expect(listed).to.equal(1_000_000);
  });

  it('refuses what is no such description', () => {
    expect(() => parseSieResource('<html></html>')).to.throw(ProtocolError);
  });
});
