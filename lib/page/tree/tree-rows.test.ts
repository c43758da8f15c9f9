import { expect } from 'chai';
import { Branch, PAGE_ROWS, type TreeRow, typeText } from './tree-rows.js';

const row = (alias: string, has_children = true): TreeRow => ({
  alias,
  name: alias.split('.').at(-1) as string,
  kind: has_children ? 'struct' : 'number',
  type_path: has_children ? 'Part' : 'double',
  unit: '1',
  dim: [],
  about: '',
  access: 'read-write',
  has_children,
});

/** a (open: a.x, a.y), b, c (open: c.x), d */
function setUp(): Branch {
  const root = new Branch('', 1);
  root.take(
    0,
    4,
    ['a', 'b', 'c', 'd'].map((name) => row(name)),
  );
  root.openChild(2)?.take(0, 1, [row('c.x', false)]);
  root.openChild(0)?.take(0, 2, [row('a.x', false), row('a.y', false)]);
  return root;
}

const aliasesOf = (branch: Branch): (string | undefined)[] =>
  Array.from({ length: branch.height }, (_, index) => branch.lineAt(index)?.row?.alias);

describe('the rows of a tree', () => {
  it('stand in order, those of open branches below their parent', () => {
    const root = setUp();
    expect(aliasesOf(root)).to.deep.equal(['a', 'a.x', 'a.y', 'b', 'c', 'c.x', 'd']);
    expect(root.lineAt(2)).to.include({ level: 2, position: 1, siblings: 2 });
    expect(root.lineAt(4)).to.include({ level: 1, position: 2, siblings: 4, isOpen: true });
    expect([root.lineAt(-1), root.lineAt(7)]).to.deep.equal([undefined, undefined]);
    expect([0, 1, 2, 3].map((position) => root.indexOf(position))).to.deep.equal([0, 3, 4, 6]);
  });

  it('go when their branch closes', () => {
    const root = setUp();
    root.closeChild(0);
    expect(aliasesOf(root)).to.deep.equal(['a', 'b', 'c', 'c.x', 'd']);
    expect(root.openPaths()).to.deep.equal(['c']);
  });

  it('are asked for page by page, each page once, and again when that failed', () => {
    const branch = new Branch('many', 1);
    branch.take(0, 100_000, []);
    expect(branch.lineAt(99_999)).to.include({ row: undefined, position: 99_999 });
    expect(branch.pageToAsk(99_999)).to.equal(100_000 - PAGE_ROWS);
    expect(branch.pageToAsk(99_998)).to.equal(undefined);
    branch.failed(100_000 - PAGE_ROWS);
    expect(branch.pageToAsk(99_998)).to.equal(100_000 - PAGE_ROWS);
  });

  it('of 100,000 siblings with 500 open ones are found quickly', () => {
    const root = new Branch('', 1);
    root.take(
      0,
      100_000,
      Array.from({ length: 100_000 }, (_, k) => row(`v${k}`)),
    );
    for (let k = 0; k < 500; k++) root.openChild(k * 100)?.take(0, 1, [row(`v${k * 100}.x`, false)]);
    expect(root.height).to.equal(100_500);
    expect(root.lineAt(100_499)?.row?.alias).to.equal('v99999');
  });

  it('say their types', () => {
    expect(typeText({ type_path: 'double', dim: [2, 0], kind: 'number' })).to.equal('double[2][]');
    expect(typeText({ type_path: 'std::string', dim: [], kind: 'text' })).to.equal('text');
  });
});
