// A server's process goes on after an error that nobody has caught, and its log tells of it.
import { expect } from 'chai';
import { surviveDefects } from './server-process.js';

const EVENTS = ['uncaughtException', 'unhandledRejection'] as const;

describe('the process of a server', () => {
  it('tells of an error that nobody has caught, one line a second at most', () => {
    const before = EVENTS.map((event) => process.listeners(event as 'uncaughtException'));
    const lines: string[] = [];
    surviveDefects((level, text) => lines.push(`${level}: ${text.split('\n')[0]}`));
    const added = EVENTS.map((event, index) =>
      process.listeners(event as 'uncaughtException').filter((listener) => !before[index]?.includes(listener)),
    );
    for (const [index, event] of EVENTS.entries()) {
      for (const listener of added[index] ?? []) {
        process.removeListener(event, listener);
        listener(new RangeError('out of bounds'), 'uncaughtException');
      }
    }
    expect(added.map(({ length }) => length)).to.deep.equal([1, 1]);
    expect(lines).to.deep.equal(['error: internal error, please report it: RangeError: out of bounds']);
  });
});
