// How the beginning of a name may continue: commands behind `trick.`, members of variables, methods of events.
import type { Catalog } from '../../../model/state/catalog.js';
import { childrenOf } from '../../../model/state/variable.js';
import { COMMANDS } from '../commands/table.js';
import { ABOUT_WITHOUT_EFFECT } from '../commands/without-effect.js';
import { METHODS } from '../events/event-calls.js';
import type { EventTable } from '../events/event-table.js';

export interface Completion {
  readonly text: string;
  readonly kind: 'command' | 'variable' | 'event' | 'function' | 'label';
  readonly about: string;
}

/** Completions in order; undefined for something that was looked at and does not fit. */
export function* completions(
  fragment: string,
  catalog: Catalog,
  events: EventTable,
): Generator<Completion | undefined, void> {
  const dot = fragment.lastIndexOf('.');
  if (dot < 0) yield* names(fragment, catalog, events);
  else if (fragment.startsWith('trick.')) yield* commands(fragment);
  else yield* members(fragment.slice(0, dot), fragment.slice(dot + 1), catalog, events);
}

/** Whether a name begins with a text, in any case of letters, and is longer. */
const goesOn = (name: string, beginning: string): boolean =>
  name.slice(0, beginning.length).toLowerCase() === beginning.toLowerCase();

function* commands(fragment: string): Generator<Completion | undefined, void> {
  const abouts = Array.from(COMMANDS.values(), ({ name, about }) => [name, about] as const);
  for (const [name, about] of [...abouts, ...ABOUT_WITHOUT_EFFECT]) {
    const text = `trick.${name}`;
    yield goesOn(text, fragment) ? { text, kind: 'command', about } : undefined;
  }
}

function* names(beginning: string, catalog: Catalog, events: EventTable): Generator<Completion | undefined, void> {
  const fitting = (text: string, kind: Completion['kind'], about: string): Completion | undefined =>
    goesOn(text, beginning) ? { text, kind, about } : undefined;
  yield fitting('trick', 'command', 'the commands');
  for (const { path, about } of catalog.tops()) yield fitting(path, 'variable', about);
  for (const { name } of events.listed) if (/^[A-Za-z_]\w*$/.test(name)) yield fitting(name, 'event', 'an event');
  for (const { name, about } of catalog.functions.values()) yield fitting(name, 'function', about);
  // Labels are many and rarely meant, so they come only when something has been typed.
  if (beginning !== '') for (const [label, value] of catalog.labels) yield fitting(label, 'label', String(value));
}

function* members(
  parent: string,
  beginning: string,
  catalog: Catalog,
  events: EventTable,
): Generator<Completion | undefined, void> {
  const event = events.find(parent);
  const variable = catalog.find(parent);
  if (variable?.type.kind === 'struct') {
    for (const { path, about } of childrenOf(variable))
      yield goesOn(path.slice(parent.length + 1), beginning) ? { text: path, kind: 'variable', about } : undefined;
  } else if (event) {
    for (const name of Object.keys(METHODS))
      yield goesOn(name, beginning) ? { text: `${parent}.${name}`, kind: 'function', about: '' } : undefined;
  }
  for (const { name, about } of catalog.functions.values())
    yield name.startsWith(`${parent}.`) && goesOn(name, `${parent}.${beginning}`)
      ? { text: name, kind: 'function', about }
      : undefined;
}
