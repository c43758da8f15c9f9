import { expect } from 'chai';
import { textOfNewEvent } from './new-event.js';

describe('an event that a person makes', () => {
  it('is a text of the command language, whatever was typed', () => {
    const made = { name: 'low "x"', condition: 'a < 5', action: 'print("low")\ntrick.freeze()', cycleSeconds: 0.5 };
    expect(textOfNewEvent(made)).to.equal(
      [
        'new_event_of_page = trick.new_event("low \\"x\\"")',
        'new_event_of_page.condition(0, "a < 5")',
        'new_event_of_page.action(0, "print(\\"low\\")\\ntrick.freeze()")',
        'new_event_of_page.set_cycle(0.5)',
        'new_event_of_page.activate()',
        'trick.add_event(new_event_of_page)',
        '',
      ].join('\n'),
    );
  });

  it('has a name and a condition', () => {
    const made = { name: '', condition: 'a < 5', action: '', cycleSeconds: undefined };
    expect(() => textOfNewEvent(made)).to.throw('an event has a name');
    expect(() => textOfNewEvent({ ...made, name: 'low', condition: ' ' })).to.throw('an event has a condition');
    expect(textOfNewEvent({ ...made, name: 'low' })).not.to.include('action');
  });
});
