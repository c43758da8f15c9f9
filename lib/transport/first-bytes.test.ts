import { expect } from 'chai';
import * as fc from 'fast-check';
import { languageOf } from './first-bytes.js';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'CONNECT', 'TRACE'];

/** The verdict after each prefix: u, h or s. */
function verdicts(text: string): string {
  return Array.from(text, (_, index) => languageOf(Buffer.from(text.slice(0, index + 1), 'latin1'))[0]).join('');
}

describe('the first bytes of a connection', () => {
  it('say nothing before they come', () => {
    expect(languageOf(Buffer.alloc(0))).to.equal('undecided');
  });

  for (const method of METHODS) {
    it(`are HTTP once ${method} is followed by a target, and not before`, () => {
      const before = 'u'.repeat(method.length + 1);
      expect(verdicts(`${method} /x`)).to.equal(`${before}hh`);
      expect(verdicts(`${method} *`)).to.equal(`${before}h`);
      expect(verdicts(`${method} http:`)).to.equal(`${before}uuuhh`);
    });
  }

  const streams: [text: string, verdict: string][] = [
    ['trick.var_pause()\n', 's'],
    ['\n', 's'],
    ['get /', 's'],
    ['GETTER = 1\n', 'uuus'],
    ['GET = 1\n', 'uuuus'],
    ['GET\t/', 'uuus'],
    ['PUT(1)', 'uuus'],
    ['POST hxx', 'uuuuuus'],
    ['TRICK', 'uus'],
    ['TRACE', 'uuuuu'],
    ['\x16\x03\x01', 's'],
  ];
  for (const [text, verdict] of streams) {
    it(`are a stream as soon as ${JSON.stringify(text)} can no longer be HTTP`, () => {
      expect(verdicts(text).slice(0, verdict.length)).to.equal(verdict);
    });
  }

  it('never change their meaning once told, whatever follows', () => {
    const start = fc.constantFrom('', ...METHODS.map((method) => `${method} `), 'GET /', 'trick.');
    fc.assert(
      fc.property(start, fc.string({ unit: 'binary-ascii' }), (head, tail) => {
        expect(verdicts(head + tail)).to.match(/^u*(h*|s*)$/);
      }),
    );
  });
});
