// Writes of many clients, taken by a simulation that answers when the test lets it.
import { expect } from 'chai';
import type { SettingElsewhere } from './settings.js';
import { Writes } from './writes.js';

describe('the writes of a bridge', () => {
  /** What has been set together, and how to answer it. */
  function simulation() {
    const batches: { readonly paths: readonly string[]; readonly answer: (errors?: readonly Error[]) => void }[] = [];
    const writes = new Writes(
      (settings) =>
        new Promise((resolve) => {
          const answer = (errors: readonly (Error | undefined)[] = []) =>
            resolve(settings.map((_, index) => errors[index]));
          batches.push({ paths: settings.map(({ path }) => path), answer });
        }),
    );
    return { writes, batches, last: () => batches.at(-1)?.paths };
  }
  const settings = (...paths: readonly string[]): SettingElsewhere[] => paths.map((path) => ({ path, value: 1 }));
  const settled = () => new Promise(setImmediate);

  it('go together, but for those of what is set already, which keep their order', async () => {
    const { writes, batches, last } = simulation();
    void writes.write(settings('a'));
    for (const path of ['a', 'b', 'c[1]', 'c', 'c[2]', 'd[0].x', 'd[1].x']) void writes.write(settings(path));
    expect(last()).to.deep.equal(['a']);
    batches[0]?.answer();
    await settled();
    expect(last()).to.deep.equal(['a', 'b', 'c[1]', 'd[0].x', 'd[1].x']);
    batches[1]?.answer();
    await settled();
    expect(last()).to.deep.equal(['c']);
    batches[2]?.answer();
    await settled();
    expect(last()).to.deep.equal(['c[2]']);
  });

  it('of one who writes without end keep no other waiting for more than two turns', async () => {
    const { writes, batches, last } = simulation();
    const many = (prefix: string) => settings(...Array.from({ length: 5000 }, (_, index) => `${prefix}${index}`));
    for (let count = 0; count < 100; count++) void writes.write(many(`long${count}_`));
    for (let count = 0; count < 10_000; count++) void writes.write(settings('same'));
    const other = writes.write(settings('other'));
    batches[0]?.answer();
    await settled();
    expect(last()).to.include.members(['same', 'other']);
    batches[1]?.answer();
    await other;
  });

  it('are refused one by one, and set what another one of the same request had to say last', async () => {
    const { writes, batches } = simulation();
    void writes.write(settings('first'));
    const outcomes = [settings('x', 'y', 'x'), settings('z')].map((own) =>
      writes.write(own).then(
        () => 'set',
        (error: Error) => error.message,
      ),
    );
    batches[0]?.answer();
    await settled();
    expect(batches[1]?.paths).to.deep.equal(['x', 'y', 'z']);
    batches[1]?.answer([undefined, new Error('y is full')] as Error[]);
    expect(await Promise.all(outcomes)).to.deep.equal(['y is full', 'set']);
  });
});
