// What a description says of variables: NASA Trick's own of the fixture simulation, and one with pairs.
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { ServerDescription, withLabels } from './description.js';
import { listVariables, parseSieResource } from './sie-resource.js';
import { detailsOf } from './variable-details.js';

const XML = readFileSync(new URL('../../../../compat-tests/reference/sie.xml', import.meta.url), 'utf8');
const SPANS = 'std__pair&lt;int, std__pair&lt;double, Phase>>';
const PAIRS = `<sie><enumeration name="Phase"><pair label="UP" value="3"/></enumeration>
  <class name="A"><member name="spans" type="${SPANS}" io_attributes="5" units="1"><dimension>2</dimension></member>
  <member name="gains" type="std__map&lt;std__string, double>" io_attributes="10" units="1"></member></class>
  <top_level_object name="a" type="A"></top_level_object></sie>`;

describe('the details of a variable', () => {
  const resource = parseSieResource(XML);

  it('are type, dimensions, units, access and labels', () => {
    expect(detailsOf(resource, 'fx.all.len')).to.deep.equal({
      name: 'fx.all.len',
      type: 'double',
      dimensions: [],
      units: 'm',
      about: 'length',
      access: 'read-write',
    });
    expect(detailsOf(resource, 'fx.all.phase')?.labels?.get('ENTRY')).to.equal(7);
    expect(detailsOf(resource, 'fx.all.no_input')?.access).to.equal('read-only');
    expect(detailsOf(resource, 'fx.all.d23[1]')?.dimensions).to.deep.equal([3]);
    expect(detailsOf(resource, 'fx.all.vsen[0].reading')?.type).to.equal('double');
  });

  it('of a structure have its members, also within arrays and behind pointers', () => {
    for (const path of ['fx.all.vehicle.sensors', 'fx.all.vehicle.sensors[1]', 'fx.all.vehicle.spare'])
      expect(detailsOf(resource, path)?.members?.map(({ name }) => name)).to.deep.equal([
        'reading',
        'id',
        'label',
        'ok',
      ]);
  });

  it('of a pair have its two values, and a map has pairs', () => {
    const pairs = parseSieResource(PAIRS);
    const halves = (path: string) => detailsOf(pairs, path)?.members?.map(({ name, type }) => [name, type]);
    expect(halves('a.spans[1]')).to.deep.equal([
      ['first', 'int'],
      ['second', 'std__pair<double, Phase>'],
    ]);
    expect(halves('a.gains[0]')).to.deep.equal([
      ['first', 'std__string'],
      ['second', 'double'],
    ]);
    expect([...(detailsOf(pairs, 'a.spans[0].second.second')?.labels ?? [])]).to.deep.equal([['UP', 3]]);
    expect([...listVariables(pairs, 'a.spans[1]')].map(({ name }) => name)).to.deep.equal([
      'a.spans[1].first',
      'a.spans[1].second.first',
      'a.spans[1].second.second',
    ]);
  });

  it('are unknown for what is not in it', () => {
    for (const path of ['', 'fx.all.nosuch', 'fx.all.d[0]', 'nosuch', 'fx.all.d.x', 'fx..all', '[0]'])
      expect(detailsOf(resource, path), path).to.equal(undefined);
  });
});

describe('the description of a server', () => {
  it('is asked for once, whatever it lacks and however many ask at once, and anew when it is forgotten or did not come', async () => {
    let asked = 0;
    const description = new ServerDescription(async () => {
      if (asked++ === 0) throw new Error('lost');
      return asked === 2 ? PAIRS : XML;
    });
    expect(await description.text().catch(({ message }: Error) => message)).to.equal('lost');
    await Promise.all([description.text(), description.details(['a.gains']), description.labels(['a.gains'])]);
    expect((await description.labels(['a.spans[0].second.second'])).get('a.spans[0].second.second')?.get(3)).to.equal(
      'UP',
    );
    await description.details(['a.gains']);
    expect(await description.details(['fx.all.d'])).to.deep.equal([undefined]);
    expect(asked).to.equal(2);
    description.forget();
    expect((await description.details(['fx.all.d']))[0]?.type).to.equal('double');
    expect(asked).to.equal(3);
    expect(await description.labels([])).to.deep.equal(new Map());
  });

  it('may be missing', async () => {
    const none = new ServerDescription(async () => undefined);
    expect(await none.details(['a.b'])).to.deep.equal([undefined]);
    expect([...(await none.labels(['a.b']))]).to.deep.equal([]);
  });
});

describe('a value with labels', () => {
  it('keeps what has none', () => {
    const labels = new Map([[3, 'UP']]);
    expect(withLabels(3, labels)).to.equal('UP');
    expect(withLabels([3, 4], labels)).to.deep.equal(['UP', 4]);
    expect([withLabels(3, undefined), withLabels(undefined, labels)]).to.deep.equal([3, undefined]);
  });
});
