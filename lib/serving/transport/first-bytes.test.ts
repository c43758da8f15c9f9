// The language of a connection, told by its first bytes.
import { expect } from 'chai';
import * as fc from 'fast-check';
import { languageOf, WebHello } from './first-bytes.js';

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

describe('a connection to a port without HTTP', () => {
  /** Whether it begins as one of a web browser, in these pieces. */
  const hasCome = (pieces: readonly string[]): boolean => {
    const hello = new WebHello();
    return pieces.map((piece) => hello.hasCome(Buffer.from(piece, 'latin1'))).includes(true);
  };
  const requests = [
    'POST / HTTP/1.1\r\n',
    'GET /a?b=c%20d HTTP/1.1\r\n',
    'OPTIONS * HTTP/1.1\r\n',
    'GET http://sim.example:7000/x HTTP/1.0\n',
    'CONNECT sim.example:443 HTTP/1.1\r\n',
    'CONNECT [::1]:443 HTTP/1.1\r\n',
    'PRI * HTTP/2.0\r\n',
    "x-y!#$%&'*+.^_`|~9 /= HTTP/1.1\r\n",
    '\r\n\n\rPOST / HTTP/1.1\r\n',
    `POST /${'a'.repeat(20_000)} HTTP/1.1\r\n`,
    `POST /;trick.stop() HTTP/1.1\r\n`,
    '\x16\x03\x01\x02\x00',
    '\n\x16\x03',
  ];
  const texts = [
    'trick.var_pause()\n',
    'GET = 1\n',
    'POST = 3\n',
    'POST += HTTP/1.1\n',
    'POST = HTTP/1.1\n',
    'GET\n/ HTTP/1.1\n',
    'GET  / HTTP/1.1\n',
    'print "GET / HTTP/1.1"\n',
    '# GET / HTTP/1.1\n',
    'x = 1\nPOST / HTTP/1.1\n',
    'a in HTTP/2\n',
    `POST =[${'1,'.repeat(20_000)}] HTTP/1\n`,
    `${'x'.repeat(70)} / HTTP/1.1\n`,
    '\x16\n',
    '\x0f\x08\x00\x12\x0bkrpc client',
  ];

  for (const request of requests)
    it(`is a web browser's with ${JSON.stringify(request.slice(0, 40))}, wherever it is cut`, () => {
      for (let cut = 0; cut <= request.length; cut += request.length > 1000 ? 997 : 1)
        expect(hasCome([request.slice(0, cut), request.slice(cut)]), String(cut)).to.equal(true);
      expect(hasCome([...request])).to.equal(true);
    });

  for (const text of texts)
    it(`is not with ${JSON.stringify(text.slice(0, 40))}`, () => {
      for (let cut = 0; cut <= text.length; cut += text.length > 1000 ? 997 : 1)
        expect(hasCome([text.slice(0, cut), text.slice(cut)]), String(cut)).to.equal(false);
      expect(hasCome([...text])).to.equal(false);
    });

  it('is told before the first line ends, whatever the method and the path', () => {
    const token = fc.stringMatching(/^[!#$%&'*+.^_`|~\w-]{1,64}$/);
    const path = fc.stringMatching(/^\/[\x21-\x7e]*$/);
    fc.assert(
      fc.property(token, path, fc.array(fc.nat(200)), (method, target, cuts) => {
        const line = `${method} ${target} HTTP/1.1\r`;
        const ends = [0, ...cuts.sort((one, other) => one - other), line.length];
        expect(hasCome(ends.slice(1).map((end, index) => line.slice(ends[index], end)))).to.equal(true);
      }),
    );
  });
});
