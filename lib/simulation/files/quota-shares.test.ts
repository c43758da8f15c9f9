// The disk quota: a client leaves others as much as it takes, on whatever thread its files are written.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { CounterSlots } from './counter-slots.js';
import { DiskQuota, quotaFigures } from './disk-quota.js';
import { RunDirectory } from './run-directory.js';

const BLOCK = 4096;

describe('the shares of a disk quota', () => {
  let directory: string;
  let quota: DiskQuota;
  let files: RunDirectory;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'varwire-shares-'));
    quota = new DiskQuota(100 * BLOCK);
    files = new RunDirectory(directory, quota);
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const of = (address: string, session: number) => files.countedFor(files.accountOf({ address, session }));
  const blocks = (count: number) => Buffer.alloc(count * BLOCK);
  let last = 0;
  /** How many files of a block a client can have written. */
  const most = (client: RunDirectory): number => {
    for (let count = 0; ; count++)
      try {
        client.replace(`f${last++}`, blocks(1));
      } catch {
        return count;
      }
  };

  it('are those of clients and of addresses, and connecting anew renews nothing', () => {
    expect(most(of('10.0.0.1', 1))).to.equal(37);
    expect(() => of('10.0.0.1', 1).replace('more', blocks(1))).to.throw(
      "more cannot be written: a client's files may take 151.552 kB now, of 409.6 kB for all",
    );
    expect(most(of('10.0.0.1', 2))).to.equal(19);
    let ofAddress = 56;
    for (let client = 3; client < 20; client++) ofAddress += most(of('10.0.0.1', client));
    expect(ofAddress).to.be.within(74, 75);
    expect(most(of('10.0.0.2', 30))).to.equal(Math.floor((100 - ofAddress) / 2));
    files.replace('of nobody', blocks(5));
    expect(quotaFigures(quota.words)).to.deep.include({ refusals: 21 });
  });

  it('are free again when a file is replaced, by whoever has written it last', () => {
    const [one, other] = [of('10.0.0.1', 1), of('10.0.0.2', 2)];
    one.replace('a', blocks(37));
    for (let round = 0; round < 5; round++) one.replace('a', blocks(37 - round));
    expect(() => one.replace('a', blocks(90))).to.throw("a client's files may take");
    expect(quotaFigures(quota.words).held).to.equal(33 * BLOCK);
    other.replace('a', blocks(30));
    one.replace('b', blocks(30));
    expect(quotaFigures(quota.words).held).to.equal(60 * BLOCK);
  });

  it('bound a recording that grows', () => {
    const file = of('10.0.0.1', 1).create('log_a.trk');
    for (let count = 0; count < 37; count++) file.append(blocks(1));
    expect(() => file.append(blocks(1))).to.throw("a client's files may take");
    file.close();
    expect(file.sizeBytes).to.equal(37 * BLOCK);
    of('10.0.0.1', 1).create('log_a.trk').close();
    expect(quotaFigures(quota.words).held).to.equal(0);
  });

  it('count directories, which are not made when there is no room for them', () => {
    const client = of('10.0.0.1', 1);
    client.replace('a/b/file', blocks(1));
    client.replace('a/b/other', blocks(1));
    expect(quotaFigures(quota.words).held).to.equal(4 * BLOCK);
    for (let count = 0; count < 40; count++)
      try {
        client.replace(`d${count}/file`, blocks(90));
      } catch {}
    expect(readdirSync(directory)).to.have.length(34);
    expect(quotaFigures(quota.words).held).to.equal(37 * BLOCK);
  });

  it('count files that another thread writes, which knows nothing of earlier ones', () => {
    const account = files.accountOf({ address: '10.0.0.1', session: 1 });
    const text = Buffer.from('HEAD'.padEnd(20 * BLOCK));
    for (let round = 0; round < 10; round++) {
      const there = new RunDirectory(directory, new DiskQuota(quota.limitBytes, quota.words));
      there.countedFor(account).replace('./chkpnt', text, 'HEAD', files.accountElsewhere('chkpnt'));
      files.writtenElsewhere('chkpnt', account);
    }
    expect(quotaFigures(quota.words)).to.deep.equal({ held: 20 * BLOCK, refusals: 0 });
    expect(() => of('10.0.0.1', 1).replace('b', blocks(18))).to.throw("a client's files may take");
  });

  it('hold for more clients than there are counters: those of an address still have no more than it has', () => {
    quota = new DiskQuota(4000 * BLOCK);
    files = new RunDirectory(directory, quota);
    const accounts = Array.from({ length: 2500 }, (_, session) => quota.accountOf({ address: '10.0.0.1', session }));
    for (const account of accounts) quota.change(0, BLOCK, account);
    for (const account of accounts) quota.change(BLOCK, 0, account);
    expect(quotaFigures(quota.words).held).to.equal(0);
    let written = 0;
    for (let session = 3000; session < 8000; session++)
      try {
        quota.change(0, BLOCK, quota.accountOf({ address: '10.0.0.1', session }));
        written++;
      } catch {}
    expect(written).to.be.within(2990, 3000);
    quota.change(0, 400 * BLOCK, quota.accountOf({ address: '10.0.0.2', session: 9000 }));
  });

  it('count small files of a large quota so that they are never more than 100,000', () => {
    const large = new DiskQuota(10e9);
    for (let count = 0; count < 100_000; count++) large.change(0, 1);
    expect(() => large.change(0, 1)).to.throw('the 10 GB that clients may have written are used up');
  });
});

describe('counters in a fixed number of places', () => {
  it('are given away when they are free, or shared, or those of whoever was quiet longest', () => {
    const used = new Set<number>();
    const kept = new CounterSlots(4, (slot) => !used.has(slot), 'kept');
    expect(['a', 'b', 'c', 'a'].map((key) => kept.of(key))).to.deep.equal([0, 1, 2, 0]);
    for (const slot of [0, 1, 2]) used.add(slot);
    expect(['d', 'e', 'a'].map((key) => kept.of(key))).to.deep.equal([3, 3, 0]);
    used.delete(1);
    expect(kept.of('d')).to.equal(1);
    used.add(1);
    expect(kept.of('b')).to.equal(3);
    const reused = new CounterSlots(3, () => false, 'reused');
    expect([1, 2, 1, 3, 1].map((key) => reused.of(key))).to.deep.equal([0, 1, 0, 1, 0]);
  });
});
