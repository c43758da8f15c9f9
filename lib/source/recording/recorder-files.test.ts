// What a recorder leaves, read again: the same rows in .trk and MCAP, wherever the file is cut; messages, and why it has ended.
import { cpSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { McapIndexedReader } from '@mcap/core';
import { expect } from 'chai';
import { bool, char, double, float, int, longLong } from '../../model/state/declare.js';
import { run } from '../../run/headless/index.js';
import { simulation } from '../../simulation/executive/simulation.js';
import { recordingsHere, tableOf } from '../../testing/aids/recordings-here.js';
import { TestRun } from '../../testing/aids/simulation-run.js';
import { played } from './played.js';

const VARIABLES = ['o.a', 'o.big', 'o.f', 'o.letter', 'o.on', 'o.small'];

const recorded = simulation({ name: 'recorded', frameSeconds: 0.01 }, (sim) => {
  const o = sim.object('o').components({
    a: double(40, { units: 'm' }),
    big: longLong(),
    f: float(),
    letter: char(),
    on: bool(),
    small: int(),
  });
  sim.job(0.01, () => {
    o.small--;
    o.letter = 65 + (-o.small % 26);
    o.big = -(2n ** 60n) + BigInt(o.small);
    o.on = o.small % 3 === 0;
    o.f = o.small / 3;
    for (let index = 0; index < 40; index++) o.a[index] = o.small === -7 ? Number.NaN : Math.sin(o.small * index);
    if (o.small % 100 === 0) sim.say(`small is ${o.small}`, 'warning');
  });
  for (const [name, format] of Object.entries({ t: 'binary', m: 'mcap', c: 'ascii', x: 'csv' } as const))
    sim.record(name, { format, cycleSeconds: 0.01, variables: VARIABLES });
  sim.record('short', { format: 'mcap', cycleSeconds: 0.01, variables: VARIABLES, maxFileBytes: 60_000 });
  sim.record('few', { format: 'ascii', cycleSeconds: 0.01, variables: ['o.small'], maxFileBytes: 1000 });
});

describe('a recorder', () => {
  const here = recordingsHere();
  const made = mkdtempSync(join(tmpdir(), 'varwire-recorder-'));
  before(() => run(recorded, { untilSeconds: 4, runDirectory: made, seed: 5 }));
  after(() => rmSync(made, { recursive: true }));
  beforeEach(() => cpSync(made, here.path('.'), { recursive: true }));

  it('leaves the same rows in .trk and MCAP, which indexes find, with what was said and the seed', async () => {
    const [trk, mcap] = [here.open(here.path('log_t.trk')), here.open(here.path('log_m.mcap'))];
    expect(mcap.faults).to.deep.equal([]);
    expect(tableOf(mcap)).to.deep.equal(tableOf(trk));
    expect(mcap.columns.map(({ units }) => units)).to.deep.equal(trk.columns.map(({ units }) => units));
    const said = mcap.messages
      .filter(({ text }) => text.startsWith('small'))
      .map(({ seconds, text }) => [seconds, text]);
    expect(said).to.deep.equal([100, 200, 300, 400].map((count) => [(count - 1) / 100, `small is -${count}`]));
    const bytes = readFileSync(here.path('log_m.mcap'));
    const reader = await McapIndexedReader.Initialize({
      readable: {
        size: async () => BigInt(bytes.length),
        read: async (offset, size) => bytes.subarray(Number(offset), Number(offset + size)),
      },
    });
    let messages = 0n;
    for await (const message of reader.readMessages()) messages += BigInt(Math.sign(message.data.length));
    expect(messages).to.equal(reader.statistics?.messageCount);
    for await (const { name, metadata } of reader.readMetadata())
      expect([name, metadata.get('simulation'), metadata.get('seed')]).to.deep.equal(['varwire', 'recorded', '5']);
    expect(reader.header.library).to.equal(`varwire ${mcap.facts.version}`);
    expect(mcap.facts).to.include({ simulation: 'recorded', seed: '5' });
  });

  it('keeps freezes, runs and events as marks at their times', async () => {
    const marked = await TestRun.start(
      {},
      (sim) => {
        sim.object('o').component('x', double());
        sim.record('marked', { format: 'mcap', cycleSeconds: 0.01, variables: ['o.x'] });
      },
      here.path('.'),
    );
    marked.ticks(5);
    for (const action of ['freeze', 'run'] as const) {
      marked.ask({ kind: 'control', control: { action } });
      marked.ticks(5);
    }
    marked.ask({ kind: 'record', control: { action: 'mark', mark: 'event', text: 'apogee', seconds: 0.06 } });
    marked.running.recording.close();
    const { source } = played(here.open(here.path('log_marked.mcap')), []);
    await source.close();
    expect(source.marks?.map(({ mark, seconds, text }) => `${mark} ${seconds} ${text}`)).to.deep.equal([
      'freeze 0.05 frozen',
      'run 0.05 running again',
      'event 0.06 apogee',
    ]);
  });

  it('writes a char as the character, as Trick does, which is read again', () => {
    const [trk, csv] = [here.open(here.path('log_t.trk')), here.open(here.path('log_c.csv'))];
    expect(readFileSync(here.path('log_c.csv'), 'utf8').split('\n')[1]).to.match(/,B,0,\s*-1$/);
    expect(tableOf(csv)['o.letter']).to.deep.equal(tableOf(trk)['o.letter']);
  });

  it('writes a .csv that other tools read as what it is, with every digit', () => {
    const [trk, csv] = [here.open(here.path('log_t.trk')), here.open(here.path('log_x.csv'))];
    const [titles = ''] = readFileSync(here.path('log_x.csv'), 'utf8').split('\n');
    expect(titles).to.match(/^"sys\.exec\.out\.time \{s\}","o\.a\[0\] \{m\}",/);
    expect(tableOf(csv)['o.a[7]']).to.deep.equal(tableOf(trk)['o.a[7]']);
    expect(csv.columns.map(({ units }) => units)).to.deep.equal(trk.columns.map(({ units }) => units));
  });

  it('says messages again when they are played', async () => {
    const { source } = played(here.open(here.path('log_m.mcap')), []);
    const said: string[] = [];
    source.onMessage(({ text }) => said.push(text));
    await source.submit({ kind: 'control', control: { action: 'step', frames: 150 } });
    await source.close();
    expect(said).to.include('small is -100').and.not.include('small is -200');
  });

  for (const name of ['log_t.trk', 'log_m.mcap'])
    it(`leaves in ${name} all rows that are whole, wherever it is cut`, () => {
      const bytes = readFileSync(here.path(name));
      const whole = here.open(here.path(name));
      const last = whole.columns.find((column) => column.name === 'o.small');
      if (!last) throw new Error('there is no o.small');
      const all = whole.values(last);
      const rows: number[] = [];
      for (let cut = 13_000; cut < bytes.length; cut += 1000) {
        writeFileSync(here.path('cut'), bytes.subarray(0, cut));
        const read = here.open(here.path('cut'));
        const values = read.values(read.columns.find((column) => column.name === 'o.small') as never);
        expect(values, `${cut}`).to.deep.equal(all.slice(0, values.length));
        rows.push(values.length);
      }
      expect(rows).to.deep.equal([...rows].sort((one, other) => one - other));
      if (name.endsWith('.trk')) expect(rows.at(-1)).to.be.at.least(all.length - 4);
    });

  it('may have made room for rows when it was killed', () => {
    const file = here.path('log_t.trk');
    const { length } = readFileSync(file);
    const { rows, rowBytes } = here.open(file);
    truncateSync(file, length + 3 * rowBytes);
    expect(here.open(file).rows).to.equal(rows);
  });

  it('tells in the file why it has ended by itself', () => {
    const short = here.open(here.path('log_short.mcap'));
    expect(short.faults).to.deep.equal(['its recorder has ended it: log_short has come to its 60000 bytes']);
    expect(short.rows).to.be.above(50);
    expect(readFileSync(here.path('log_short.mcap')).length).to.be.below(90_000);
    expect(readFileSync(here.path('log_few.header'), 'utf8')).to.match(
      /# recording has ended: log_few has come to its 1000 bytes\n$/,
    );
  });
});
