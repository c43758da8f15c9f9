// The list of open sessions: exactly as JSON shows it while it is short, bounded and fairly shared when it is long.
import { expect } from 'chai';
import { connectionsJson, type LeftOut, type ShownSession } from './connections.js';

/** A session of these names. */
const sessionOf = (names: readonly string[], tag = ''): ShownSession =>
  ({
    client: { tag, facts: { peer: '[::1]:53412' } },
    isBinary: false,
    cadence: { cycleSeconds: 0.1 },
    listLength: names.length,
    listedNames: () => names,
  }) as unknown as ShownSession;

function made(sessions: readonly ShownSession[]): { readonly pieces: readonly string[]; readonly leftOut: LeftOut } {
  const pieces: string[] = [];
  const run = connectionsJson(sessions);
  for (let step = run.next(); ; step = run.next()) {
    if (step.done) return { pieces, leftOut: step.value };
    pieces.push(step.value);
  }
}

const numbered = (count: number, start = 'object.member'): string[] =>
  Array.from({ length: count }, (_, k) => `${start}[${k}]`);
const namesIn = (text: string): string[][] =>
  JSON.parse(text).variable_server_connections.map(
    (one: { connection: { variables: string[] } }) => one.connection.variables,
  );

describe('the list of open sessions', () => {
  const LISTS = [[], [[]], [['a']], [['a', 'b "quoted"\n']], [[], ['a'], [], numbered(3000)]];
  for (const lists of LISTS) {
    it(`is what JSON makes of it: lists of ${lists.map(({ length }) => length).join(', ') || 'nobody'}`, () => {
      const { pieces, leftOut } = made(lists.map((names) => sessionOf(names, 'a\ntag')));
      const connections = lists.map((variables) => ({
        connection: {
          client_tag: 'a\ntag',
          client_IP_address: '[::1]',
          client_port: '53412',
          format: 'ASCII',
          update_rate: 0.1,
          variables,
        },
      }));
      expect(pieces.join('')).to.equal(`${JSON.stringify({ variable_server_connections: connections }, null, 2)}\n`);
      expect(leftOut).to.deep.equal({ sessions: 0, names: 0 });
    });
  }

  it('is made in pieces', () => {
    const { pieces } = made([sessionOf(numbered(20_000))]);
    expect(Math.max(...pieces.map(({ length }) => length))).to.be.below(10_000);
  });

  it('shows all of a short list beside long ones, and says how much it leaves out', () => {
    const long = numbered(20_000, 'an.object.of.a.long.name');
    const { pieces, leftOut } = made([sessionOf(long), sessionOf(long), sessionOf(['short']), sessionOf(long)]);
    const text = pieces.join('');
    expect(text.length).to.be.within(790_000, 801_000);
    const shown = namesIn(text);
    expect(shown[2]).to.deep.equal(['short']);
    expect(leftOut).to.deep.equal({ sessions: 0, names: 60_001 - shown.flat().length });
    expect(shown[3]).to.deep.equal(long.slice(0, shown[3]?.length));
  });

  it('stays within what a block may print, whatever sessions are called and have listed', () => {
    const worst = sessionOf(['\u0001'.repeat(100_000), ...numbered(1000, '\u0001'.repeat(20))], '\u0001'.repeat(200));
    const { pieces, leftOut } = made(Array.from({ length: 600 }, () => worst));
    expect(pieces.join('').length).to.be.below(900_000);
    expect(leftOut.sessions).to.equal(100);
  });
});
