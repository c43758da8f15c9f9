// An input file as Windows writes it: its line ends and its mark.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { InputFile } from './input-file.js';

describe('an input file', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'varwire-input-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  it('is read as Python reads it: any line ends, and no mark before the text', () => {
    const path = join(directory, 'input.py');
    writeFileSync(path, '\uFEFFa = 1\r\nb = """x\r\ny"""\rc = 2\n');
    writeFileSync(join(directory, 'more.py'), 'd = 3\r\n');
    const file = new InputFile(path);
    expect(file.text).to.equal('a = 1\nb = """x\ny"""\nc = 2\n');
    expect(file.read('more.py').text).to.equal('d = 3\n');
  });
});
