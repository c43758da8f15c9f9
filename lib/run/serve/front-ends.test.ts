// The options for where something listens, and their table in the documentation.
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { PORT_OPTIONS } from './port-options.js';

const PAGE = new URL('../../../../docs/embedding.md', import.meta.url);

/** The table in docs/embedding.md. */
const table = (): string =>
  [
    '| endpoint | option | by default | speaks |',
    '|---|---|---|---|',
    ...PORT_OPTIONS.map(
      ({ name, option, takes, byDefault, speaks }) =>
        `| \`${name}\` | \`--${option} ${takes.replace('|', '\\|')}\` | ${byDefault} | ${speaks.join(', ')} |`,
    ),
  ].join('\n');

describe('the options for where something listens', () => {
  it('are those of the table in docs/embedding.md', () => {
    expect(readFileSync(PAGE, 'utf8')).to.include(table());
  });

  it('have a name each', () => {
    const names = PORT_OPTIONS.map(({ option }) => option);
    expect(new Set(names).size).to.equal(names.length);
  });
});
