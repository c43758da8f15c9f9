// Who runs the queue of clients' jobs: a protocol does not know that there is one.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const RUNS = /^import (?!type)[^;]*\/(?:turns|fair-queue)\.js'/m;
const RUNNERS = [
  'lib/serving/scheduling/account.ts',
  'lib/serving/scheduling/turns.ts',
  'lib/serving/session/registry.ts',
  'lib/serving/transport/door.ts',
];

describe('the queue of jobs', () => {
  it('is run by accounts, the registry of sessions and the door, by no front-end, encoder or grammar', () => {
    const files = ['lib', 'grammar'].flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    );
    const found = files.filter(
      (file) =>
        /\.tsx?$/.test(file) && !/\.test\.ts$|\/aids\//.test(file) && RUNS.test(readFileSync(join(ROOT, file), 'utf8')),
    );
    expect(found.sort()).to.deep.equal(RUNNERS);
  });
});
