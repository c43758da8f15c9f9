// docs/events.md names everything that can be called on events.
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { METHODS } from '../events/event-calls.js';

const PAGE = readFileSync(new URL('../../../../../docs/events.md', import.meta.url), 'utf8');
/** Names in code: `ev.action_job(i, "job")`, `action_job_on`. */
const NAMED = new Set([...PAGE.matchAll(/`[^`\n]+`/g)].flatMap(([code]) => code.match(/\w+/g) ?? []));

describe('the page of events', () => {
  it('names every method', () => {
    expect(Object.keys(METHODS).filter((name) => !NAMED.has(name))).to.deep.equal([]);
  });
});
