// Downloads of recordings: how many there may be, and what ends one.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { TestExchange } from '../../testing/aids/http-exchange.js';
import { ManualClock } from '../../testing/aids/manual-clock.js';
import { Downloads } from './downloads.js';
import { RECORDINGS_PATH, recordingFiles } from './recording-file.js';

const BYTES = 600_000;

describe('downloads of recordings', () => {
  let directory: string;
  let clock: ManualClock;
  let downloads: Downloads;
  before(() => {
    directory = mkdtempSync(join(tmpdir(), 'varwire-downloads-'));
    writeFileSync(join(directory, 'log_a.csv'), Buffer.alloc(BYTES, 'x'));
  });
  after(() => rmSync(directory, { recursive: true }));
  beforeEach(() => {
    clock = new ManualClock();
    downloads = new Downloads([recordingFiles(() => directory)], clock);
  });

  /** One that is taken or not. */
  function ask(
    isStalled = false,
    peer = '127.0.0.1:9',
  ): { readonly exchange: TestExchange; readonly over: Promise<void> } {
    const exchange = new TestExchange({ path: `${RECORDINGS_PATH}log_a.csv`, peer });
    const { stream } = exchange;
    exchange.stream = (...head) => Object.assign(stream.apply(exchange, head), { isStalled });
    return { exchange, over: downloads.answer(exchange, { headers: {} }) };
  }
  const until = async (isSo: () => boolean): Promise<void> => {
    while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
  };

  it('are 32 at a time, of an address as many as it leaves for others, also when all are asked for at once', async () => {
    const addresses = ['127.0.0.1:1', '10.0.0.1:1', '[::1]:1', '10.0.0.2:1'];
    const asked = addresses.flatMap((peer) => Array.from({ length: 20 }, () => ask(true, peer)));
    await until(() => asked.every(({ exchange: { status, opened } }) => status !== 0 || opened !== undefined));
    const opened = asked.filter(({ exchange }) => exchange.opened);
    expect(addresses.map((peer) => opened.filter(({ exchange }) => exchange.peer === peer).length)).to.deep.equal([
      16, 8, 4, 2,
    ]);
    const refused = asked.filter(({ exchange }) => exchange.status === 503);
    expect(refused).to.have.length(50);
    expect(refused[0]?.exchange.body).to.equal('16 files are being fetched already, 16 of them by this address\n');
    for (const { exchange } of asked) exchange.opened?.cut();
    await Promise.all(asked.map(({ over }) => over));
    const { exchange, over } = ask();
    await over;
    expect(exchange.opened?.messages.join('')).to.have.length(BYTES);
  });

  it('read no further ahead than the client takes, and end when it has taken nothing for a minute', async () => {
    const { exchange, over } = ask(true);
    await until(() => clock.pending > 0);
    const sent = exchange.opened?.messages.join('').length ?? 0;
    expect(sent).to.be.within(256 * 1024, 256 * 1024 + 2 * 64 * 1024);
    clock.advance(59_999);
    expect(exchange.opened?.isEnded).to.equal(false);
    clock.advance(1);
    await over;
    expect(exchange.opened?.isEnded).to.equal(true);
  });
});
