// A NATS server that speaks TLS and asks for a password, both in its URL.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { edge } from '../lib/index.js';
import { call } from './http-client.js';
import { LaunchedServer, showOutputOfFailure } from './launch.js';
import { NatsServer } from './nats-server.js';
import { selfSigned } from './self-signed.js';

const NAME = 'fixture';
const PASSWORD = 'p@ss/word';

describe('a NATS server with TLS and a password', () => {
  let directory: string | undefined;
  let nats: NatsServer;
  let simulation: LaunchedServer;
  let url: string;
  before(async function () {
    NatsServer.skipWithout(this);
    directory = mkdtempSync(join(tmpdir(), 'varwire-nats-tls-'));
    const made = selfSigned(directory);
    if (typeof made === 'string') {
      console.log(`    skipped: ${made}`);
      this.skip();
    }
    const configuration = join(directory, 'nats.conf');
    writeFileSync(
      configuration,
      `tls { cert_file: "${made.cert}", key_file: "${made.key}" }
       authorization { user: one, password: "${PASSWORD}" }`,
    );
    nats = await NatsServer.start(['-c', configuration]);
    url = nats.url.replace('nats://', `tls://one:${encodeURIComponent(PASSWORD)}@`);
    // Programs that are started from now on know who signed.
    process.env.NODE_EXTRA_CA_CERTS = made.cert;
    simulation = await LaunchedServer.start('compat-tests/fixture/fixture.js', {
      options: ['--no-discovery', '--nats', url, '--nats-name', NAME],
    });
  });
  afterEach(function () {
    showOutputOfFailure(this, simulation);
  });
  after(async () => {
    delete process.env.NODE_EXTRA_CA_CERTS;
    await simulation?.kill();
    await nats?.stop();
    if (directory !== undefined) rmSync(directory, { recursive: true });
  });

  it('passes frames and requests to who has both, and shows neither', async () => {
    const one = await LaunchedServer.command('edge', NAME, '--nats', url);
    try {
      await call(one.port, 'var/set', { alias: 'fx.all.d', value: 3 });
      expect(await call(simulation.port, 'var/get', { aliases: ['fx.all.d'] })).to.deep.include({
        values: { 'fx.all.d': 3 },
      });
      expect(one.output + simulation.output)
        .to.not.contain(encodeURIComponent(PASSWORD))
        .and.not.contain(PASSWORD);
    } finally {
      await one.kill();
    }
  });

  it('is refused in one sentence by who does not know who signed, and refuses a wrong password', async () => {
    const sentence = (asked: string) => edge({ nats: asked, name: NAME }).catch((error: Error) => error.message);
    expect(await sentence(url)).to.match(
      /^the NATS server at 127\.0\.0\.1:\d+ cannot be reached: self.signed certificate$/,
    );
    const wrong = await LaunchedServer.command('edge', NAME, '--nats', url.replace('one:', 'one:x')).catch(
      (error: Error) => error.message,
    );
    expect(wrong).to.match(/^varwire: the NATS server at 127\.0\.0\.1:\d+ cannot be reached: .*authorization/im);
  });

  it('is not taken for one that speaks no TLS', async () => {
    const plain = await NatsServer.start();
    try {
      const asked = edge({ nats: plain.url.replace('nats:', 'tls:'), name: NAME });
      expect(await asked.catch((error: Error) => error.message)).to.match(/cannot be reached: .*tls/i);
    } finally {
      await plain.stop();
    }
  });
});
