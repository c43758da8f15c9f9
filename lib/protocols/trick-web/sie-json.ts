// The message with the resource file in JSON, all values as texts. Trick: Sie::sie_print_json
import { cNameOf, shapeOf } from '../../model/state/type.js';
import { IO_ATTRIBUTES, type SieChapter, type SieStyle, spell } from '../trick/wire/sie.js';

export const SIE_CHAPTERS: readonly SieChapter[] = ['classes', 'enumerations', 'objects'];

const NAMES: Readonly<Record<SieChapter, string>> = {
  classes: 'classes',
  enumerations: 'enumerations',
  objects: 'top_level_objects',
};

/** JSON in ASCII. */
const json = (value: object): string =>
  JSON.stringify(value).replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

export const SIE_JSON: SieStyle = {
  name: 'json',
  start: '{ "msg_type": "sie", "data": {',
  end: '\n}\n}',
  around: (chapter) => [`\n"${NAMES[chapter]}":[\n`, '\n]'],
  separator: ',\n',
  enumeration: ({ name, labels }) =>
    json({
      name: spell(name),
      pairs: Object.entries(labels).map(([label, value]) => ({ label, value: `${value}` })),
    }),
  member: ({ name, type, access, units, about }) => {
    const { extents, element } = shapeOf(type);
    return json({
      name,
      type: spell(cNameOf(element)),
      io_attributes: `${IO_ATTRIBUTES[access]}`,
      units,
      ...(about !== '' && { description: about }),
      ...(extents.length > 0 && { dimensions: extents.map((extent) => `${extent}`) }),
    });
  },
  classOf: (name, members) => `${json({ name }).slice(0, -1)},"members":[${members}]}`,
  object: (name, className) => json({ name, type: className, alloc_memory_init: '0' }),
};
