// What `varwire find` shows of a server.
import { expect } from 'chai';
import { onlyTrick, rowOf } from './find.js';

const FOUND = {
  host: 'vm',
  port: 7000,
  user: 'ada',
  processId: 12,
  directory: '/sims',
  program: 'S_main_Linux.exe',
  inputFile: 'RUN_test/input.py',
  version: '25.1.1',
  tag: '',
  isEnabled: true,
  mode: 5,
};

describe('varwire find', () => {
  it("shows the version of Trick, and of varwire its own, not that of Trick's wire", () => {
    expect(rowOf(FOUND)).to.match(
      /^vm:7000 +run +ada +12 +Trick 25\.1\.1 +\/sims\/S_main_Linux\.exe RUN_test\/input\.py/,
    );
    expect(rowOf({ ...FOUND, program: 'varwire-0.1.0' })).to.match(
      / varwire 0\.1\.0 +\/sims\/varwire RUN_test\/input\.py/,
    );
  });

  it('finds the only simulation of Trick for a bridge, whatever servers of varwire there are', () => {
    const own = { ...FOUND, program: 'varwire-0.1.0' };
    expect(onlyTrick([own, FOUND])).to.equal(FOUND);
    expect(() => onlyTrick([own])).to.throw(/^no simulation of Trick has announced itself; name its server, /);
    const other = { ...FOUND, port: 7001 };
    expect(() => onlyTrick([FOUND, other])).to.throw(/; name one\nSERVER .*\nvm:7000 .*\nvm:7001 /);
  });
});
