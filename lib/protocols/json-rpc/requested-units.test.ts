// References that a request asks for: how many names are looked up in one turn, and in how many turns.
import { expect } from 'chai';
import { TestBall } from '../../testing/aids/http-ball.js';
import { createFound } from './requested-units.js';

const NAMES = 2000;

describe('references of a request', () => {
  for (const lenient of [false, true]) {
    it(`are looked up a few at a time${lenient ? ', when asked leniently' : ''}`, async () => {
      const source = new TestBall();
      const { catalog } = source;
      const { find } = catalog;
      let finds = 0;
      catalog.find = (path) => {
        finds++;
        return find.call(catalog, path);
      };
      const aliases = Array.from({ length: NAMES }, (_, k) => `ball.position${' '.repeat(k)}`);
      let [before, most, turns] = [0, 0, 0];
      const turn = async () => {
        turns++;
        most = Math.max(most, finds - before);
        before = finds;
      };
      const { references } = await createFound(source, { aliases, lenient }, turn);
      expect(references).to.have.length(NAMES);
      expect(most).to.be.within(1, 64);
      expect(turns).to.be.at.most(Math.ceil(NAMES / 16));
    });
  }
});
