import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { TestBall } from '../testing/aids/http-ball.js';
import { TestServer } from '../testing/aids/http-exchange.js';
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
    expect(JSON.parse(body)).to.deep.equal({ layout, panels: [{ name: 'trail', address: 'panels/trail.js' }] });
    const module = await server.ask({ path: '/panels/trail.js' });
    expect(module.sentHeaders['content-type']).to.equal('text/javascript; charset=utf-8');
    expect(module.body).to.equal('export const panel = () => {};');
    expect((await server.ask({ path: '/panels/ball.json' })).status).to.equal(404);
  });

  it('is nothing for most', async () => {
    const { body } = await new TestServer().ask({ path: '/page.json' });
    expect(JSON.parse(body)).to.deep.equal({ layout: null, panels: [] });
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
      expect(() => shippedRoutes(page())).to.throw(sentence);
    });
  }
});
