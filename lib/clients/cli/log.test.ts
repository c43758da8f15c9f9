// The log as text: nothing that a client says begins a line of its own, or moves a terminal's cursor. Lines that nobody takes
// are left out and counted.
import { expect } from 'chai';
import { LineOutput, textLine } from './log.js';

describe('a line of the log', () => {
  it('shows further lines of a text, and a stack, indented', () => {
    expect(textLine('client 10.0.0.1: one\nsession 7 opened\n')).to.equal('client 10.0.0.1: one\n  session 7 opened\n');
    expect(textLine('a fault', { stack: 'Error\n    at job' })).to.equal('a fault\n  Error\n      at job');
  });

  it('shows other control characters by their numbers', () => {
    expect(textLine('a\rb\u001b[2Jc\u2028d\te')).to.equal('a\\x0db\\x1b[2Jc\\x2028d\te');
  });
});

describe('lines of the log', () => {
  it('are left out, and counted, when a reader has not taken a megabyte', () => {
    const written: string[] = [];
    const stream = { fd: 2, writableLength: 999_999, write: (line: string) => written.push(line) > 0 };
    const output = new LineOutput(stream as never, false);
    output.write('one');
    stream.writableLength = 1_000_000;
    output.write('two');
    expect([written, output.held, output.refusals]).to.deep.equal([['one'], 1_000_000, 1]);
  });

  it('are counted when they cannot be written', () => {
    const output = new LineOutput({ fd: -1, writableLength: 0, write: () => true } as never, true);
    output.write('nowhere');
    expect([output.held, output.refusals]).to.deep.equal([0, 1]);
  });
});
