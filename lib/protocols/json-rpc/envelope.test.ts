// Envelopes: a protocol that wraps the same methods in other JSON.
import { expect } from 'chai';
import { z } from 'zod';
import { Dispatcher } from './dispatcher.js';
import { type Envelope, jsonRpc2 } from './envelope.js';
import { defineMethod } from './method.js';
import { RpcCode, RpcError } from './rpc-error.js';
import { Streamed } from './streamed.js';

const text = z.strictObject({ text: z.string().default('nothing') });
const echo = defineMethod({
  name: 'echo',
  about: 'Says what it hears.',
  params: text,
  result: z.string(),
  run: (heard: string[], params) => {
    heard.push(params.text);
    return params.text;
  },
});
const follow = defineMethod({
  name: 'follow',
  about: 'Answers at once, and goes on.',
  params: text,
  result: z.string(),
  run: (_: string[], params) => new Streamed(`following ${params.text}`, { of: params.text }),
});

/** A lenient envelope: it carries out and answers everything with a method, whatever its id; the rest is -32600. */
const lenient: Envelope = {
  async parse(message, turn) {
    try {
      return await jsonRpc2.parse(message, turn);
    } catch (error) {
      throw new RpcError(RpcCode.invalidRequest, (error as Error).message);
    }
  },
  read(value) {
    const { method, params, id = null } = (value ?? {}) as Record<string, unknown>;
    if (typeof method !== 'string') throw new RpcError(RpcCode.invalidRequest, 'no method');
    return { method, params, id, isAnswered: true };
  },
  idOf: (value) => (value as { id?: unknown } | undefined | null)?.id ?? null,
  emptyBatch: () => '[]',
  around: (id) => [`{"id":${JSON.stringify(id)},"result":`, '}'],
  error: (id, { code }) => JSON.stringify({ id, code }),
};

type Stream = { readonly of: string };
const strictly = () => new Dispatcher<string[], Stream>([echo, follow]);
const leniently = () => new Dispatcher<string[], Stream>([echo, follow], {}, lenient);

async function ask(dispatcher: Dispatcher<string[], Stream>, message: string, heard: string[] = []) {
  const { text, streams, onlyStream } = await dispatcher.answer(Buffer.from(message), heard);
  return { text: text?.toString(), streams, onlyStream };
}

describe('an envelope', () => {
  const CASES: readonly [what: string, message: string, strict: RegExp | undefined, lenient: string][] = [
    ['a request without an id', '{"jsonrpc":"2.0","method":"echo"}', undefined, '{"id":null,"result":"nothing"}'],
    [
      'an id of any JSON',
      '{"jsonrpc":"2.0","id":{"a":[1]},"method":"echo"}',
      /"id":null,.*-32600/,
      '{"id":{"a":[1]},"result":"nothing"}',
    ],
    ['no version', '{"id":1,"method":"echo"}', /"id":1,.*-32600/, '{"id":1,"result":"nothing"}'],
    ['an empty batch', '[]', /-32600/, '[]'],
    ['what is not JSON', '{"a', /"id":null,.*-32700/, '{"id":null,"code":-32600}'],
    ['an unknown method', '{"jsonrpc":"2.0","id":1,"method":"ecko"}', /"id":1,.*-32601/, '{"id":1,"code":-32601}'],
    ['no method', '{"jsonrpc":"2.0","id":[2]}', /"id":null,.*-32600/, '{"id":[2],"code":-32600}'],
    [
      'a batch',
      '[{"jsonrpc":"2.0","method":"echo"},{"jsonrpc":"2.0","id":3,"method":"echo","params":{"text":"x"}}]',
      /^\[\{"jsonrpc":"2.0","id":3,"result":"x"\}\]$/,
      '[{"id":null,"result":"nothing"},{"id":3,"result":"x"}]',
    ],
  ];
  for (const [what, message, strict, expected] of CASES) {
    it(`decides what becomes of ${what}`, async () => {
      const { text: strictText } = await ask(strictly(), message);
      if (strict) expect(strictText).to.match(strict);
      else expect(strictText).to.equal(undefined);
      expect((await ask(leniently(), message)).text).to.equal(expected);
    });
  }

  it('refuses an id that no answer can carry', async () => {
    const heard: string[] = [];
    const { text: answer } = await ask(strictly(), '{"jsonrpc":"2.0","id":1e400,"method":"echo"}', heard);
    const message = 'an "id" of so large a number cannot be answered: a number goes to 1.8e308';
    expect(JSON.parse(answer as string)).to.deep.equal({ jsonrpc: '2.0', id: null, error: { code: -32600, message } });
    expect(heard).to.deep.equal([]);
  });

  it('refuses a member "__proto__"', async () => {
    const heard: string[] = [];
    const request = '{"jsonrpc":"2.0","id":1,"method":"echo","__proto__":{"params":{"text":"hi"}}}';
    const { text: answer } = await ask(strictly(), request, heard);
    const message = 'a request has no member "__proto__"';
    expect(JSON.parse(answer as string)).to.deep.equal({ jsonrpc: '2.0', id: 1, error: { code: -32600, message } });
    expect(heard).to.deep.equal([]);
  });

  it('decides what is carried out', async () => {
    const request = '{"method":"echo","params":{"text":"hi"}}';
    const [strict, easy] = [[], []] as [string[], string[]];
    await ask(strictly(), request, strict);
    await ask(leniently(), request, easy);
    expect([strict, easy]).to.deep.equal([[], ['hi']]);
  });
});

describe('a stream that a method begins', () => {
  const request = (id: number, method: string, word: string) =>
    JSON.stringify({ jsonrpc: '2.0', id, method, params: { text: word } });

  it('comes with the answer to a single request', async () => {
    const answer = await ask(strictly(), request(1, 'follow', 'a'));
    const stream = { of: 'a' };
    expect(answer).to.deep.equal({
      text: '{"jsonrpc":"2.0","id":1,"result":"following a"}',
      streams: [stream],
      onlyStream: stream,
    });
  });

  it('is one of several in a batch, in order', async () => {
    const batch = [request(1, 'follow', 'a'), request(2, 'echo', 'b'), request(3, 'follow', 'c')];
    const { text: answers, streams, onlyStream } = await ask(strictly(), `[${batch.join()}]`);
    expect(JSON.parse(answers as string)).to.have.length(3);
    expect([streams, onlyStream]).to.deep.equal([[{ of: 'a' }, { of: 'c' }], undefined]);
    expect((await ask(strictly(), `[${batch[0]}]`)).onlyStream).to.equal(undefined);
  });

  it('begins for a notification too, in place of no answer', async () => {
    const answer = await ask(strictly(), '{"jsonrpc":"2.0","method":"follow"}');
    expect(answer).to.deep.equal({ text: undefined, streams: [{ of: 'nothing' }], onlyStream: undefined });
  });

  it('is none when the call fails or the method has none', async () => {
    for (const message of [request(1, 'echo', 'a'), '{"jsonrpc":"2.0","id":1,"method":"follow","params":[1]}', '{']) {
      expect(await ask(strictly(), message)).to.deep.include({ streams: [], onlyStream: undefined });
    }
  });
});
