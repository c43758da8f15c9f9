// sim/functions and sim/call: arguments by order and by name, in units, and what is refused before anything is called.
import { expect } from 'chai';
import { TestServer } from '../../testing/aids/http-exchange.js';

const TOO_MANY = 'sim/call: arguments: expected a list of at most 256 arguments, or an object with arguments by name';

describe('sim/call', () => {
  let server: TestServer;
  beforeEach(() => {
    server = new TestServer();
  });

  it('answers with the result and the frame that shows what was done', async () => {
    const { value, frame } = await server.call('sim/call', { name: 'speed', arguments: [3, 4] });
    expect([value, frame]).to.deep.equal([5, 125]);
  });

  it('takes arguments by name, in units', async () => {
    const given = { name: 'speed', arguments: { vy: 0, vx: 36 }, units: { vx: 'km/h' } };
    expect((await server.call('sim/call', given)).value).to.be.closeTo(10, 1e-9);
  });

  it('hands anything to a function that does not say what it takes', async () => {
    expect((await server.call('sim/call', { name: 'anything', arguments: [1, 'a', { b: 2 }] })).value).to.equal(3);
  });

  it('takes no number that only becomes infinity', async () => {
    const sentence = 'a number is larger than a double can be; infinity is written "Infinity" or "-Infinity"';
    for (const name of ['anything', 'kick']) {
      const call = `{"jsonrpc":"2.0","id":1,"method":"sim/call","params":{"name":"${name}","arguments":[1e400,1]}}`;
      const { error } = (await server.post(call)).json;
      expect([error.code, error.message]).to.deep.equal([-23411, sentence]);
    }
  });

  const refused: readonly (readonly [given: object, sentence: string])[] = [
    [{ name: 'nosuch' }, 'sim/call: the simulation has no function nosuch'],
    [{ name: 'kcik' }, 'sim/call: the simulation has no function kcik; did you mean kick?'],
    [{ name: 'kick', arguments: [1] }, 'kick() takes 2 arguments (vx, vy), not 1'],
    [{ name: 'kick', arguments: ['a', 1] }, 'kick(): vx is a double; the text "a" does not fit'],
    [{ name: 'kick', arguments: { vx: 1 } }, 'kick() needs the argument vy'],
    [{ name: 'kick', arguments: { vx: 1, vy: 1, vz: 1 } }, 'kick() has no parameter vz'],
    [
      { name: 'kick', arguments: [1, 2], units: { speed: 'm/s' } },
      'kick() has no parameter speed, whose units are given',
    ],
    [{ name: 'kick', arguments: [1, 2], units: { vx: 'kg' } }, 'kick(): vx'],
    [
      { name: 'anything', arguments: { a: 1 } },
      'anything() takes a list of arguments, since its parameters have no names',
    ],
    [{ name: 'kick', arguments: new Array(257).fill(1) }, TOO_MANY],
    [JSON.parse('{ "name": "kick", "arguments": { "__proto__": 1 } }'), TOO_MANY],
    [{ name: 'kick', arguments: { ['v'.repeat(5000)]: 1 } }, TOO_MANY],
    [{ name: 'k'.repeat(5000) }, 'sim/call: name: expected a name of at most 4096 characters'],
    [
      { name: 'kick', arguments: [1, 2], units: { ['v'.repeat(5000)]: 'm/s' } },
      'sim/call: units: expected names of at most 4096 characters',
    ],
  ];
  for (const [given, sentence] of refused) {
    it(`refuses ${JSON.stringify(given).slice(0, 70)}`, async () => {
      const { error } = await server.respond('sim/call', given);
      expect(error.message).to.include(sentence);
      expect(server.ball.requests).to.deep.equal([]);
    });
  }
});
