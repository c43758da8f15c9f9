// An event that a person makes, in the words of Trick's command language.

export interface NewEvent {
  readonly name: string;
  readonly condition: string;
  readonly action: string;
  /** How often the condition is looked at, in seconds; undefined for as often as the simulation does. */
  readonly cycleSeconds: number | undefined;
}

/** A literal that the language reads as this text. */
const literal = (text: string): string => JSON.stringify(text);

/** Throws one sentence for what is missing. */
export function textOfNewEvent({ name, condition, action, cycleSeconds }: NewEvent): string {
  if (name.trim() === '') throw new Error('an event has a name');
  if (condition.trim() === '') throw new Error('an event has a condition: ball.position[1] > 5');
  const event = literal(name.trim());
  return [
    `new_event_of_page = trick.new_event(${event})`,
    `new_event_of_page.condition(0, ${literal(condition.trim())})`,
    ...(action.trim() === '' ? [] : [`new_event_of_page.action(0, ${literal(action.trim())})`]),
    ...(cycleSeconds === undefined ? [] : [`new_event_of_page.set_cycle(${cycleSeconds})`]),
    'new_event_of_page.activate()',
    'trick.add_event(new_event_of_page)',
    '',
  ].join('\n');
}
