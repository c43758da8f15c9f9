// What an operator sees of a running server: its log for programs, GET /metrics and GET /healthz.
import { once } from 'node:events';
import { expect } from 'chai';
import WebSocket from 'ws';
import { ask, rpc } from './asking.js';
import { EventStream } from './http-client.js';
import { healthOf } from './in-time.js';
import { LaunchedServer, showOutputOfFailure } from './launch.js';
import { WireClient } from './wire-client.js';

interface LogLine {
  readonly level: string;
  readonly time: string;
  readonly msg: string;
  readonly [fact: string]: unknown;
}

describe('the operator of a server', () => {
  let server: LaunchedServer;
  before(async () => {
    const options = ['--no-discovery', '--udp', 'off', '--log', 'json', '--max-subscriptions', '10'];
    server = await LaunchedServer.start('sims/ball.js', { options });
  });
  after(() => server?.stop());
  afterEach(function () {
    showOutputOfFailure(this, server);
  });

  const log = (): LogLine[] =>
    server.output
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
  async function logged(isMeant: (line: LogLine) => boolean): Promise<LogLine> {
    for (;;) {
      const line = log().find(isMeant);
      if (line) return line;
      await ask({ port: server.port, path: '/healthz' });
    }
  }
  async function sample(name: string): Promise<number> {
    const { text } = await ask({ port: server.port, path: '/metrics' });
    const line = text.split('\n').find((all) => all.startsWith(`${name} `));
    if (line === undefined) throw new Error(`no sample ${name} in:\n${text}`);
    return Number(line.slice(name.length));
  }

  it('reads of each session who came, what it was sent and what its name is', async () => {
    const client = await WireClient.tcp(server.port);
    client.send('trick.var_set_client_tag("strip chart")\ntrick.var_exists("ball.position")\n');
    expect(await client.line()).to.equal('1\t1');
    client.close();
    const closed = await logged(({ frontEnd, msg }) => frontEnd === 'trick' && msg.includes('closed'));
    expect(closed).to.include({ level: 'info', transport: 'tcp', tag: 'strip chart' });
    expect(closed).to.include({ sentMessages: 1, sentBytes: 4, droppedMessages: 0 });
    expect(closed.peer).to.match(/^127\.0\.0\.1:\d+$/);
    expect(closed.time).to.match(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    const opened = await logged(({ session, msg }) => session === closed.session && msg.includes('opened'));
    expect(opened).to.include({ frontEnd: 'trick', transport: 'tcp', peer: closed.peer });
  });

  it('reads short lines only, also of a session that runs the text of another', async () => {
    await ask({ port: server.port, path: '/jsonrpc', body: rpc('trick/run', { text: 'print(1)' }) });
    const opened = await logged(({ transport, msg }) => transport === 'json-rpc' && msg.includes('opened'));
    expect(opened.openedBy).to.be.a('number');
    expect(Math.max(...server.output.split('\n').map(({ length }) => length))).to.be.below(2000);
  });

  it('reads what the log, large frames and reads leave out', async () => {
    for (const what of ['logBytes', 'framePages', 'readMillis'])
      expect(await sample(`varwire_refused_total{what="${what}"}`), what).to.equal(0);
  });

  it('reads who was refused, and why', async () => {
    await ask({
      port: server.port,
      path: '/jsonrpc',
      body: rpc('sim/status'),
      headers: { origin: 'http://evil.example' },
    });
    const refused = await logged(({ status }) => status === 403);
    expect(refused).to.include({ method: 'POST', path: '/jsonrpc' });
    expect(refused.msg).to.match(/was refused: pages from http:\/\/evil\.example may not use this server/);
  });

  it('reads that a client is held back, and why, without a line for each thing that it was refused', async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/ws`);
    await once(socket, 'open');
    const subscribe = rpc('var/subscribe', { aliases: ['ball.position'] });
    socket.send(`[${Array<string>(20).fill(subscribe).join(',')}]`);
    const isAnswer = (text: string) => text.startsWith('[');
    let answer = '';
    while (!isAnswer(answer)) [answer] = (await once(socket, 'message')).map(String) as [string];
    const errors = (JSON.parse(answer) as readonly { error?: { message: string } }[]).flatMap(
      ({ error }) => error ?? [],
    );
    const sentence = 'a client may have 5 subscriptions';
    expect(errors.map(({ message }) => message)).to.deep.equal(Array(15).fill(sentence));
    const isOfHeldBack = ({ msg }: LogLine) => msg.includes('is held back');
    const line = await logged(isOfHeldBack);
    expect(line.level).to.equal('warn');
    expect(line.msg).to.equal(`${line.peer} is held back: ${sentence}`);
    expect(line.peer).to.match(/^127\.0\.0\.1:\d+$/);
    socket.terminate();
    // One a second (lib/serving/session/registry.test.ts); what else is refused meanwhile is counted in the next line.
    expect(log().filter(isOfHeldBack).length).to.be.below(errors.length);
  });

  it('counts sessions of both kinds, what they were sent, and the simulation itself', async () => {
    expect(await healthOf(200, () => ask({ port: server.port, path: '/healthz' }))).to.equal('ok\n');
    const [sessions, sent] = [
      'varwire_sessions{front_end="trick",transport="tcp"}',
      'varwire_messages_sent_total{front_end="trick"}',
    ];
    const before = await sample(sent);
    const client = await WireClient.tcp(server.port);
    client.send('trick.var_exists("ball.position")\n'.repeat(3));
    for (let n = 0; n < 3; n++) await client.line();
    expect(await sample(sessions)).to.equal(1);
    expect(await sample(sent)).to.equal(before + 3);
    client.close();
    await logged(({ sentMessages }) => sentMessages === 3);
    expect(await sample(sent)).to.equal(before + 3);

    const [ticks, seconds] = [await sample('varwire_ticks_total'), await sample('varwire_sim_time_seconds')];
    const stream = await EventStream.subscribe(server.port, ['ball.position'], 10);
    expect(await sample('varwire_sessions{front_end="http",transport="sse"}')).to.equal(1);
    let events = 0;
    for await (const _ of stream.messages()) if (++events === 20) break;
    stream.close();
    expect(await sample('varwire_ticks_total')).to.be.at.least(ticks + 19);
    expect(await sample('varwire_sim_time_seconds')).to.be.at.least(seconds + 0.18);
    expect(await sample('varwire_messages_sent_total{front_end="http"}')).to.be.at.least(20);
    expect(await sample('varwire_sim_running')).to.equal(1);
    expect(await sample('varwire_frames_lapped_total')).to.equal(0);
    expect(await sample('varwire_overruns_total')).to.be.at.least(0);
    expect(await sample('varwire_messages_dropped_total{front_end="http"}')).to.equal(0);
  });
});
