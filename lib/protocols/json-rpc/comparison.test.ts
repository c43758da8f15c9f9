// What var/wait compares: labels, numbers, texts; and what it refuses instead of never holding.
import { expect } from 'chai';
import { bool, chars, double, enumeration, int, longLong, struct, text } from '../../model/state/declare.js';
import { TestBall } from '../../testing/aids/http-ball.js';
import { TestServer, turn } from '../../testing/aids/http-exchange.js';

const Craft = struct('Craft', {
  phase: enumeration('Phase', { FALLING: 0, LANDED: 2 }),
  name: text(16),
  code: chars(8),
  count: int(),
  big: longLong(),
  armed: bool(),
  mass: double({ units: 'kg' }),
  many: double(3),
});
const INITIAL = { phase: 2, name: 'Ann', code: 'ab', count: 3, big: 2n ** 60n, armed: true, mass: 2 } as const;

describe('a comparison', () => {
  const server = new TestServer(
    new TestBall((state) => state.addObject('craft').component('state', Craft, INITIAL as never)),
  );
  const ask = (condition: unknown) => server.respond('var/wait', { condition, timeout_ms: 0 });
  const holds = async (text: string): Promise<boolean> => {
    const waiting = ask(`craft.state.${text}`);
    for (let count = 0; count < 5; count++) await turn();
    server.clock.advance(1);
    const { result, error } = await waiting;
    if (error && error.code !== -23417) throw new Error(error.message);
    return result !== undefined;
  };
  const refusal = async (text: string) => (await ask(`craft.state.${text}`)).error.message;

  it('takes no number that only becomes infinity', async () => {
    expect(await refusal('mass < 1e400')).to.match(/a number is larger than a double can be/);
  });

  for (const [text, expected] of [
    ['phase == "LANDED"', true],
    ['phase == LANDED', true],
    ['phase != "LANDED"', false],
    ['phase == FALLING', false],
    ['phase != FALLING', true],
    ['phase == 2', true],
    ['name == "Ann"', true],
    ['code == "ab"', true],
    ['name != "Bob"', true],
    ['count >= 3', true],
    ['armed == true', true],
    ['armed == 1', true],
    ['big == "1152921504606846976"', true],
    ['big == "1152921504606846977"', false],
    ['big == 1152921504606846976', true],
    ['big == 1152921504606846977', false],
    ['big < -9223372036854775808', false],
    ['mass < 12345678901234567890', true],
    ['mass < "Infinity"', true],
  ] as const) {
    it(`${expected ? 'holds' : 'does not hold'}: ${text}`, async () => expect(await holds(text)).to.equal(expected));
  }

  it('refuses what cannot be compared, with a sentence', async () => {
    expect(await refusal('phase == "LANDE"')).to.equal(
      'craft.state.phase is a Phase, which has no label "LANDE"; did you mean LANDED?',
    );
    expect(await refusal('mass == "heavy"')).to.equal(
      'craft.state.mass is a double, which cannot be compared with the text "heavy"',
    );
    const inexact = { alias: 'craft.state.big', op: '==', value: 2 ** 60 };
    expect((await ask(inexact)).error.message).to.equal(
      'craft.state.big is a long long: a number beyond 2^53 - 1 is given as text, because JSON may have lost digits',
    );
    expect(await refusal('name == 1152921504606846976')).to.match(/is compared with a text in quotes/);
    expect(await refusal('name == 3')).to.equal('craft.state.name is a text, which is compared with a text in quotes');
    for (const what of ['many == 3', 'many == "x"']) expect(await refusal(what)).to.match(/many is not one value/);
    expect((await ask('craft.state == 3')).error.message).to.match(/is not one value/);
  });

  it('takes labels as objects too', async () => {
    const condition = { alias: 'craft.state.phase', op: '==', value: 'LANDED' };
    expect((await ask(condition)).result.value).to.equal(2);
  });
});
