import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { double } from '../../model/state/declare.js';
import { TestBall } from '../../testing/aids/http-ball.js';
import { TestServer } from '../../testing/aids/http-exchange.js';
import { type ShippedPage, shippedRoutes } from './shipped-page.js';

describe('what a simulation ships for its page', () => {
  const directory = mkdtempSync(join(tmpdir(), 'varwire-page-'));
  after(() => rmSync(directory, { recursive: true }));
  const file = (name: string, text: string): string => {
    writeFileSync(join(directory, name), text);
    return join(directory, name);
  };
  const layout = { version: 1, tabs: [{ name: 'Flight', panels: [] }] };

  it('is served at /page.json, its modules beside it', async () => {
    const page: ShippedPage = {
      layoutFile: file('ball.json', JSON.stringify(layout)),
      panelFiles: [file('trail.js', 'export const panel = () => {};')],
    };
    const server = new TestServer(new TestBall(), { page });
    const { body } = await server.ask({ path: '/page.json' });
    expect(JSON.parse(body)).to.deep.equal({
      layout,
      panels: [{ name: 'trail', address: 'panels/trail.js' }],
      variables: [],
      hasPoses: false,
      hasGround: false,
      hasStudy: false,
    });
    const module = await server.ask({ path: '/panels/trail.js' });
    expect(module.sentHeaders['content-type']).to.equal('text/javascript; charset=utf-8');
    expect(module.body).to.equal('export const panel = () => {};');
    expect((await server.ask({ path: '/panels/ball.json' })).status).to.equal(404);
  });

  it("may be a file of Trick's, in the encoding of its machine", async () => {
    for (const [name, text] of [
      ['DP_ball.xml', '<product><title>H\xf6he</title></product>'],
      ['ball.dp', 'PLOTS: PAGE 1: "H\xf6he"'],
    ] as const) {
      writeFileSync(join(directory, name), text, 'latin1');
      const server = new TestServer(new TestBall(), { page: { layoutFile: join(directory, name) } });
      expect(JSON.parse((await server.ask({ path: '/page.json' })).body).layout).to.deep.equal({ xml: text, name });
    }
  });

  it('is nothing for most, with the first variables as var/describe has them', async () => {
    const server = new TestServer();
    const { body } = await server.ask({ path: '/page.json' });
    const described = (alias: string) => server.call('var/describe', { alias });
    const variables = [await described('ball.position'), await described('ball.velocity')];
    expect(JSON.parse(body)).to.deep.equal({
      ...{ layout: null, panels: [], variables },
      ...{ hasPoses: false, hasGround: false, hasStudy: false },
    });
  });

  it('is packed for who unpacks, and has few of many variables, none of which is Trick’s own', async () => {
    const ball = new TestBall((state) => {
      state.addObject('trick_own').component('mass', double());
      for (let k = 0; k < 200; k++) state.addObject(`part${k}`).component('mass', double());
    });
    const server = new TestServer(ball);
    const packed = await server.ask({ path: '/page.json', headers: { 'accept-encoding': 'gzip, br' } });
    expect(packed.sentHeaders['content-encoding']).to.equal('gzip');
    const { body, sentHeaders } = await server.ask({ path: '/page.json' });
    expect(sentHeaders).to.not.have.property('content-encoding');
    expect(JSON.parse(body).variables).to.have.length(100);
    expect(body).to.not.include('trick_');
  });

  it('has few variables with long descriptions', async () => {
    const ball = new TestBall((state) => {
      for (let k = 0; k < 100; k++) state.addObject(`part${k}`).component('mass', double({ about: 'x'.repeat(4000) }));
    });
    const { body } = await new TestServer(ball).ask({ path: '/page.json' });
    expect(body.length).to.be.below(50_000);
  });

  const refused: readonly [what: string, page: () => ShippedPage, sentence: RegExp][] = [
    [
      'no file',
      () => ({ layoutFile: join(directory, 'none.json') }),
      /^the layout .*none\.json cannot be read: ENOENT$/,
    ],
    ['no JSON', () => ({ layoutFile: file('a.json', '{') }), /a\.json is no JSON of a layout, as the page saves it$/],
    ['no layout', () => ({ layoutFile: file('b.json', '{"a":1}') }), /b\.json is no JSON of a layout/],
    ['a strange name', () => ({ panelFiles: [file('a b.js', '')] }), /needs a name of letters, digits, - and _/],
    ['one name twice', () => ({ panelFiles: [file('x.js', ''), file('x.js', '')] }), /^two panels are called x\.js/],
  ];
  for (const [what, page, sentence] of refused) {
    it(`refuses ${what} with one sentence`, () => {
      expect(() => shippedRoutes(page(), new TestBall())).to.throw(sentence);
    });
  }
});
