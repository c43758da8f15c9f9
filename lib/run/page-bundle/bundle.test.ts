import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { type Manifest, NOTICES } from './bundle.js';

const MOST_BYTES = 150_000;
/** For 3D: three.js is most of it. */
const MOST_ASKED_FOR = 190_000;
/** On a slow line these decide when the first values show. */
const MOST_FIRST_BYTES = 50_000;
const assets = new URL('../../page/assets/', import.meta.url);
const sizeOf = (name: string): number => readFileSync(new URL(`${name}.gz`, assets)).length;

describe('the files of the page', () => {
  const manifest = JSON.parse(readFileSync(new URL('manifest.json', assets), 'utf8')) as Manifest;

  it(`take less than ${MOST_BYTES / 1000} kB on their way to a browser without 3D, those of the first values less than ${MOST_FIRST_BYTES / 1000}, and the client alone less than 8`, () => {
    const sizesOf = (names: readonly string[]): number => names.reduce((sum, name) => sum + sizeOf(name), 0);
    const all = manifest.files.filter((name) => !manifest.askedFor.includes(name));
    expect(sizesOf(all)).to.be.within(20_000, MOST_BYTES);
    expect(sizesOf(manifest.askedFor)).to.be.within(20_000, MOST_ASKED_FOR);
    expect(sizeOf('varwire.js')).to.be.below(8_000);
    const { firstCalls, script, imported, style } = manifest;
    expect(sizesOf([firstCalls, script, ...imported, style])).to.be.within(20_000, MOST_FIRST_BYTES);
  });

  it('have their content in their names, and load nothing from elsewhere', () => {
    expect(manifest.files).to.include.members([manifest.script, manifest.style]);
    for (const name of manifest.files) {
      expect(name).to.match(/^[a-z]+-[A-Z0-9]{8}\.(js|css)$/);
      const text = readFileSync(new URL(name, assets), 'utf8');
      expect(text).to.not.match(/\beval\(|new Function\(|url\(["']?https?:|@import/);
      expect(text.match(/https?:\/\/(?!www\.w3\.org)[\w.]+/g) ?? []).to.deep.equal([]);
    }
  });

  it('have beside them the licence of every library whose code is in them', () => {
    const notices = readFileSync(new URL(NOTICES, assets), 'utf8').split(/\n-{80}\n\n/);
    const named = notices.map((notice) => notice.split(' ', 1)[0]);
    expect(named).to.deep.equal(['@preact/signals', '@preact/signals-core', 'preact', 'three', 'uplot']);
    for (const notice of notices)
      expect(notice)
        .to.match(/^\S+ \d+\.\d+\.\d+ \(MIT\)\n/)
        .and.match(/Copyright [\s\S]*"AS IS"/);
  });
});
