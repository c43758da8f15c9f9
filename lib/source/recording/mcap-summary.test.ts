// MCAP files that varwire has written are opened by their summaries, as if they had been read.
import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { expect } from 'chai';
import { Mode } from '../../model/frame/header.js';
import { McapFile } from '../../simulation/recording/mcap-file.js';
import { type Column, Row, TIME_COLUMN } from '../../simulation/recording/row.js';
import { ManualClock } from '../../testing/aids/manual-clock.js';
import { recordingsHere } from '../../testing/aids/recordings-here.js';
import { McapRecording } from './mcap.js';
import { played } from './played.js';
import type { Recording } from './recording.js';
import { RecordingFile } from './recording-file.js';
import { survey } from './survey.js';

const ROWS = 3000;
const COLUMNS: readonly Column[] = [
  TIME_COLUMN,
  ...Array.from({ length: 60 }, (_, index): Column => {
    const name = `${index % 2 === 0 ? 'a' : 'b'}.x${index}`;
    return { name, units: 'm', type: { kind: 'number', name: 'double' }, offsetBytes: 8 * (index + 1) };
  }),
];

/** Some chunks: of rows with messages between them, one of messages alone, and one that was ended early. */
function recorded(): Buffer {
  const file = new McapFile(COLUMNS, { hasLog: true });
  const row = new Row(COLUMNS);
  const pieces = [file.start({}), file.say(0, 'normal', 'begun'), file.endChunk()];
  for (let index = 0; index < ROWS; index++) {
    row.setTime(index / 10);
    for (const { offsetBytes } of COLUMNS.slice(1)) row.memory.view.setFloat64(offsetBytes, index * offsetBytes, true);
    pieces.push(file.add(row));
    if (index % 700 === 5) pieces.push(file.say(index / 10, 'warning', `at ${index}`, 'freeze'));
    if (index === 2000) pieces.push(file.endChunk());
  }
  pieces.push(file.end('the disk is full'));
  return Buffer.concat(pieces);
}

/** The same as another program would have written it. */
function ofAnother(file: Buffer): Buffer {
  const bytes = Buffer.from(file);
  bytes.write('another', bytes.indexOf('varwire '));
  return bytes;
}

/** All rows, as they lie in memory. */
const bytesOf = (recording: Recording): Buffer =>
  Buffer.concat([...recording.blocks()].map(({ memory }) => Buffer.from(memory.bytes)));

describe('an MCAP file that varwire has ended', () => {
  const here = recordingsHere();
  const bytes = recorded();

  it('has the rows, messages and reason that reading all of it finds', () => {
    const [known, read] = [here.of('a.mcap', bytes), here.of('b.mcap', ofAnother(bytes))];
    expect(known.rows).to.equal(ROWS);
    expect(bytesOf(known).equals(bytesOf(read))).to.equal(true);
    expect(known.columns).to.deep.equal(read.columns);
    expect(known.messages).to.deep.equal(read.messages);
    expect(known.messages.map(({ text }) => text)).to.deep.equal([
      'begun',
      'at 5',
      'at 705',
      'at 1405',
      'at 2105',
      'at 2805',
    ]);
    expect(known.faults).to.deep.equal(['its recorder has ended it: the disk is full']);
    expect(read.faults).to.deep.equal(known.faults);
    expect([2999, 0, 2001, 1000].map((each) => known.seconds(each))).to.deep.equal([299.9, 0, 200.1, 100]);
    expect(known.messages).to.have.length(6);
  });

  it('is opened without its chunks', () => {
    writeFileSync(here.path('a.mcap'), bytes);
    const file = RecordingFile.open(here.path('a.mcap'));
    const readInto = file.readInto.bind(file);
    let count = 0;
    file.readInto = (buffer, offset) => {
      count += buffer.length;
      readInto(buffer, offset);
    };
    const recording = new McapRecording(file);
    expect([recording.rows, recording.messages.length]).to.deep.equal([ROWS, 6]);
    expect(count).to.be.below(20_000);
    recording.close();
  });

  it('tells of its times without its rows', () => {
    const recording = here.of('a.mcap', bytes);
    expect([...(recording.quickTimes() ?? [])].flatMap((piece) => [...piece])).to.deep.equal(
      Array.from({ length: ROWS }, (_, row) => row / 10),
    );
    expect(survey(recording)).to.deep.equal(survey(here.of('b.mcap', ofAnother(bytes))));
    recording.check();
    expect([recording.rows, recording.faults.length]).to.deep.equal([ROWS, 1]);
  });

  it('is read wholly when its summary cannot be right', () => {
    const rows = bytesOf(here.of('b.mcap', ofAnother(bytes)));
    const summary = Number(bytes.readBigUInt64LE(bytes.length - 28));
    // Where the summary begins, and how long its first record is.
    for (const [at, value] of [
      [bytes.length - 28, 77n],
      [summary + 1, 2n ** 40n],
    ] as const) {
      const broken = Buffer.from(bytes);
      broken.writeBigUInt64LE(value, at);
      const found = here.of('c.mcap', broken);
      expect([found.rows, bytesOf(found).equals(rows)]).to.deep.equal([ROWS, true]);
    }
  });

  it('tells in one sentence that a chunk is damaged when its rows are read', () => {
    writeFileSync(here.path('a.mcap'), bytes);
    const file = openSync(here.path('a.mcap'), 'r+');
    writeSync(file, Buffer.alloc(8, 7), 0, 8, Math.floor(bytes.length / 2));
    closeSync(file);
    const recording = here.open(here.path('a.mcap'));
    expect(recording.seconds(0)).to.equal(0);
    expect(recording.seconds(ROWS - 1)).to.equal(299.9);
    expect(() => bytesOf(recording)).to.throw(/^.*a\.mcap is damaged at byte \d+: [^\n]*$/);
    // Those who look for it have the rows before it.
    const whole = bytesOf(here.of('b.mcap', bytes));
    expect(recording.uncheckedBytes).to.equal(bytes.length);
    recording.check();
    expect(recording.uncheckedBytes).to.equal(0);
    expect(recording.rows).to.be.within(700, 2000);
    expect(recording.faults[0]).to.match(/^.*a\.mcap is damaged at byte \d+: a chunk has another checksum$/);
    expect(bytesOf(recording).equals(whole.subarray(0, recording.rows * recording.rowBytes))).to.equal(true);
    const merged = here.open([here.path('b.mcap'), here.path('a.mcap')]);
    merged.check();
    expect([merged.rows, merged.faults.length]).to.deep.equal([ROWS, 3]);
  });

  it('is played up to where it is damaged', async () => {
    const damagedAt = (name: string, place: number): Recording => {
      const broken = Buffer.from(bytes);
      broken.fill(7, place, place + 8);
      return here.of(name, broken);
    };
    const middle = damagedAt('a.mcap', Math.floor(bytes.length / 2));
    const clock = new ManualClock();
    const { source } = played(middle, [], clock);
    const said: string[] = [];
    source.onMessage(({ text }) => said.push(text));
    source.onFrame(() => undefined);
    await source.submit({ kind: 'control', control: { action: 'run' } });
    for (let second = 0; second < 150; second++) clock.advance(1000);
    const lastSeconds = middle.seconds(middle.rows - 1);
    expect(lastSeconds).to.be.within(60, 200);
    expect([source.frame.timeSeconds, source.playback?.lastSeconds]).to.deep.equal([lastSeconds, lastSeconds]);
    expect(source.frame.header.mode).to.equal(Mode.freeze);
    expect(middle.faults[0]).to.include('a.mcap is damaged at byte ');
    await source.close();
    // The last rows are looked at when it is opened.
    const summaryStart = Number(bytes.readBigUInt64LE(bytes.length - 28));
    const last = damagedAt('b.mcap', summaryStart - 100_000);
    const { source: shown } = played(last, [], new ManualClock());
    expect(shown.playback?.lastSeconds)
      .to.equal(last.seconds(last.rows - 1))
      .and.below(299.9);
    expect(last.faults[0]).to.include('b.mcap is damaged at byte ');
    await shown.close();
  });
});
