// What an input file reads on one machine, read on another one.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { InputFile, type InputFiles } from './input-file.js';
import { NotedFiles, SentFiles } from './sent-files.js';

describe('the files of an input file that are sent', () => {
  let directory: string;
  before(() => {
    directory = mkdtempSync(join(tmpdir(), 'varwire-sent-'));
    mkdirSync(join(directory, 'data'));
    writeFileSync(join(directory, 'input.py'), 'a = 1\r\n');
    writeFileSync(join(directory, 'data/more.py'), Buffer.from('b = "\xe4"\r', 'latin1'));
  });
  after(() => rmSync(directory, { recursive: true }));

  const attempt = (act: () => unknown): unknown => {
    try {
      return act();
    } catch (error) {
      return (error as Error).message;
    }
  };

  it('are as they are where they lie, also those that are not there', () => {
    const names = ['input.py', 'data/more.py', 'data', 'nosuch.py', '/etc/passwd'].map((name) =>
      name.startsWith('/') ? name : join(directory, name),
    );
    const noted = new NotedFiles(new InputFile(names[0] as string));
    const seen = (files: InputFiles) => names.map((name) => [files.kindOf(name), attempt(() => files.read(name).text)]);
    const here = seen(noted);
    expect(here.slice(0, 3).map(([kind]) => kind)).to.deep.equal(['file', 'file', 'directory']);
    expect(here[1]?.[1]).to.equal('b = "ä"\n');
    const sent = new SentFiles(structuredClone([...noted.all]));
    expect(seen(sent)).to.deep.equal(here);
    expect([sent.name, sent.text]).to.deep.equal([names[0], 'a = 1\n']);
  });

  it('are no others', () => {
    const noted = new NotedFiles(new InputFile(join(directory, 'input.py')));
    const sent = new SentFiles(noted.all);
    for (const ask of [() => sent.read('/etc/passwd'), () => sent.kindOf('/etc/passwd')])
      expect(attempt(ask)).to.match(/^\/etc\/passwd was not sent: workers have the files /);
  });
});
