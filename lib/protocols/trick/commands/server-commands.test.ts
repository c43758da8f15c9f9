// What the list of open sessions counts, and that others have their turn while it is made.

import { expect } from 'chai';
import { isRun } from '../../python/index.js';
import type { ShownSession } from '../session/connections.js';
import type { CommandContext } from './command.js';
import { serverCommands } from './server-commands.js';

const names = Array.from({ length: 20_000 }, (_, k) => `an.object.of.a.long.name[${k}]`);
const session = {
  client: { tag: '', facts: { peer: '127.0.0.1:53412' } },
  isBinary: false,
  cadence: { cycleSeconds: 0.1 },
  listLength: names.length,
  listedNames: () => names,
} as unknown as ShownSession;

describe('var_server_list_connections', () => {
  it('counts what it prints, and gives way to others between pieces', () => {
    let [printed, allocated, complaint] = [0, 0, ''];
    const written: string[] = [];
    const context = {
      server: { sessions: () => [session] },
      session: { stdio: { write: (_: string, text: string) => void written.push(text) } },
      isTurnOver: true,
      spendOutput: (characters: number) => {
        printed += characters;
      },
      allocate: (bytes: number) => {
        allocated += bytes;
      },
      complain: (sentence: string) => {
        complaint = sentence;
      },
    };
    const command = serverCommands.find(({ name }) => name === 'var_server_list_connections');
    const result = command?.run(context as unknown as CommandContext, []);
    if (!isRun(result ?? null)) throw new Error('it should be made in turns');
    const turns = [...(result as Generator<unknown>)].length;
    expect(turns).to.be.above(80);
    expect([printed, allocated]).to.deep.equal([written.join('').length, 2 * printed]);
    expect(complaint).to.match(
      /^var_server_list_connections leaves out 0 sessions, and \d+ variables of those that it shows$/,
    );
  });
});
