// Layouts that clients keep: their names, how many, whose they are, and what is left of their quota.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { DiskQuota } from './disk-quota.js';
import { changeLayout, LAYOUT_NAME, layoutFile, layoutIn, MOST_LAYOUTS } from './layout-files.js';
import { RunDirectory } from './run-directory.js';

describe('layouts in the run directory', () => {
  let root: string;
  let directory: string;
  let layouts: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'varwire-layouts-'));
    directory = join(root, 'RUN');
    layouts = join(directory, 'layouts');
  });
  afterEach(() => rmSync(root, { recursive: true }));
  /** The directory of a run, for a client. */
  function begin(quota = new DiskQuota()): RunDirectory {
    const files = new RunDirectory(directory).limitedBy(quota);
    return files.countedFor(files.accountOf({ address: '10.0.0.1', session: 1 }));
  }
  const kept = (name: string): string => readFileSync(join(layouts, layoutFile(name)), 'utf8');

  it('are kept, replaced only when that is asked for, and removed, also in a later run', () => {
    const first = begin();
    expect(() => changeLayout(first, { name: 'entry' })).to.throw('there is no layout entry');
    expect(existsSync(directory), 'made for nothing').to.equal(false);
    changeLayout(first, { name: 'entry', text: '{"a":1}' });
    const second = begin();
    expect(() => changeLayout(second, { name: 'entry', text: '{"a":2}' })).to.throw(
      'there is a layout entry already, which is replaced only when that is asked for',
    );
    expect(kept('entry')).to.equal('{"a":1}');
    changeLayout(second, { name: 'entry', text: '{"a":2}', mayReplace: true });
    expect(kept('entry')).to.equal('{"a":2}');
    changeLayout(begin(), { name: 'entry' });
    expect(readdirSync(layouts)).to.deep.equal([]);
  });

  it('are neither replaced nor removed where no client has made them', () => {
    mkdirSync(layouts, { recursive: true });
    writeFileSync(join(layouts, 'ours.json'), '{"operators":1}');
    writeFileSync(join(root, 'secret'), '{"secret":1}');
    symlinkSync(join(root, 'secret'), join(layouts, 'link.json'));
    for (const name of ['ours', 'link'])
      for (const text of ['{}', undefined])
        expect(() => changeLayout(begin(), { name, text, mayReplace: true }), `${name} ${text}`).to.throw(
          name === 'ours' ? 'there is a file of this name that no client has made' : 'it is a symbolic link',
        );
    expect(kept('ours')).to.equal('{"operators":1}');
    expect(readFileSync(join(root, 'secret'), 'utf8')).to.equal('{"secret":1}');
  });

  it(`are ${MOST_LAYOUTS} at most, and one that is there is still replaced`, () => {
    const files = begin();
    for (let k = 0; k < MOST_LAYOUTS; k++) changeLayout(files, { name: `l${k}`, text: '{}' });
    const full = `${MOST_LAYOUTS} layouts are kept already; remove one first`;
    expect(() => changeLayout(files, { name: 'more', text: '{}' })).to.throw(full);
    changeLayout(files, { name: 'l7', text: '{"a":1}', mayReplace: true });
    changeLayout(files, { name: 'l8' });
    changeLayout(files, { name: 'more', text: '{}' });
    expect(readdirSync(layouts)).to.have.length(MOST_LAYOUTS);
  });

  it('give back what they took of the quota when they are removed', () => {
    // Two blocks for the directory and one file.
    const files = begin(new DiskQuota(8192 * 4));
    for (let k = 0; k < 20; k++) {
      changeLayout(files, { name: 'entry', text: '{}' });
      changeLayout(files, { name: 'entry' });
    }
  });

  it('have names that lie in their directory, and every other name is refused', () => {
    const files = begin();
    const odd = fc.oneof(
      fc.string({ maxLength: 80 }),
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc
        .array(fc.constantFrom('.', '..', '/', '\\', 'a', ' ', '-', '\0', '.json', '%2e', 'log_a'), { maxLength: 6 })
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(odd, (name) => {
        if (!LAYOUT_NAME.test(name)) {
          expect(() => changeLayout(files, { name, text: '{}' })).to.throw('is no name of a layout');
          return;
        }
        changeLayout(files, { name, text: '{}', mayReplace: true });
        expect(readdirSync(layouts)).to.deep.equal([layoutFile(name)]);
        expect(layoutIn(layoutFile(name))).to.equal(name);
        changeLayout(files, { name });
        expect(readdirSync(directory)).to.deep.equal(['layouts']);
      }),
    );
    for (const name of ['', '.', '..', '../a', 'a/b', 'a\\b', '.a', ' a', 'a ', 'a.', '-a', 'a\n', 'ä', 'x'.repeat(61)])
      expect(LAYOUT_NAME.test(name), JSON.stringify(name)).to.equal(false);
    for (const name of ['a', 'Entry 2', 'v1.2-b_c', 'x'.repeat(60)])
      expect(LAYOUT_NAME.test(name), name).to.equal(true);
  });
});
