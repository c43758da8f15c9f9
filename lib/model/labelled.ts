// Values as people read them: enumerations by their labels.
import type { Value } from './read.js';
import { type EnumerationType, isCharacters, type Type } from './type.js';

/** The value with labels in place of the numbers of enumerations; a number that has no label stays. */
export function labelled(type: Type, value: Value): Value {
  if (value === null || typeof value === 'string' || isCharacters(type)) return value;
  switch (type.kind) {
    case 'enumeration':
      return labelFor(type, value);
    case 'array':
    case 'sequence':
      return eachLabelled(type.element, value);
    case 'pointer':
      return eachLabelled(type.target, value);
    case 'struct': {
      const members = value as Readonly<Record<string, Value>>;
      return Object.fromEntries(
        type.members.map(({ name, type: own }) => [name, labelled(own, members[name] as Value)]),
      );
    }
    default:
      return value;
  }
}

function labelFor({ labels }: EnumerationType, value: Value): Value {
  return Object.keys(labels).find((label) => labels[label] === value) ?? value;
}

/** Lists of numbers are long, and stay as they are. */
function eachLabelled(element: Type, value: Value): Value {
  return element.kind === 'number' ? value : (value as readonly Value[]).map((item) => labelled(element, item));
}
