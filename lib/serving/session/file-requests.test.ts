// Requests of one session that write or read files: how many may be under way, and their order.

import { expect } from 'chai';
import type { Answer, Request, Source } from '../../source/source.js';
import { NoAnswerError } from '../../source/source.js';
import { Ledger } from '../scheduling/account.js';
import { systemClock } from '../scheduling/clock.js';
import { Outbound } from './outbound.js';
import { Session } from './session.js';

describe('checkpoints that a session asks for', () => {
  const build = () => {
    const asked: { readonly request: Request; readonly answer: (error?: Error) => Promise<void> }[] = [];
    const submit = (request: Request): Promise<Answer> =>
      new Promise((resolve, reject) => {
        const answer = async (error?: Error): Promise<void> => {
          if (error) reject(error);
          else resolve({ frame: 1 });
          await new Promise(setImmediate);
        };
        asked.push({ request, answer });
      });
    const source = { submit } as unknown as Source;
    const account = new Ledger(systemClock).open('test');
    const facts = { frontEnd: 'test', peer: 'test', transport: 'test' };
    const sink = { send: () => true, isFull: false } as never;
    return { asked, session: new Session(1, facts, source, account, new Outbound(sink), () => undefined) };
  };

  it('are eight at a time', async () => {
    const { asked, session } = build();
    for (let i = 0; i < 8; i++) void session.submit({ kind: 'checkpoint', file: `${i}` });
    const refused = await session.submit({ kind: 'checkpoint', file: 'more' }).catch((error: Error) => error.message);
    expect(refused).to.equal('a client may have 8 checkpoints written or read at a time; wait for their answers');
    await asked[0]?.answer();
    void session.submit({ kind: 'checkpoint', file: 'more' });
    expect(asked.length).to.equal(9);
  });

  it('hold back what is asked after a load, which it would overwrite', async () => {
    const { asked, session } = build();
    void session.submit({ kind: 'load-checkpoint', file: 'a' });
    void session.submit({ kind: 'write', writes: [] });
    expect(asked.map(({ request }) => request.kind)).to.deep.equal(['load-checkpoint']);
    await asked[0]?.answer();
    expect(asked.map(({ request }) => request.kind)).to.deep.equal(['load-checkpoint', 'write']);
    void session.submit({ kind: 'look' });
    expect(asked.length).to.equal(3);
  });

  it('and all else that nobody answers are told once, when the session reads', async () => {
    const { asked, session } = build();
    session.submit({ kind: 'write', writes: [] }).catch(() => undefined);
    await asked[0]?.answer(new NoAnswerError('the simulation has not answered'));
    await session.settled;
    expect(session.takeUnanswered()?.message).to.equal('the simulation has not answered');
    expect(session.takeUnanswered()).to.equal(undefined);
  });
});
