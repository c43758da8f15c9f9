// The language of a connection, told by its first bytes.
import { expect } from 'chai';
import * as fc from 'fast-check';
import { languageOf } from './first-bytes.js';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE', 'PROPFIND', 'M-SEARCH'];
const LETTERS = { undecided: 'u', http: 'h', http2: '2', tls: 't', stream: 's' } as const;

/** The result after each prefix: u, h, 2, t or s. */
function verdicts(text: string): string {
  const prefixes = Array.from(text, (_, index) => Buffer.from(text.slice(0, index + 1), 'latin1'));
  return prefixes.map((prefix) => LETTERS[languageOf(prefix)]).join('');
}

describe('the first bytes of a connection', () => {
  it('say nothing before they come', () => {
    expect(languageOf(Buffer.alloc(0))).to.equal('undecided');
  });

  it('are HTTP once CONNECT has a blank behind it, because its target is a host', () => {
    expect(verdicts('CONNECT host:443')).to.equal(`${'u'.repeat(7)}${'h'.repeat(9)}`);
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
    ['PROPFIND\t', 'uuuuuuuus'],
    ['PRINT', 'uuus'],
    ['\x16\n', 'us'],
    ['\x15\x03', 's'],
  ];
  for (const [text, verdict] of streams) {
    it(`are a stream as soon as ${JSON.stringify(text)} can no longer be HTTP`, () => {
      expect(verdicts(text).slice(0, verdict.length)).to.equal(verdict);
    });
  }

  it('are TLS when they are the beginning of its hello', () => {
    expect(verdicts('\x16\x03\x01\x02')).to.equal('uttt');
  });

  it('are HTTP/2 when they are the beginning of its preface', () => {
    expect(verdicts('PRI * HTTP/2.0\r\n')).to.equal(`${'u'.repeat(11)}22222`);
    expect(verdicts('PRI * HTTP/1')).to.match(/^u+s$/);
  });

  it('never change their meaning once told, whatever follows', () => {
    const start = fc.constantFrom(
      '',
      ...METHODS.map((method) => `${method} `),
      'GET /',
      'PRI * HTTP/2',
      '\x16\x03',
      'trick.',
    );
    fc.assert(
      fc.property(start, fc.string({ unit: 'binary-ascii' }), (head, tail) => {
        expect(verdicts(head + tail)).to.match(/^u*(h*|s*|2*|t*)$/);
      }),
    );
  });
});
