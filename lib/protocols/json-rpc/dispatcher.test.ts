// The JSON-RPC dispatcher: requests, batches and errors.
import { expect } from 'chai';
import fc from 'fast-check';
import { z } from 'zod';
import { runs } from '../../testing/aids/run-counts.js';
import { Dispatcher } from './dispatcher.js';
import { defineMethod, type Method } from './method.js';
import { RpcError } from './rpc-error.js';

interface Calls {
  readonly made: string[];
}

const method = (
  name: string,
  run: (params: { text?: string | undefined }) => unknown,
  isChange = false,
): Method<Calls> =>
  defineMethod({
    name,
    about: `${name}.`,
    params: z.strictObject({ text: z.string().optional() }),
    result: z.unknown(),
    isChange,
    run: ({ made }: Calls, params) => {
      made.push(name);
      return run(params);
    },
  });

function dispatcher(faults: unknown[] = []): Dispatcher<Calls> {
  return new Dispatcher(
    [
      method('echo', ({ text }) => text ?? 'nothing'),
      method('void', () => undefined),
      method('later', async ({ text }) => text),
      method('broken', () => {
        throw new TypeError('secret');
      }),
      method('refusing', () => {
        throw new RpcError(-1, 'no', { why: 'because' });
      }),
      method('guarded', () => 1, true),
    ],
    {
      guard: (_, { isChange }) => {
        if (isChange) throw new RpcError(-2, 'guarded');
      },
      onFault: (error) => faults.push(error),
    },
  );
}

async function answer(message: string | Uint8Array, made: string[] = [], faults: unknown[] = []): Promise<unknown> {
  const { text } = await dispatcher(faults).answer(Buffer.from(message as string), { made });
  return text === undefined ? undefined : JSON.parse(text.toString());
}

const error = (id: unknown, code: number, message: string, data?: unknown) => ({
  jsonrpc: '2.0',
  id,
  error: data === undefined ? { code, message } : { code, message, data },
});

describe('a JSON-RPC dispatcher', () => {
  it('answers a request under its id', async () => {
    const request = '{"jsonrpc":"2.0","id":"a","method":"echo","params":{"text":"hi"}}';
    expect(await answer(request)).to.deep.equal({ jsonrpc: '2.0', id: 'a', result: 'hi' });
  });

  it('takes null, an empty list and left out parameters alike', async () => {
    for (const params of ['', ',"params":null', ',"params":{}', ',"params":[]']) {
      const request = `{"jsonrpc":"2.0","id":1,"method":"echo"${params}}`;
      expect(await answer(request)).to.deep.equal({ jsonrpc: '2.0', id: 1, result: 'nothing' });
    }
  });

  it('answers null for a method that returns nothing, and waits for one that takes time', async () => {
    expect(await answer('{"jsonrpc":"2.0","id":1,"method":"void"}')).to.deep.equal({
      jsonrpc: '2.0',
      id: 1,
      result: null,
    });
    const later = '{"jsonrpc":"2.0","id":1,"method":"later","params":{"text":"x"}}';
    expect(await answer(later)).to.deep.equal({ jsonrpc: '2.0', id: 1, result: 'x' });
  });

  it('carries out a notification and answers nothing, errors included', async () => {
    const made: string[] = [];
    expect(await answer('{"jsonrpc":"2.0","method":"echo"}', made)).to.equal(undefined);
    expect(await answer('{"jsonrpc":"2.0","method":"refusing"}', made)).to.equal(undefined);
    expect(await answer('{"jsonrpc":"2.0","method":"nowhere"}', made)).to.equal(undefined);
    expect(made).to.deep.equal(['echo', 'refusing']);
  });

  it('answers a request whose id is null', async () => {
    const request = '{"jsonrpc":"2.0","id":null,"method":"void"}';
    expect(await answer(request)).to.deep.equal({ jsonrpc: '2.0', id: null, result: null });
  });

  it('answers a batch in order and leaves its notifications out', async () => {
    const made: string[] = [];
    const batch = `[{"jsonrpc":"2.0","id":1,"method":"later","params":{"text":"first"}},
      {"jsonrpc":"2.0","method":"void"}, 5,
      {"jsonrpc":"2.0","id":2,"method":"echo","params":{"text":"second"}}]`;
    expect(await answer(batch, made)).to.deep.equal([
      { jsonrpc: '2.0', id: 1, result: 'first' },
      error(null, -32600, 'a request is an object, not 5'),
      { jsonrpc: '2.0', id: 2, result: 'second' },
    ]);
    expect(made).to.deep.equal(['later', 'void', 'echo']);
  });

  it('answers nothing to a batch of notifications', async () => {
    const notification = '{"jsonrpc":"2.0","method":"void"}';
    expect(await answer(`[${notification},${notification}]`)).to.equal(undefined);
  });

  const refused: readonly [what: string, message: string | Uint8Array, response: unknown][] = [
    ['an empty body', '', error(null, -32700, 'a JSON-RPC request was expected, the body is empty')],
    [
      'bytes that are not UTF-8',
      Uint8Array.of(0x22, 0xff, 0x22),
      error(null, -32700, 'the request is not valid UTF-8'),
    ],
    ['an empty batch', '[]', error(null, -32600, 'a batch holds at least one request')],
    [
      'a batch that is too long',
      `[${Array(1001).fill(0)}]`,
      error(null, -32600, 'a batch holds at most 1000 requests, this one 1001'),
    ],
    ['a text', '"hello"', error(null, -32600, 'a request is an object, not "hello"')],
    ['a list in a batch', '[[1]]', [error(null, -32600, 'a request is an object, not a list')]],
    ['another version', '{"jsonrpc":"1.0","id":7,"method":"echo"}', error(7, -32600, 'a request says "jsonrpc":"2.0"')],
    ['no method', '{"jsonrpc":"2.0","id":7}', error(7, -32600, 'a request names its "method" as text')],
    [
      'an id that is an object',
      '{"jsonrpc":"2.0","id":{},"method":"echo"}',
      error(null, -32600, 'an "id" is text, a number or null'),
    ],
    [
      'an unknown method',
      '{"jsonrpc":"2.0","id":7,"method":"ecko"}',
      error(7, -32601, 'there is no method "ecko"; did you mean echo?', { nearest: ['echo'] }),
    ],
    [
      'positional parameters',
      '{"jsonrpc":"2.0","id":7,"method":"echo","params":["hi"]}',
      error(7, -32602, 'echo takes its parameters by name (text); params is a list'),
    ],
    [
      'an unknown parameter',
      '{"jsonrpc":"2.0","id":7,"method":"echo","params":{"txt":1}}',
      error(7, -32602, 'echo has no parameter "txt"; did you mean text?', { parameter: 'txt', nearest: ['text'] }),
    ],
    [
      'a parameter of the wrong kind',
      '{"jsonrpc":"2.0","id":7,"method":"echo","params":{"text":5}}',
      error(7, -32602, 'echo: text: expected string, received number', { parameter: 'text' }),
    ],
    ["a method's own error", '{"jsonrpc":"2.0","id":7,"method":"refusing"}', error(7, -1, 'no', { why: 'because' })],
    ['what the guard refuses', '{"jsonrpc":"2.0","id":7,"method":"guarded"}', error(7, -2, 'guarded')],
  ];
  for (const [what, message, response] of refused) {
    it(`answers ${what} with one error`, async () => {
      expect(await answer(message)).to.deep.equal(response);
    });
  }

  it('answers what is not JSON with the place of the error', async () => {
    const { error: found } = (await answer('{"jsonrpc":')) as { error: { code: number; message: string } };
    expect(found.code).to.equal(-32700);
    expect(found.message).to.match(/^the request is not JSON: /);
  });

  it('refuses JSON that is nested 10,000 deep, and takes brackets inside of texts for what they are', async () => {
    const deep = `{"jsonrpc":"2.0","id":1,"method":"echo","params":${'['.repeat(10_000)}${']'.repeat(10_000)}}`;
    expect(await answer(deep)).to.deep.equal(error(null, -32600, 'the request is nested deeper than 64 levels'));
    const text = `${'['.repeat(100)}\\"{{{`;
    const flat = `{"jsonrpc":"2.0","id":1,"method":"echo","params":{"text":"${text}"}}`;
    expect(await answer(flat)).to.have.property('result', `${'['.repeat(100)}"{{{`);
  });

  it('keeps what went wrong inside from the client and tells it to the log', async () => {
    const faults: unknown[] = [];
    const request = '{"jsonrpc":"2.0","id":7,"method":"broken"}';
    expect(await answer(request, [], faults)).to.deep.equal(
      error(7, -32603, 'the server failed to answer this request'),
    );
    expect(faults).to.have.length(1);
    expect(faults[0]).to.be.instanceOf(TypeError);
  });

  it('refuses two methods of one name', () => {
    expect(() => new Dispatcher([method('a', () => 1), method('a', () => 2)])).to.throw('two methods are named a');
  });

  it('answers whatever bytes come with valid JSON or nothing', () =>
    fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.uint8Array(),
          fc.json().map((text) => Buffer.from(text)),
          fc
            .record({ jsonrpc: fc.constant('2.0'), id: fc.jsonValue(), method: fc.string(), params: fc.jsonValue() })
            .map((request) => Buffer.from(JSON.stringify(request))),
        ),
        async (bytes) => {
          const { text } = await dispatcher().answer(bytes, { made: [] });
          if (text !== undefined) expect([JSON.parse(text.toString())].flat()[0]).to.have.property('jsonrpc', '2.0');
        },
      ),
      { numRuns: runs(300) },
    ));
});
