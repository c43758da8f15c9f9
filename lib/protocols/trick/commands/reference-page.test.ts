// docs/trick-wire.md shows the messages as they are.
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { COMMANDS_PAGE, commandsPage, REFERENCE_PAGE, renewed } from './reference-page.js';

describe('the reference page of the Trick wire', () => {
  it('shows the messages as they are; renew it with node build/lib/protocols/trick/commands/reference-page.js', () => {
    const page = readFileSync(REFERENCE_PAGE, 'utf8');
    expect(page).to.equal(renewed(page));
  });

  it('has a page that shows the commands as they are, renewed by the same program', () => {
    expect(readFileSync(COMMANDS_PAGE, 'utf8')).to.equal(commandsPage());
  });

  it('has a row for a command with its parameters and their defaults', () => {
    expect(commandsPage()).to.contain(
      '| `var_send_once(in_name, num=1)` | Sends the values of comma-separated names, as many as announced, without changing the list. |',
    );
  });

  it('is not renewed when its place is lost', () => {
    expect(() => renewed('# A page')).to.throw('the page has no place for the messages');
  });
});
