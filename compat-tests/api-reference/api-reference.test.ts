// The API reference says what the code says, and every exported name has a docstring.
import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { readEntryPoints } from './exported-names.js';
import { apiPages, COMMANDS, PAGES } from './pages.js';

const FOLDER = new URL('../../../docs/api/', import.meta.url);

describe('docs/api', () => {
  it('is up to date: npm run docs makes it', () => {
    const pages = apiPages();
    expect(readdirSync(FOLDER).sort()).to.deep.equal([...pages.keys(), COMMANDS].sort());
    for (const [file, text] of pages) expect(readFileSync(new URL(file, FOLDER), 'utf8') === text, file).to.equal(true);
  });

  it('has links that lead to a heading', () => {
    const pages = apiPages();
    const headings = new Map([...pages].map(([file, text]) => [file, [...text.matchAll(/^#+ (.*)$/gm)].length]));
    const isThere = (page: string, anchor: string): boolean => {
      const [, slug = '', count = '0'] = /^(.*?)(?:-(\d))?$/.exec(anchor) ?? [];
      const same = [...(pages.get(page) ?? '').matchAll(/^#+ (.*)$/gm)].filter(
        ([, heading = '']) => heading.toLowerCase().replaceAll(' ', '-') === slug,
      );
      return same.length > Number(count);
    };
    const broken = [...pages].flatMap(([page, text]) =>
      [...text.matchAll(/\]\(([\w.]*)#([\w-]+)\)/g)].filter(([, file, anchor = '']) => !isThere(file || page, anchor)),
    );
    expect(broken.map(([link]) => link)).to.deep.equal([]);
    for (const count of headings.values()) expect(count).to.be.above(0);
  });

  it('has a docstring for every exported name', () => {
    const entryPoints = readEntryPoints(PAGES.map(({ declarations }) => declarations));
    const bare = entryPoints.flatMap(({ exported }) => exported.filter(({ about }) => about === ''));
    expect(bare.map(({ folder, name }) => `${folder}/${name}`)).to.deep.equal([]);
    expect(entryPoints.map(({ exported }) => exported.length > 4)).to.deep.equal(PAGES.map(() => true));
  });
});
