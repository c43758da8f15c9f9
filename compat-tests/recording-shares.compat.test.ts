// Clients that record all they may, vanish and come again: others start recordings all the same, and so does the operator.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ask, rpc } from './asking.js';
import { ServerHere } from './launch.js';
import { WireClient } from './wire-client.js';

const GREEDY = 'h.set_cycle(0.001)\nh.add_variable("ball.position[0]")\ntrick.add_data_record_group(h)\n';

/** An event of the operator's that begins 30 recordings of 1000 rows a second each. */
const INPUT = `late = trick.new_event("late")
late.condition(0, "ball.position[0] > 1e6")
late.action(0, "for k in range(30):\\n  g = trick.DRBinary('own' + str(k))\\n  g.set_cycle(0.001)\\n  g.add_variable('ball.position[0]')\\n  trick.add_data_record_group(g)\\n")
late.activate()
trick.add_event(late)
`;

describe('recordings of greedy clients', () => {
  let directory: string;
  let server: ServerHere;

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'varwire-shares-'));
    writeFileSync(join(directory, 'input.py'), INPUT);
    const options = ['--no-discovery', '--udp', 'off', '--run-dir', directory];
    server = await ServerHere.start('sims/ball.js', { options: [...options, '--input', join(directory, 'input.py')] });
  });
  after(async () => {
    await server?.stop();
    rmSync(directory, { recursive: true });
  });

  // biome-ignore lint/suspicious/noExplicitAny: whatever the server says
  const call = async (method: string, params: object = {}, localAddress = '127.0.0.1'): Promise<any> =>
    JSON.parse((await ask({ port: server.port, path: '/jsonrpc', body: rpc(method, params), localAddress })).text);
  const start = (name: string, cycle: number, from?: string) =>
    call('recording/start', { name, aliases: ['ball.position[0]'], cycle_sec: cycle }, from);
  const names = async (): Promise<string[]> => {
    const { recordings, waiting } = (await call('recording/list')).result;
    return [...waiting, ...recordings.map(({ name }: { name: string }) => name)];
  };

  /** Adds recordings of 1000 rows a second until it is refused, and leaves. */
  const greedy = async (name: string): Promise<void> => {
    const client = await WireClient.tcp(server.port);
    client.send(
      Array.from({ length: 25 }, (_, k) => `h = trick.DRAscii("${name}_${k}")\n${GREEDY}`).join('') +
        'trick.var_send_once("ball.position[0]")\n',
    );
    await client.line();
    client.close();
  };

  it('leave others of their address something, and other addresses a quarter, however often they come again', async () => {
    await greedy('first');
    expect((await names()).filter((name) => name.startsWith('first')).length).to.equal(7);
    expect((await start('honest', 0.1)).result.file).to.equal('log_honest.csv');
    const { text } = await ask({ port: server.port, path: '/metrics' });
    expect(text).to.include('varwire_held{what="recordings"} 8\n');
    expect(text).to.include('varwire_held{what="recordedRowsPerSecond"} 7010\n');
    expect(text).to.include('varwire_refused_total{what="recordedRowsPerSecond"} 18\n');
    for (let k = 0; k < 6; k++) await greedy(`again${k}`);
    expect((await names()).filter((name) => name.startsWith('again')).length).to.be.within(3, 8);
    expect((await start('too_much', 0.001)).error.message).to.match(
      /a client's recordings may take \d+ rows a second now/,
    );
    expect((await start('elsewhere', 0.001, '127.0.0.2')).result.file).to.equal('log_elsewhere.csv');
    expect((await start('further', 0.01, '127.0.0.3')).result.file).to.equal('log_further.csv');
  });

  it('take nothing from the recordings that the input file begins later', async () => {
    expect((await call('var/set', { alias: 'ball.position[0]', value: 2e6, wait: true })).error).to.equal(undefined);
    for (let count = 0; count < 30; ) count = (await names()).filter((name) => name.startsWith('own')).length;
  });

  it('give back their share when somebody ends them', async () => {
    for (const name of await names()) if (/^(first|again)/.test(name)) await call('recording/stop', { name });
    expect((await start('now', 0.0002)).result.file).to.equal('log_now.csv');
  });
});
