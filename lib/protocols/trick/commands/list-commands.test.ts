// What commands on a session's list count, so that a block of many of them gives way.
import { expect } from 'chai';
import { isRun, type Run } from '../../python/index.js';
import type { CommandContext } from './command.js';
import { listCommands } from './list-commands.js';

describe('a command that sends values', () => {
  const run = (name: string, values: readonly (string | bigint)[], work?: Run<void>) => {
    const happened: string[] = [];
    const session = { listLength: 1600, sendList: () => work, sendOnce: () => work };
    const context = { session, spend: (steps: number) => happened.push(`${steps} steps`) };
    const result = listCommands
      .find((command) => command.name === name)
      ?.run(context as unknown as CommandContext, values);
    return { happened, result };
  };

  it('counts a step for sixteen variables', () => {
    expect(run('var_send', []).happened).to.deep.equal(['100 steps']);
    expect(run('var_send_once', ['a,b,c', 3n]).happened).to.deep.equal(['1 steps']);
  });

  it('counts a long message when all of it has been made', () => {
    const { happened, result } = run(
      'var_send',
      [],
      (function* (): Run<void> {
        happenedBetween();
        yield 'turn';
        happenedBetween();
      })(),
    );
    function happenedBetween(): void {
      expect(happened).to.deep.equal([]);
    }
    if (!isRun(result ?? null)) throw new Error('it should be sent in turns');
    const steps = [...(result as Generator<unknown>)];
    expect([steps, happened]).to.deep.equal([['turn'], ['100 steps']]);
  });
});

describe('a command that looks for a variable of the list', () => {
  it('counts a step for each 64 names that it has compared', () => {
    const spent: number[] = [];
    const session = { remove: () => 6400, setUnits: () => 128 };
    const context = { session, spend: (steps: number) => void spent.push(steps) } as unknown as CommandContext;
    for (const name of ['var_remove', 'var_units'])
      listCommands.find((command) => command.name === name)?.run(context, ['other', 'm']);
    expect(spent).to.deep.equal([100, 2]);
  });
});
