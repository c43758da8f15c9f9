// Typed functions called from Trick text, and objects that come and go under a session that reads them.
import { expect } from 'chai';
import { double, enumeration, int, long, struct, text } from '../../../model/state/declare.js';
import type { Sim } from '../../../simulation/executive/simulation.js';
import type { Request } from '../../../source/source.js';
import type { MemoryConnection } from '../../../testing/aids/memory-connection.js';
import { startTrickFixture, type TrickFixture } from '../../../testing/aids/trick-server.js';

const Phase = enumeration('Phase', { STANDBY: 0, ENTRY: 7 });
const Body = struct('Body', { position: double(2, { units: 'm' }), mass: double() });

describe('Trick text and', () => {
  let fixture: TrickFixture;
  let client: MemoryConnection;
  let seen: unknown[];

  const build = (sim: Sim): void => {
    const body = sim.object('ship').component('body', sim.type(Body), { position: [1, 2], mass: 3 });
    sim.type(int(4), { name: 'Counts' });
    const takes = { vx: double({ units: 'm/s' }), vy: double({ units: 'm/s' }) };
    sim.function('kick', { takes }, (given) => void seen.push(given));
    const odd = { at: double(2, { units: 'm' }), body: Body, n: int(), id: long(), phase: Phase, tag: text(32) };
    sim.function('take', { takes: odd, gives: double() }, (given) => {
      seen.push(given);
      return 5;
    });
    sim.function('loose', (...given: unknown[]) => void seen.push(given));
    sim.function('count', { takes: {}, gives: int() }, () => body.mass);
  };

  beforeEach(async () => {
    seen = [];
    fixture = await startTrickFixture({ build });
    client = fixture.connect();
    await fixture.ask(client, 'trick.var_set_send_stdio(True)\n');
  });
  afterEach(() => fixture.close());

  const ask = (line: string): Promise<string> => fixture.ask(client, `${line}\n`);
  const apply = async (request: Request): Promise<void> => {
    await Promise.all([fixture.local.source.submit(request), fixture.pass(1)]);
  };

  describe('typed functions:', () => {
    it('whole numbers are doubles where doubles are taken', async () => {
      expect(await ask('trick.kick(3, 5)')).to.equal('');
      expect(seen).to.deep.equal([{ vx: 3, vy: 5 }]);
    });

    it('keywords name the parameters', async () => {
      await ask('trick.kick(vy=5, vx=3)');
      await ask('trick.kick(1, vy=True)');
      expect(seen).to.deep.equal([
        { vx: 3, vy: 5 },
        { vx: 1, vy: 1 },
      ]);
    });

    it('the text of a number is that number', async () => {
      await ask('trick.kick("3", " 2.5e0 ")');
      expect(seen).to.deep.equal([{ vx: 3, vy: 2.5 }]);
      expect(await ask('trick.kick("x", 5)')).to.match(/TypeError: .*the text "x" does not fit/);
    });

    it('units are converted', async () => {
      await ask('trick.kick(trick.attach_units("km/h", 36), 5)');
      expect(seen).to.deep.equal([{ vx: 10, vy: 5 }]);
    });

    it('variables of more than one value are read, but for text', async () => {
      expect(
        await ask('print(trick.take(ship.body.position, ship.body, 4, 2**62, trick.ENTRY, fx.all.point), end="")'),
      ).to.match(/^4 1 3\n5\.0/);
      const body = { position: [1, 2], mass: 3 };
      expect(seen).to.deep.equal([{ at: [1, 2], body, n: 4, id: 2n ** 62n, phase: 7, tag: 'fx.all.point' }]);
    });

    it('what is written before the call is in what it reads', async () => {
      await ask('ship.body.position[1] = 9\ntrick.take(ship.body.position, ship.body, 4, 2, "ENTRY", "a")');
      expect(seen).to.deep.include({
        at: [1, 9],
        body: { position: [1, 9], mass: 3 },
        n: 4,
        id: 2n,
        phase: 7,
        tag: 'a',
      });
    });

    it('a whole result is an int where the function says so', async () => {
      expect(await ask('print(trick.count(), end="")')).to.match(/^4 1 1\n3/);
    });

    const REFUSED: readonly [string, RegExp][] = [
      ['trick.kick(3, "x")', /TypeError: kick\(\): vy is a double; the text "x" does not fit/],
      ['trick.kick(3)', /TypeError: kick\(\) missing 1 required positional argument: 'vy'/],
      ['trick.kick(3, vz=4)', /TypeError: kick\(\) got an unexpected keyword argument 'vz'/],
      ['trick.kick(1, 2, 3)', /TypeError: kick\(\) takes 2 positional arguments but 3 were given/],
      ['trick.kick(3, trick.attach_units("kg", 3))', /TypeError: kick\(\): vy: expected units that convert from "kg"/],
      ['trick.kick(3, ship.body)', /TypeError: kick\(\): vy is a double; a structure does not fit/],
      ['trick.take([1], ship.body, 4, 2, 7, "a")', /TypeError: take\(\): at takes 2 elements, not 1/],
      [
        'trick.take([1, 2], ship.body, 4.5, 2, 7, "a")',
        /TypeError: take\(\): n is an int; the number 4\.5 does not fit/,
      ],
      ['trick.loose(a=1)', /TypeError: loose\(\) takes no keyword arguments/],
    ];
    for (const [line, sentence] of REFUSED) {
      it(`${line} is refused with one sentence`, async () => {
        expect(await ask(line)).to.match(sentence);
        expect(seen).to.deep.equal([]);
      });
    }
  });

  describe('objects that come and go:', () => {
    const spawn = (object: string, type: string, initial: number[] | { position: number[] }): Request => ({
      kind: 'spawn',
      object,
      components: [{ alias: 'body', type, initial }],
    });
    /** One message of the variables asked for. */
    const sent = async (): Promise<string> => ask('trick.var_send()');

    beforeEach(async () => {
      await ask('trick.var_pause()\ntrick.var_add("pod.body.position[1]")\ntrick.var_add("ship.body.mass")');
      client.taken();
    });

    it('a BAD_REF heals when its object is spawned, and comes back when it is despawned', async () => {
      expect(await sent()).to.equal('0\tBAD_REF\t3\n');
      await apply(spawn('pod', 'Body', { position: [5, 6] }));
      expect(await sent()).to.equal('0\t6\t3\n');
      await apply({ kind: 'despawn', object: 'pod', isRecursive: true });
      expect(await sent()).to.equal('0\tBAD_REF\t3\n');
    });

    it('memory that is used again shows nobody else', async () => {
      await apply(spawn('pod', 'Body', { position: [5, 6] }));
      expect(await sent()).to.equal('0\t6\t3\n');
      const place = fixture.local.source.catalog.find('pod.body')?.offsetBytes;
      await apply({ kind: 'despawn', object: 'pod', isRecursive: true });
      await apply({
        kind: 'spawn',
        object: 'other',
        components: [{ alias: 'body', type: 'Body', initial: { position: [7, 8] } }],
      });
      expect(fixture.local.source.catalog.find('other.body')?.offsetBytes).to.equal(place);
      expect(await sent()).to.equal('0\tBAD_REF\t3\n');
      expect(await ask('trick.var_send_once("other.body.position[1]")')).to.equal('5\t8\n');
    });

    it('a path that comes back with another type is a reference to nothing or to the new one', async () => {
      await apply(spawn('pod', 'Body', { position: [5, 6] }));
      await apply({ kind: 'despawn', object: 'pod', isRecursive: false });
      await apply(spawn('pod', 'Counts', [1, 2, 3, 4]));
      expect(await sent()).to.equal('0\tBAD_REF\t3\n');
      await apply({ kind: 'remove', object: 'pod', aliases: ['body'] });
      await apply({ kind: 'insert', object: 'pod', components: [{ alias: 'body', type: 'Body' }] });
      expect(await sent()).to.equal('0\t0\t3\n');
    });
  });
});
