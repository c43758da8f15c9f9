// The commands that list what a server of varwire knows: events, messages, clients, the past, and whose variables list shows.
import { createServer } from 'node:net';
import { expect } from 'chai';
import { TrickClient } from 'varwire/client';
import { commandHere, signalHere } from './command-here.js';
import { ServerHere, showOutputOfFailure } from './launch.js';

describe('the commands that list', () => {
  let server: ServerHere;
  before(async () => {
    server = await ServerHere.start('compat-tests/fixture/events.js', { options: ['--no-discovery', '--udp', 'off'] });
  });
  after(() => server.stop());
  afterEach(function () {
    showOutputOfFailure(this, server);
  });

  async function run(...args: readonly string[]) {
    const { code, output, complaint } = await commandHere(args.map((arg) => arg.replace('PORT', String(server.port))));
    return { code, output, complaint };
  }

  for (const place of ['PORT', 'http://127.0.0.1:PORT']) {
    it(`list leaves out Trick's own variables unless they are asked for, from ${place}`, async () => {
      const namesOf = ({ output }: { readonly output: string }) =>
        output.split('\n').map((line) => line.split('\t')[0]);
      const own = namesOf(await run('list', place));
      expect(own)
        .to.include('ev.count')
        .and.to.satisfy((names: string[]) => names.every((name) => !/^trick/.test(name)));
      expect(namesOf(await run('list', place, '--all'))).to.include.members(['ev.count', 'trick_sys.sched.time_tics']);
      expect(namesOf(await run('list', place, 'trick_sys.'))).to.include('trick_sys.sched.time_tics');
      expect(namesOf(await run('list', place, 'trick_sys.sched.time_*'))).to.include('trick_sys.sched.time_tics');
    });
  }

  it('events shows what each waits for, and whether it acts', async () => {
    const { output } = await run('events', 'PORT');
    const [head, ...lines] = output.trimEnd().split('\n');
    expect(head).to.match(/^NAME +STATE +FIRED +LAST_FIRED +RAN +LAST_RAN +WAITS_FOR$/);
    expect(lines.join('\n')).to.match(/^ev\.counted +auto +\d/m);
    expect(JSON.parse((await run('events', 'PORT', '--json')).output)[0]).to.include.keys(
      'name',
      'conditions',
      'actions',
    );
    expect((await run('events', 'PORT', '--csv')).output).to.match(/^name,state,fired,.*\n/);
  });

  it('messages prints the latest, and goes on with later ones', async () => {
    const say = (text: string) => run('send', 'PORT', `trick.message_publish(1, "${text}")`);
    await say('first');
    expect((await run('messages', 'PORT', '--last', '2')).output).to.match(
      /^TIME +LEVEL +TEXT\n(.*\n)*[\d.]+ +\w+ +.*first$/m,
    );
    setTimeout(() => signalHere('SIGINT'), 700);
    const following = run('messages', 'PORT', '--last', '0', '--follow', '--json');
    const client = await TrickClient.connect({ port: server.port });
    await client.send('trick.message_publish(1, "second\\x1b")');
    client.close();
    const { code, output } = await following;
    const texts = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).text);
    expect([code, texts.filter((text) => /first|second/.test(text))]).to.deep.equal([
      0,
      texts.filter((text) => /second/.test(text)),
    ]);
    expect(texts.join()).to.include('second');
  });

  it('messages ends at a signal, also while its server does not answer', async () => {
    const silent = createServer((socket) => {
      // The second text is the client's farewell.
      socket.once('data', () => {
        socket.once('data', () => socket.destroy());
        signalHere('SIGTERM');
      });
    });
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as { readonly port: number };
    expect(await run('messages', String(port), '--follow')).to.deep.equal({ code: 0, output: '', complaint: '' });
    silent.close();
  });

  it('clients shows who reads, and what has been sent', async () => {
    const client = await TrickClient.connect({ port: server.port, tag: 'desk 3' });
    const { output } = await run('clients', 'PORT', '--csv');
    client.close();
    expect(output).to.match(/^address,protocol,reads,messages,bytes,dropped,tag\n/);
    expect(output).to.match(/^127\.0\.0\.1:\d+,trick tcp,0,\d+,\d+,0,desk 3$/m);
  });

  it('history prints the past in order, in the units asked for', async () => {
    await run('history', 'PORT', 'trick_sys.sched.software_frame');
    await new Promise((resolve) => setTimeout(resolve, 250));
    const { output } = await run(
      'history',
      'http://127.0.0.1:PORT',
      'trick_sys.sched.software_frame{ms}',
      '--points',
      '5',
    );
    const [head, ...lines] = output.trimEnd().split('\n');
    expect(head).to.equal('time {s},trick_sys.sched.software_frame {ms}');
    const times = lines.map((line) => Number(line.split(',')[0]));
    expect(times)
      .to.deep.equal([...times].sort((a, b) => a - b))
      .and.not.to.equal([]);
    expect(lines[0]).to.match(/,100$/);
  });

  it('one name in two units is two values, or one sentence', async () => {
    const both = ['trick_sys.sched.software_frame', 'trick_sys.sched.software_frame{ms}'];
    for (const place of ['PORT', 'http://127.0.0.1:PORT']) {
      expect((await run('get', place, ...both)).output).to.equal(
        'trick_sys.sched.software_frame\t0.1\ts\ntrick_sys.sched.software_frame\t100\tms\n',
      );
    }
    for (const command of ['watch', 'history']) {
      const { code, complaint } = await run(command, 'http://127.0.0.1:PORT', ...both);
      expect([code, complaint]).to.deep.equal([
        2,
        'varwire: trick_sys.sched.software_frame is asked for in two units; ask for one of them at a time\n',
      ]);
    }
  });

  for (const [args, code, complaint] of [
    [['messages', 'PORT', '--last', '2000'], 2, /^varwire: --last takes a whole number up to 1000, not 2000\n$/],
    [['history', 'PORT'], 2, /^varwire: varwire history takes a server and names/],
    [['history', 'PORT', 'ev.count', '--from', 'x'], 2, /^varwire: --from takes a number, not x\n$/],
    [['history', 'PORT', 'nosuch'], 1, /^varwire: there is no object nosuch\n$/],
    [['events', 'PORT', 'more'], 2, /^varwire: varwire events takes a server/],
    [['clients', 'PORT', '--json', '--csv'], 2, /^varwire: --json and --csv exclude each other\n$/],
  ] as const) {
    it(`${args.join(' ')} fails with one sentence`, async () => {
      const result = await run(...args);
      expect([result.code, result.output]).to.deep.equal([code, '']);
      expect(result.complaint).to.match(complaint);
    });
  }
});
