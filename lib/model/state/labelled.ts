// Values as people read them: enumerations by their labels.
import type { Value } from './read.js';
import { type EnumerationType, isCharacters, type Type } from './type.js';

/**
 * The value with labels in place of the numbers of enumerations; a number that has no label stays.
 * @param isWanted which enumerations; all when left out.
 */
export function labelled(type: Type, value: Value, isWanted: (type: EnumerationType) => boolean = () => true): Value {
  if (value === null || typeof value === 'string' || isCharacters(type)) return value;
  const inside = (element: Type, items: Value): Value =>
    // Lists of numbers are long, and stay as they are.
    element.kind === 'number' ? items : (items as readonly Value[]).map((item) => labelled(element, item, isWanted));
  switch (type.kind) {
    case 'enumeration':
      return isWanted(type) ? labelFor(type, value) : value;
    case 'array':
    case 'sequence':
      return inside(type.element, value);
    case 'pointer':
      return inside(type.target, value);
    case 'struct': {
      const members = value as Readonly<Record<string, Value>>;
      return Object.fromEntries(
        type.members.map(({ name, type: own }) => [name, labelled(own, members[name] as Value, isWanted)]),
      );
    }
    case 'number':
    case 'bits':
    case 'text':
      return value;
  }
}

function labelFor({ labels }: EnumerationType, value: Value): Value {
  return Object.keys(labels).find((label) => labels[label] === value) ?? value;
}
