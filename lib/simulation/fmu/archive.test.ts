import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { strToU8, zipSync } from 'fflate';
import { openArchive, unpack } from './archive.js';
import { readFmu } from './parse-description.js';

describe('the archive of an FMU', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'varwire-archive-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const written = (files: Record<string, string | Uint8Array>): string => {
    const file = join(directory, 'x.fmu');
    const bytes = Object.entries(files).map(([name, text]) => [name, typeof text === 'string' ? strToU8(text) : text]);
    writeFileSync(file, zipSync(Object.fromEntries(bytes)));
    return file;
  };

  it('is refused when a file in it would lie elsewhere', () => {
    for (const name of ['../evil', 'a/../../evil', '/evil', 'C:/evil', 'a\\evil'])
      expect(() => openArchive(written({ 'modelDescription.xml': '<a/>', [name]: 'x' })), name).to.throw(
        /cannot be read as an FMU: it holds a file with the name/,
      );
  });

  it('is refused when it unpacks to more than is allowed, before it is unpacked', () => {
    const file = written({ 'modelDescription.xml': '<a/>', 'resources/bomb': new Uint8Array(1000) });
    const bytes = Buffer.from(readFileSync(file));
    // The size in the table at the end of the archive.
    const at = bytes.lastIndexOf(Buffer.from('PK\u0001\u0002', 'latin1'));
    bytes.writeUInt32LE(0xfffffff0, at + 24);
    writeFileSync(file, bytes);
    expect(() => openArchive(file)).to.throw(/unpacks to more than 2000000000 bytes/);
  });

  it('unpacks to no more than it says', () => {
    const file = written({ 'modelDescription.xml': '<a/>', 'resources/bomb': new Uint8Array(1e6) });
    const bytes = Buffer.from(readFileSync(file));
    bytes.writeUInt32LE(10, bytes.lastIndexOf(Buffer.from('PK\u0001\u0002', 'latin1')) + 24);
    writeFileSync(file, bytes);
    const to = join(directory, 'to');
    unpack(openArchive(file), 'p', to);
    expect(readFileSync(join(to, 'resources', 'bomb'))).to.have.length(10);
  });

  it('is refused with one sentence when it is no archive, or no FMU', () => {
    const file = join(directory, 'x.fmu');
    expect(() => openArchive(file)).to.throw(`${file} cannot be read as an FMU: there is no such file`);
    writeFileSync(file, 'no archive');
    expect(() => openArchive(file)).to.throw(/cannot be read as an FMU: /);
    expect(() => openArchive(written({ 'other.xml': '' }))).to.throw(/is no FMU: it holds no modelDescription.xml/);
    expect(() => readFmu(written({ 'modelDescription.xml': '<a>' }))).to.throw(/modelDescription.xml cannot be read/);
    const old = '<fmiModelDescription fmiVersion="1.0"/>';
    expect(() => readFmu(written({ 'modelDescription.xml': old }))).to.throw(/of FMI 1.0, and only 2.0 and 3.0/);
  });

  it('is unpacked as far as it is needed', () => {
    const file = written({
      'modelDescription.xml': '<a/>',
      'resources/a/b': 'x',
      'binaries/p/l.so': 'x',
      'binaries/q/l.so': 'x',
      'sources/a.c': 'x',
    });
    const to = join(directory, 'to');
    unpack(openArchive(file), 'p', to);
    const found = readdirSync(to, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    expect(found.map(({ name }) => name).sort()).to.deep.equal(['b', 'l.so']);
  });
});
