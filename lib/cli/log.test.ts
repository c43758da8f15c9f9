// The log as text: nothing that a client says begins a line of its own, or moves a terminal's cursor.
import { expect } from 'chai';
import { textLine } from './log.js';

describe('a line of the log', () => {
  it('shows further lines of a text, and a stack, indented', () => {
    expect(textLine('client 10.0.0.1: one\nsession 7 opened\n')).to.equal('client 10.0.0.1: one\n  session 7 opened\n');
    expect(textLine('a fault', { stack: 'Error\n    at job' })).to.equal('a fault\n  Error\n      at job');
  });

  it('shows other control characters by their numbers', () => {
    expect(textLine('a\rb\u001b[2Jc\u2028d\te')).to.equal('a\\x0db\\x1b[2Jc\\x2028d\te');
  });
});
