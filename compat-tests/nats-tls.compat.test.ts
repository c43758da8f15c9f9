// A NATS server that speaks TLS and asks for a password, both in its URL.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { edge } from '../lib/index.js';
import { NatsServer } from './nats-server.js';
import { selfSigned } from './self-signed.js';

const NAME = 'tank';
const PROGRAM = fileURLToPath(new URL('./fixture/nats-tls.js', import.meta.url));
const PASSWORD = 'p@ss/word';

describe('a NATS server with TLS and a password', () => {
  let directory: string | undefined;
  let nats: NatsServer;
  let url: string;
  let certificate: string;
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
    certificate = made.cert;
  });
  after(async () => {
    await nats?.stop();
    if (directory !== undefined) rmSync(directory, { recursive: true });
  });

  it('passes frames and requests to who has both and knows who signed, shows neither, and refuses a wrong password', async () => {
    const words = [PROGRAM, url, url.replace('one:', 'one:x')];
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: certificate };
    const { stdout, stderr } = await promisify(execFile)(process.execPath, words, { env });
    const { level, refused, said } = JSON.parse(stdout) as Record<string, unknown>;
    expect(level).to.equal(3);
    expect(refused).to.match(/^the NATS server at 127\.0\.0\.1:\d+ cannot be reached: .*authorization/i);
    expect(JSON.stringify(said)).to.contain('127.0.0.1');
    expect(stdout + stderr)
      .to.not.contain(encodeURIComponent(PASSWORD))
      .and.not.contain(PASSWORD);
  });

  it('is refused in one sentence by who does not know who signed', async () => {
    expect(await edge({ nats: url, name: NAME }).catch((error: Error) => error.message)).to.match(
      /^the NATS server at 127\.0\.0\.1:\d+ cannot be reached: self.signed certificate$/,
    );
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
