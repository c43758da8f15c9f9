// The commands on a server that answers as NASA's Trick does, and the same where varwire answers.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { TrickClient } from '../lib/clients/trick/index.js';
import { commandHere, type Ended, signalHere } from './command-here.js';
import { ServerHere } from './launch.js';
import { TrickStandIn } from './trick-stand-in.js';
import { member } from './trick-stand-in-description.js';

const thirds = (count: number, factor = 1): number[] =>
  Array.from({ length: count }, (_, index) => (index + 1 / 3) * factor);

describe("the commands on NASA's Trick", () => {
  let trick: TrickStandIn;
  beforeEach(async () => {
    trick = await new TrickStandIn().start();
  });
  // Whatever was asked for, and however it ended.
  afterEach(() => leavesNothing().finally(() => trick.stop()));

  const run = (...args: readonly string[]): Promise<Ended> =>
    commandHere(args.map((arg) => arg.replace('PORT', String(trick.port))));
  /** A session ends a cycle after its client has said so. */
  const leavesNothing = async (): Promise<void> => {
    for (let turn = 0; turn < 100 && trick.sessions.size > 0; turn++) await delay(10);
    expect(trick.sessions.size).to.equal(0);
    expect([trick.hasCrashed, trick.isWedged]).to.deep.equal([false, false]);
  };

  it('call calls a function once, in its own language', async () => {
    expect(await run('call', 'PORT', 'kick', '3', '5')).to.deep.equal({ code: 0, output: '8\n', complaint: '' });
    expect(trick.kicks).to.equal(1);
    const { code, complaint } = await run('call', 'PORT', 'nosuch');
    expect(code).to.equal(1);
    expect(complaint).to.include("has no attribute 'nosuch'");
  });

  it('watch that is left in the middle copies no longer', async () => {
    const watching = run('watch', 'PORT', 'fx.d', 'fx.big', '--cycle', '0.01');
    while (![...trick.sessions].some(({ list }) => list.length > 0)) await delay(5);
    expect(trick.sessions.size).to.equal(2);
    signalHere('SIGINT');
    expect((await watching).code).to.equal(0);
  });

  it('set stores labels as their numbers, and nothing for one that there is not', async () => {
    expect(await run('set', 'PORT', 'fx.phase', 'EXIT')).to.include({ code: 0, complaint: '' });
    expect(trick.one('fx.phase')).to.equal(9);
    // Its labels are in no document that a command asks for.
    expect((await run('set', 'PORT', 'fx.colour', 'RED')).code).to.equal(0);
    expect(trick.one('fx.colour')).to.equal(1);
    for (const name of ['fx.phase', 'fx.colour']) expect((await run('set', 'PORT', name, 'NOPE')).code).to.equal(1);
    expect([trick.one('fx.phase'), trick.one('fx.colour')]).to.deep.equal([9, 1]);
  });

  it('set gives a flat list the shape of its array, and says that a longer one does not fit', async () => {
    const values = Array.from({ length: 1200 }, (_, index) => index / 2);
    expect((await run('set', 'PORT', 'fx.grid', JSON.stringify(values))).code).to.equal(0);
    expect(trick.held['fx.grid']?.values).to.deep.equal(values);
    const long = await run('set', 'PORT', 'fx.grid', JSON.stringify([...values, 1]));
    expect(long).to.include({
      code: 2,
      complaint: 'varwire: fx.grid has 1200 elements, a list of 1201 does not fit\n',
    });
    expect(trick.held['fx.grid']?.values).to.deep.equal(values);
  });

  it('set sends no number that would lose bits, and no wide text, and says so', async () => {
    const tooLarge = await run('set', 'PORT', 'odd.byte', '300');
    expect(tooLarge).to.include({
      code: 2,
      complaint: 'varwire: odd.byte is of type unsigned char, which cannot hold 300\n',
    });
    const wide = await run('set', 'PORT', 'odd.wide', 'text');
    expect(wide.code).to.equal(2);
    expect(wide.complaint).to.match(/^varwire: odd\.wide is wide text, which Trick would fill with narrow characters/);
    expect([trick.one('odd.byte'), trick.one('odd.wide')]).to.deep.equal([5, 0x3c0]);
    expect((await run('get', 'PORT', 'odd.wide')).output).to.equal('odd.wide\tπ\n');
  });

  it('list prints names that Trick takes: through pointers by an index, none through null, containers as such', async () => {
    const { output } = await run('list', 'PORT', 'odd.');
    expect(output.trim().split('\n')).to.deep.equal([
      'odd.byte\tunsigned char',
      'odd.wide\tstd__wstring',
      'odd.spare[0].reading\tdouble',
      'odd.list\tstd__vector<double>',
    ]);
    const { output: ascii } = await run('get', 'PORT', 'odd.list', 'odd.spare[0].reading', '--ascii');
    expect(ascii).to.equal('odd.list\t[1, 2]\nodd.spare[0].reading\t4.5\n');
  });

  it('read and follow more names than a socket of the simulation holds', async () => {
    const names = Array.from({ length: 6000 }, (_, index) => `wide.a_member_with_a_name_of_forty_characters_${index}`);
    for (const [index, name] of names.entries()) trick.held[name] = { kind: 'int', units: 'm', values: [index] };
    const client = await TrickClient.connect({ port: trick.port });
    const expected = names.map((_, index) => index);
    const inUnits = await client.get(names, { units: 'm' });
    expect(inUnits.map(({ value }) => value)).to.deep.equal(expected);
    const watched = client.subscribe(names);
    for await (const { values } of watched) {
      expect(values).to.deep.equal(expected);
      break;
    }
    client.close();
  });

  it('list over UDP takes the description by TCP: in datagrams it would be lost', async () => {
    const members = Array.from({ length: 3000 }, (_, index) => member(`a_member_with_a_long_name_${index}`, 'int'));
    trick.description = `<sie><class name="Fx">${member('d', 'double')}${members.join('')}</class><top_level_object name="fx" type="Fx" /></sie>`;
    const session = connect(trick.port, '127.0.0.1');
    const datagrams = createSocket('udp4').bind(trick.port, '127.0.0.1');
    await Promise.all([once(session, 'connect'), once(datagrams, 'listening')]);
    let sent = '';
    datagrams.on('message', (bytes, { port, address }) => {
      sent += bytes;
      session.removeAllListeners('data').on('data', (reply) => datagrams.send(reply, port, address));
      session.write(bytes);
    });
    const { code, output, complaint } = await run('list', 'PORT', 'fx.d', '--udp');
    datagrams.close();
    session.end('trick.var_exit()\n');
    expect({ code, output, complaint }).to.deep.equal({ code: 0, output: 'fx.d\tdouble\n', complaint: '' });
    expect(sent).to.include('var_').and.not.include('send_sie_resource');
    expect(trick.resources).to.equal(1);
  });

  it('say soon that no JSON-RPC is spoken, and leave no session behind', async () => {
    const sentence = /^127\.0\.0\.1:\d+ is a variable server of NASA's Trick, which speaks no JSON-RPC; /;
    const begin = performance.now();
    const { code, complaint } = await run('get', 'http://127.0.0.1:PORT', 'fx.d', 'fx.x', 'fx.big');
    expect(complaint.replace('varwire: ', '')).to.match(sentence);
    expect(code).to.equal(1);
    expect(performance.now() - begin).to.be.below(4500);
    expect(trick.kicks).to.equal(0);
  });

  it('leave no session behind when it does not answer in time, by either language', async () => {
    const ended = [await run('get', 'http://127.0.0.1:PORT', 'fx.d', '--timeout', '0.2')];
    trick.isBusy = true;
    ended.push(await run('get', 'PORT', 'fx.d', '--timeout', '0.2'));
    expect(ended.map(({ code }) => code)).to.deep.equal([1, 1]);
    for (const { complaint } of ended)
      expect(complaint).to.match(/^varwire: no answer from 127\.0\.0\.1:\d+ within 200 ms\n$/);
    trick.isBusy = false;
  });

  it('get never asks for an element of an element of a container', async () => {
    expect((await run('get', 'PORT', 'fx.vd[1]', 'fx.d', 'fx.one')).output).to.equal(
      'fx.vd[1]\t20\nfx.d\t1.5\tm\nfx.one\t[2.5]\n',
    );
    expect((await run('get', 'PORT', 'fx.vd')).output).to.equal('fx.vd\t[10, 20, 30]\n');
    expect((await run('watch', 'PORT', 'fx.vd[1]', '--count', '1', '--json')).output).to.include('"fx.vd[1]":20');
  });

  it('set stores no part of a fraction, and says so', async () => {
    const refused = await run('set', 'PORT', 'fx.x', '7.5');
    expect(refused).to.include({ code: 2, output: '' });
    expect(refused.complaint).to.equal('varwire: fx.x is of type int, which cannot hold 7.5\n');
    expect(trick.one('fx.x')).to.equal(3);
    expect((await run('set', 'PORT', 'fx.x', '7.5', '--units', 'ft')).code).to.equal(1);
    expect((await run('set', 'PORT', 'fx.x', '8')).output).to.equal('fx.x\t8\tm\n');
    expect((await run('set', 'PORT', 'fx.d', '7.5')).output).to.equal('fx.d\t7.5\tm\n');
  });

  it('set takes whole arrays that no message holds, no shorter list, and sees that they are there', async () => {
    const values = Array.from({ length: 1500 }, (_, index) => index);
    expect((await run('set', 'PORT', 'fx.huge', JSON.stringify(values))).code).to.equal(0);
    expect(trick.held['fx.huge']?.values).to.deep.equal(values);
    const short = await run('set', 'PORT', 'fx.huge', '[1, 2]');
    expect([short.code, short.complaint]).to.deep.equal([
      2,
      'varwire: fx.huge has 1500 elements, a list of 2 does not fit\n',
    ]);
    expect(trick.one('fx.huge')).to.equal(0);
  });

  it('checkpoint --load freezes a simulation that runs, and lets it run when the file is loaded', async () => {
    expect((await run('checkpoint', '--load', 'PORT', 'RUN_test/x')).code).to.equal(0);
    expect([trick.loadedIn, trick.mode]).to.deep.equal([[1], 5]);
    trick.mode = 1;
    expect((await run('checkpoint', '--load', 'PORT', 'RUN_test/x')).code).to.equal(0);
    while (trick.loadedIn.length < 2) await delay(5);
    expect([trick.loadedIn, trick.mode]).to.deep.equal([[1, 1], 1]);
  });

  it('ask for the description once, and only when they need it', async () => {
    for (const [asked, ...args] of [
      [0, 'get', 'PORT', 'fx.d', 'fx.big', 'fx.vd[1]'],
      [1, 'get', 'PORT', 'fx.*', 'fx.phase'],
      [1, 'get', 'PORT', 'fx.huge', 'fx.phase', 'fx.grid{ft}'],
      [1, 'get', 'PORT', 'fx.nosuch'],
      [1, 'list', 'PORT'],
      [1, 'set', 'PORT', 'fx.phase', '7'],
      [1, 'describe', 'PORT', 'fx.huge', 'fx.phase', 'trick_sys.sched.mode'],
    ] as const) {
      trick.resources = 0;
      await run(...args);
      expect(trick.resources, args.join(' ')).to.equal(asked);
    }
    const client = await TrickClient.connect({ port: trick.port });
    trick.resources = 0;
    await Promise.all([client.sieResource(), client.details(['fx.d']), client.details(['fx.nosuch'])]);
    await client.labels(['fx.phase', 'fx.x']);
    expect(trick.resources).to.equal(1);
    expect(await client.sieResource({ again: true })).to.include('Fx');
    expect(trick.resources).to.equal(2);
    client.close();
  });

  describe('and of varwire, on arrays that no message holds,', () => {
    let server: ServerHere;
    before(async () => {
      server = await ServerHere.start('compat-tests/fixture/arrays.js', { options: ['--no-discovery'] });
    });
    after(() => server.stop());

    for (const where of ['Trick', 'varwire'] as const)
      for (const form of where === 'Trick' ? (['--json', '--ascii'] as const) : (['--json'] as const)) {
        const at = (): { port: string; object: string } =>
          where === 'Trick'
            ? { port: String(trick.port), object: 'fx' }
            : { port: String(server.port), object: 'a.all' };
        /** Values and units by name. */
        const got = async (...names: readonly string[]) => {
          const { port, object } = at();
          const asked = names.map((name) => `${object}.${name}`);
          const { output, complaint } = await run(
            'get',
            port,
            ...asked,
            '--json',
            ...(form === '--ascii' ? [form] : []),
          );
          expect(complaint).to.equal('');
          return Object.values(JSON.parse(output)) as { value: number[]; units?: string }[];
        };
        const near = (found: readonly number[] | undefined, expected: readonly number[]): void => {
          expect(found).to.have.length(expected.length);
          for (const [index, value] of expected.entries())
            expect(found?.[index]).to.be.closeTo(value, 1e-9 * (1 + value));
        };

        it(`get reads them whole and in any units, from ${where} with ${form}`, async () => {
          const [big, huge, grid, one] = await got('big', 'huge', 'grid', 'one');
          near(big?.value, thirds(600));
          near(huge?.value, thirds(1500));
          expect(grid?.value).to.have.length(1200);
          expect([big?.units, huge?.units, grid?.units]).to.deep.equal(['m', 'm', 'm']);
          expect(one?.value).to.deep.equal([2.5]);
          const [feet] = await got('big{ft}');
          near(feet?.value, thirds(600, 1 / 0.3048));
          expect(feet?.units).to.equal('ft');
        });

        it(`watch follows them, from ${where} with ${form}`, async () => {
          const { port, object } = at();
          const options = ['--count', '1', '--json', ...(form === '--ascii' ? [form] : [])];
          const names = [`${object}.big`, `${object}.huge`, `${object}.d`].slice(0, where === 'Trick' ? 3 : 2);
          const { output } = await run('watch', port, ...names, ...options);
          const { values } = JSON.parse(output);
          near(values[`${object}.big`], thirds(600));
          near(values[`${object}.huge`], thirds(1500));
        });
      }
  });
});
