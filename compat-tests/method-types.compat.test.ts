// The types of methods in varwire/browser are those of the server's own schemas.
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { describedMethods, FILES, fileOf } from './method-types.js';

/** Without what a formatter changes. */
const plain = (text: string): string => text.replaceAll(/\s+/g, '').replaceAll(/([:<])\|/g, '$1');

/** A difference is shown as the methods that differ. */
const entriesOf = (text: string): string[] => plain(text).split('/**');

describe('the methods of varwire/browser', () => {
  it('are typed as the server checks them; renew them with node build/compat-tests/method-types.js', async () => {
    const methods = await describedMethods();
    for (const name of Object.keys(FILES) as (keyof typeof FILES)[]) {
      const file = new URL(`../../lib/clients/browser/${name}-methods.ts`, import.meta.url);
      expect(entriesOf(readFileSync(file, 'utf8'))).to.deep.equal(entriesOf(fileOf(name, methods)));
    }
    const all = methods.filter(({ result }) => result).map(({ name }) => name);
    expect(all.filter((name) => !Object.values(FILES).some((file) => file.test(name)))).to.deep.equal([]);
  });
});
