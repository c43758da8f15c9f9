// Every command of the table, with values of all kinds: none meets an error of this program, and each has one signature.
import { expect } from 'chai';
import fc from 'fast-check';
import type { MemoryConnection } from '../../../testing/aids/memory-connection.js';
import { runs } from '../../../testing/aids/run-counts.js';
import { startTrickFixture, type TrickFixture } from '../../../testing/aids/trick-server.js';
import type { Parameter, ParameterType } from '../../python/index.js';
import type { Command } from './command.js';
import { COMMANDS } from './table.js';

const TEXTS = [
  'fx.all.d',
  'fx',
  'nosuch',
  '',
  'RUN_test/chk',
  '127.0.0.1',
  'double made[3]',
  'm',
  '\\x00\\n',
  'ä',
  '%n',
];
const WHOLE = ['0', '1', '3', '-1', '2**31', '2**70'];
const REAL = ['0.5', '-1.5', '1e300', "float('inf')", "float('nan')"];
const WORDS = ['True', 'False'];
const OTHERS = ['None', '[1, 2]', '{}', '(1, "x")', 'len', 'trick.new_event("e")', 'trick', 'fx.all.d', 'fx.all.d3'];
const texts = TEXTS.map((text) => `"${text}"`);

/** Arguments of the type that a parameter has. */
const GOOD: Readonly<Record<ParameterType, readonly string[]>> = {
  text: texts,
  integer: WHOLE,
  number: [...WHOLE, ...REAL, '"0.5"'],
  seconds: [...WHOLE, ...REAL, 'trick.attach_units("min", 2)', 'trick.attach_units("kg", 2)'],
  boolean: WORDS,
  scalar: [...WHOLE, ...REAL, ...WORDS, ...texts],
  value: [...OTHERS, ...WHOLE, ...texts],
  quantity: [...OTHERS, ...WHOLE],
};
const ANY = [...texts, ...WHOLE, ...REAL, ...WORDS, ...OTHERS];

/** A call whose arguments are mostly of the types that the command takes. */
const callOf = ({ name, parameters }: Command): fc.Arbitrary<string> => {
  const needed = parameters.filter(({ standard }) => standard === undefined).length;
  const argument = ({ type }: Parameter) =>
    fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...GOOD[type]) }, fc.constantFrom(...ANY));
  return fc
    .tuple(fc.tuple(...parameters.map(argument)), fc.integer({ min: needed, max: parameters.length }))
    .map(([values, count]) => `trick.${name}(${values.slice(0, count).join(', ')})`);
};

describe('every command', () => {
  let fixture: TrickFixture;
  let client: MemoryConnection;
  async function begin(): Promise<void> {
    fixture = await startTrickFixture();
    client = fixture.connect();
    await fixture.ask(client, 'trick.var_pause()\ntrick.var_set_send_stdio(True)\n');
  }
  before(begin);
  after(() => fixture.close());

  for (const made of COMMANDS.values()) {
    it(`takes what comes: ${made.name}`, async () => {
      await fc.assert(
        fc.asyncProperty(callOf(made), async (call) => {
          const said = await fixture.ask(client, `trick.var_set_send_stdio(True)\n${call}\n`);
          await fixture.pass(20);
          expect(said + client.taken() + fixture.log.join('\n')).not.to.match(/internal error/);
          if ((await fixture.ask(client, 'trick.var_send_list_size()\n')) !== '') return;
          // The command has ended the session or the simulation, or shut off its answers.
          fixture.close();
          await begin();
        }),
        { numRuns: runs(20) },
      );
    });
  }

  it('says how many arguments it takes', async () => {
    for (const { name, parameters } of COMMANDS.values()) {
      const tooMany = Array(parameters.length + 1).fill('1');
      expect(await fixture.ask(client, `trick.${name}(${tooMany.join(', ')})\n`), name).to.match(
        /TypeError: .*argument/,
      );
      if (!parameters.some(({ standard }) => standard === undefined)) continue;
      expect(await fixture.ask(client, `trick.${name}()\n`), name).to.match(/TypeError: .*argument/);
    }
  });
});
