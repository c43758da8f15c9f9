// References that a request asks for: how many names are looked up in one slice.
import { expect } from 'chai';
import { Slice } from '../scheduling/slice.js';
import { TestBall } from '../testing/aids/http-ball.js';
import { createFound } from './requested-units.js';

const NAMES = 2000;

describe('references of a request', () => {
  for (const lenient of [false, true]) {
    it(`are looked up a few at a time${lenient ? ', when asked leniently' : ''}`, () => {
      const source = new TestBall();
      const { catalog } = source;
      const { find } = catalog;
      let finds = 0;
      catalog.find = (path) => {
        finds++;
        return find.call(catalog, path);
      };
      let now = 0;
      // Each look at the clock finds that the slice is over.
      const slice = new Slice(() => now++);
      const aliases = Array.from({ length: NAMES }, (_, k) => `ball.position${' '.repeat(k)}`);
      const finding = createFound(source, { aliases, lenient }, slice);
      let most = 0;
      for (;;) {
        const before = finds;
        const step = finding.next();
        most = Math.max(most, finds - before);
        if (!step.done) continue;
        expect(step.value.references).to.have.length(NAMES);
        break;
      }
      expect(most).to.be.within(1, 64);
    });
  }
});
