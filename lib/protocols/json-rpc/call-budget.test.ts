// What one client's calls may cost other clients: turns, bytes of answers, and an end when the client has gone.
import { expect } from 'chai';
import { z } from 'zod';
import { Ledger } from '../../serving/scheduling/account.js';
import { DEFAULT_BOUNDS } from '../../serving/scheduling/holdings.js';
import { Turns } from '../../serving/scheduling/turns.js';
import { ManualClock } from '../../testing/aids/manual-clock.js';
import { AnswerText } from './answer-text.js';
import { type Caller, turnWhileThere } from './caller.js';
import { Dispatcher } from './dispatcher.js';
import { defineMethod } from './method.js';
import { Presence } from './presence.js';

/** Methods that take time, by a clock that they move themselves. */
function setUp(unreadBytes = DEFAULT_BOUNDS.unreadBytes) {
  const clock = new ManualClock();
  const ledger = new Ledger(clock, { ...DEFAULT_BOUNDS, unreadBytes });
  const waiting: (() => void)[] = [];
  const turns = new Turns(
    () => clock.nowMillis(),
    (call) => waiting.push(call),
  );
  const happened: string[] = [];
  const params = z.strictObject({ name: z.string() });
  const work = defineMethod({
    name: 'work',
    about: 'Computes for 3 ms.',
    params,
    result: z.string(),
    run: (_: Caller, { name }) => {
      clock.leap(3);
      happened.push(name);
      return name;
    },
  });
  const long = defineMethod({
    name: 'long',
    about: 'Computes for 30 ms, in turns.',
    params,
    result: z.string(),
    async run({ turn }: Caller, { name }) {
      try {
        for (let step = 0; step < 10; step++) {
          clock.leap(3);
          happened.push(`${name}${step}`);
          await turn();
        }
      } finally {
        happened.push(`${name} over`);
      }
      return name;
    },
  });
  const text = defineMethod({
    name: 'text',
    about: 'Answers 1000 bytes and some.',
    params,
    result: z.string(),
    run: (_: Caller, { name }) => {
      happened.push(name);
      return AnswerText.of(`"${'x'.repeat(1000)}"`);
    },
  });
  const after = defineMethod({
    name: 'after',
    about: 'Takes 3 ms after a promise.',
    params,
    result: z.string(),
    run: (_: Caller, { name }) =>
      Promise.resolve().then(() => {
        clock.leap(3);
        happened.push(name);
        return name;
      }),
  });
  const slowText = defineMethod({
    name: 'slowText',
    about: 'Has a result whose text takes 3 ms to write.',
    params,
    result: z.unknown(),
    run: (_: Caller, { name }) => ({
      toJSON: () => {
        clock.leap(3);
        return name;
      },
    }),
  });
  const dispatcher = new Dispatcher<Caller>([work, long, text, after, slowText], { callerOf: (caller) => caller });
  const client = (name: string, mayAsk = () => true) => {
    const gone = new Presence();
    const account = ledger.open(name);
    const turn = turnWhileThere(() => turns.turn(account), gone);
    const caller: Caller = { account, presence: gone, mayAsk, turn };
    const call = (method: string, given: string) => ({ jsonrpc: '2.0', id: given, method, params: { name: given } });
    const ask = (message: unknown) => dispatcher.answer(Buffer.from(JSON.stringify(message)), caller);
    const batch = (method: string, ...names: string[]) => ask(names.map((given) => call(method, given)));
    return { account, batch, ask, call, leave: () => gone.end() };
  };
  /** Runs one turn of the event loop. */
  const turn = async () => {
    for (const call of waiting.splice(0)) call();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { client, turn, turns, happened };
}

describe('the calls of a client', () => {
  it('give way between those of a batch', async () => {
    const { client, turn, happened } = setUp();
    const [one, other] = [client('one'), client('other')];
    const answers = Promise.all([one.batch('work', 'a', 'b', 'c', 'd'), other.batch('work', 'x', 'y')]);
    for (let count = 0; count < 12; count++) await turn();
    const [first] = await answers;
    expect(
      JSON.parse(String(first.text))
        .map(({ result }: { result: string }) => result)
        .join(''),
    ).to.equal('abcd');
    expect(happened.slice(0, 4).sort().join('')).to.equal('abxy');
  });

  it('need no further turns when each has waited for one', async () => {
    const { client, turn, happened } = setUp();
    const [one, other] = [client('one'), client('other')];
    const names = [...'abcdefghij'];
    const isAnswered = one.batch('text', ...names).then(() => true);
    // Each turn is filled by another client.
    void other.batch('work', ...Array<string>(100).fill('z'));
    let turns = 0;
    for (let isOver = false; !isOver && turns < 100; turns++) {
      await turn();
      isOver = await Promise.race([isAnswered, false]);
    }
    expect(happened.filter((name) => name !== 'z')).to.deep.equal(names);
    expect(turns).to.be.at.most(names.length / 2);
  });

  it('give way after what one does in promises', async () => {
    const { client, turn, happened } = setUp();
    const answer = client('one').batch('after', 'a', 'b', 'c');
    const counts: number[] = [];
    for (let count = 0; count < 5; count++) {
      await new Promise((resolve) => setImmediate(resolve));
      counts.push(happened.length);
      await turn();
    }
    await answer;
    // A turn begins jobs for 5 ms.
    expect(counts).to.deep.equal([2, 3, 3, 3, 3]);
  });

  it('count the writing of their answers', async () => {
    const { client, turns } = setUp();
    const { ask, call } = client('one');
    const { text } = await ask(call('slowText', 'a'));
    // It is counted when no promise goes on.
    await new Promise(setImmediate);
    expect(JSON.parse(String(text)).result).to.equal('a');
    expect(turns.computedMillis).to.be.at.least(2.9);
  });

  it('give way within one that is long', async () => {
    const { client, turn, happened } = setUp();
    const [one, other] = [client('one'), client('other')];
    const answers = [one.ask(one.call('long', 'a')), other.ask(other.call('work', 'x'))];
    for (let count = 0; count < 20; count++) await turn();
    await Promise.all(answers);
    expect(happened.indexOf('x')).to.be.below(4);
  });

  it('end with their client, within a batch and within a call', async () => {
    const { client, turn, happened } = setUp();
    const [one, other] = [client('one'), client('other')];
    const answers = [one.batch('work', 'a', 'b', 'c', 'd'), other.ask(other.call('long', 'x'))];
    for (let count = 0; count < 3; count++) await turn();
    one.leave();
    other.leave();
    const count = happened.length;
    for (let later = 0; later < 10; later++) await turn();
    for (const answer of answers) {
      expect(await answer).to.deep.equal({ text: undefined, heldBytes: 0, streams: [], onlyStream: undefined });
    }
    expect(happened.slice(count)).to.deep.equal(['x over']);
  });

  it('are answered with so many bytes; the rest of a batch is not carried out and told why', async () => {
    const { client, happened } = setUp({ each: 3500, all: 100_000 });
    const one = client('one');
    const { text, heldBytes } = await one.batch('text', 'a', 'b', 'c', 'd', 'e');
    const answers: { result?: string; error?: object }[] = JSON.parse(String(text));
    const refusal = { code: -23418, message: 'a client may have 3500 bytes of answers that it has not read' };
    expect(answers.slice(0, 3).every(({ result }) => result?.length === 1000)).to.equal(true);
    expect(answers.slice(3).map(({ error }) => error)).to.deep.equal([refusal, refusal]);
    expect(happened.join('')).to.equal('abcd');
    expect(one.account.amountOf('unreadBytes')).to.equal(heldBytes);
    expect(heldBytes).to.be.within(3000, 3500);
  });

  it('count one by one against the rate, those of a batch too', async () => {
    let left = 2;
    const { client, happened } = setUp();
    const { text } = await client('one', () => left-- > 0).batch('text', 'a', 'b', 'c', 'd');
    const answers: { error?: { message: string } }[] = JSON.parse(String(text));
    expect(happened.join('')).to.equal('abc');
    expect(answers[3]?.error).to.deep.equal({
      code: -23418,
      message: 'this client makes more requests in a second than this server allows; each of a batch counts',
    });
  });
});

describe('the text of an answer', () => {
  it('is encoded in pieces, and shares those of a text that is ready', () => {
    const part = new AnswerText();
    for (let count = 0; count < 20_000; count++) part.add('äöü-');
    const text = AnswerText.of('[');
    text.append(part);
    text.add(',');
    text.append(part);
    text.add(']');
    expect(text.pieces).to.include(part.pieces[0]);
    expect(String(text)).to.equal(`[${'äöü-'.repeat(20_000)},${'äöü-'.repeat(20_000)}]`);
    expect(text.byteLength).to.equal(Buffer.byteLength(String(text)));
  });

  it('ends with a sentence where it gets too long', () => {
    const text = new AnswerText(100_000);
    expect(() => {
      for (let count = 0; count < 100_000; count++) text.add('1234567890');
    }).to.throw('an answer may have 100000 bytes; ask for less at a time');
    expect(text.byteLength).to.be.below(200_000);
  });
});
