// Every block of docs/events.md, sent as it stands to the simulation of the first example.
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { endAfterFailure, ServerHere } from './launch.js';
import { WireClient } from './wire-client.js';

const PAGE = readFileSync(new URL('../../docs/events.md', import.meta.url), 'utf8');
const BLOCKS = [...PAGE.matchAll(/^```python\n(.*?)^```$/gms)].map(([, block = '']) => block);
const FIRED = 'trick_ip.mtv.mtv_list[0][0].fired_count';

describe('docs/events.md', () => {
  let server: ServerHere;
  let client: WireClient;

  before(async () => {
    server = await ServerHere.start('sims/ball.js', { options: ['--no-discovery'] });
    client = await WireClient.tcp(server.port);
  });
  after(async () => {
    client.close();
    await server.stop();
  });
  afterEach(async function () {
    await endAfterFailure(this, server);
  });

  const fired = async (): Promise<number> => {
    client.send(`trick.var_send_once("${FIRED}")\n`);
    return Number((await client.line()).split('\t')[1]);
  };

  it('has blocks', () => expect(BLOCKS).to.have.length(3));

  it('makes an event that fires', async () => {
    // However long the start took, the ball is high.
    client.send(`ball.position[1] = 100\n${BLOCKS[0]}`);
    while ((await fired()) === 0);
    expect(server.output).to.match(/high at [\d.]+/);
  });

  it('fires it by hand', async () => {
    const before = await fired();
    client.send(BLOCKS[1] as string);
    expect(Number((await client.line()).split('\t')[1])).to.be.greaterThan(before);
  });

  it('reads what viewers read', async () => {
    client.send(BLOCKS[2] as string);
    expect(await client.line()).to.equal('5\thigh\tabove two metres\t0.5');
    expect(await client.line()).to.equal('3\t8');
    expect(await client.line()).to.match(/^0\thigh\t[01]\t1\t1\t1\t0\tabove two metres\t\\nprint\("high at"/);
  });
});
