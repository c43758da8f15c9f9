import { expect } from 'chai';
import { CommandHistory, completed, sharedStart } from './command-history.js';

const item = (text: string) => ({ text, kind: 'command', about: '' });

describe('the history of a command line', () => {
  it('goes back and forth, and keeps what was being typed', () => {
    const history = new CommandHistory(['one', 'two']);
    expect(history.move(-1, 'dra')).to.equal('two');
    expect(history.move(-1, 'two')).to.equal('one');
    expect(history.move(-1, 'one')).to.equal(undefined);
    expect(history.move(1, 'one')).to.equal('two');
    expect(history.move(1, 'two')).to.equal('dra');
    expect(history.move(1, 'dra')).to.equal(undefined);
  });

  it('remembers a command once in a row, and no empty one', () => {
    const history = new CommandHistory();
    for (const command of ['a', 'a', ' ', 'b']) history.add(command);
    expect(history.commands).to.deep.equal(['a', 'b']);
  });

  it('is bounded', () => {
    const history = new CommandHistory();
    for (let k = 0; k < 1000; k++) history.add(`command ${k}`);
    expect(history.commands).to.have.length(200);
    expect(history.move(-1, '')).to.equal('command 999');
  });
});

describe('a completion', () => {
  const found = { start: 6, end: 9, items: [item('exec_run'), item('exec_freeze')] };
  it('replaces the word at the cursor', () => {
    expect(completed('trick.exe() # 1', found, 'exec_run')).to.deep.equal({
      text: 'trick.exec_run() # 1',
      cursor: 14,
    });
  });

  it('puts in what all items share', () => {
    expect(sharedStart(found)).to.equal('exec_');
    expect(sharedStart({ ...found, items: [] })).to.equal('');
    expect(sharedStart({ ...found, items: [item('abc'), item('xyz')] })).to.equal('');
  });
});
