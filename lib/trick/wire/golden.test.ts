// The encoders against what Trick answered, byte for byte; commands are understood just well enough to ask for it.
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { createFixture } from '../../testing/aids/trick-fixture.js';
import { encodeList, encodeListJoined } from './list-encoder.js';
import { INITIAL_FORMAT, type ListFormat } from './list-format.js';
import { type ListIndicator, MESSAGES } from './messages.js';
import { ReferenceTable, type TrickReference } from './reference.js';
import { containerSizeIn, encodeExists, encodeListSize, encodeStlSize, existsIn } from './replies.js';

interface Recorded {
  readonly about: string;
  readonly steps: readonly { readonly send: string; readonly recv: string }[];
}

const readGolden = (name: string): Recorded =>
  JSON.parse(
    readFileSync(new URL(`../../../../compat-tests/golden/${name}.json`, import.meta.url), 'utf8'),
  ) as Recorded;

const COMMAND = /^trick\.(\w+)\((.*)\)$/;

/** Keeps a list and a format as a session does, and answers with the encoders' bytes. */
class Listener {
  private readonly fixture = createFixture();
  private readonly table = new ReferenceTable(this.fixture);
  private readonly list: TrickReference[] = [];
  private format: ListFormat = INITIAL_FORMAT;

  answer(block: string): string {
    return block
      .trimEnd()
      .split('\n')
      .map((line) => {
        const [, command = '', text = ''] = COMMAND.exec(line) ?? [];
        const handler = this.commands[command];
        if (!handler) throw new Error(`the test does not know ${line}`);
        const args = [...text.matchAll(/"([^"]*)"|([^\s",]+)/g)].map((match) => match[1] ?? match[2] ?? '');
        return Buffer.from(handler(...args) ?? []).toString('latin1');
      })
      .join('');
  }

  private readonly commands: Record<string, (...args: string[]) => Uint8Array | undefined> = {
    var_add: (name = '', units) => {
      this.list.push(this.table.hold(name, units));
      return undefined;
    },
    var_remove: (name) => {
      const index = this.list.findIndex((reference) => reference.name === name);
      for (const removed of index < 0 ? [] : this.list.splice(index, 1)) this.table.release(removed);
      return undefined;
    },
    var_clear: () => {
      for (const reference of this.list.splice(0)) this.table.release(reference);
      return undefined;
    },
    var_units: (name, units = '') => {
      const index = this.list.findIndex((reference) => reference.name === name);
      const held = this.list[index];
      if (held) this.list[index] = this.table.exchange(held, units).reference;
      return undefined;
    },
    var_send: () => this.encode(MESSAGES.varList.indicator, this.list),
    var_send_once: (names = '', count = '1') =>
      this.sendOnce(
        names.split(',').filter((name) => name !== ''),
        Number(count),
      ),
    var_exists: (name = '') =>
      encodeExists(existsIn(name, this.fixture.catalog, this.fixture.snapshot().memory), this.format.form),
    var_send_list_size: () => encodeListSize(this.list.length, this.format.form),
    var_get_stl_size: (name = '') =>
      encodeStlSize(containerSizeIn(name, this.fixture.catalog, this.fixture.snapshot().memory), this.format.form),
    var_ascii: () => this.set({ form: 'ascii' }),
    var_binary: () => this.set({ form: 'binary' }),
    var_binary_nonames: () => this.set({ form: 'binary', withNames: false }),
    var_byteswap: (flag) => this.set({ isByteSwapped: flag === 'True' }),
  };

  private set(change: Partial<ListFormat>): undefined {
    this.format = { ...this.format, ...change };
  }

  private sendOnce(names: string[], count: number): Uint8Array | undefined {
    if (names.length !== count) return undefined;
    return this.encode(
      MESSAGES.sendOnce.indicator,
      names.map((name) => this.table.hold(name)),
    );
  }

  /** Both encoders must give the same bytes, and no write may be longer than Trick's. */
  private encode(indicator: ListIndicator, references: readonly TrickReference[]): Uint8Array {
    const frame = this.fixture.snapshot();
    const writes = encodeList(indicator, references, this.format, frame);
    for (const write of writes) expect(write.length).to.be.at.most(8192);
    const joined = encodeListJoined(indicator, references, this.format, frame);
    expect(Buffer.concat(writes).equals(joined), 'writes joined').to.equal(true);
    return joined;
  }
}

const RECORDINGS = [
  '01-ascii-scalars',
  '02-ascii-arrays',
  '03-ascii-strings',
  '04-structures',
  '05-containers',
  '06-list',
  '07-units',
  '08-binary',
  '09-binary-nonames',
  '10-binary-byteswap',
  '11-large-ascii',
  '12-large-binary',
  '13-exists',
  '14-send-once',
];

/** The executive's own variables are not part of the fixture. */
const isAboutExecutive = (send: string): boolean => send.includes('trick_sys.');

describe('Trick encoders against recorded answers', () => {
  for (const name of RECORDINGS) {
    const { about, steps } = readGolden(name);
    it(`answers as Trick did: ${name}, ${about}`, () => {
      const listener = new Listener();
      for (const { send, recv } of steps) {
        if (isAboutExecutive(send)) continue;
        expect(listener.answer(send), send.slice(0, 200)).to.equal(recv);
      }
    });
  }
});
