// What the stand-in for NASA's Trick says that it has: S_sie.resource.
export const member = (name: string, type: string, extents: readonly number[] = [], units = '--'): string =>
  `<member name="${name}" type="${type}" io_attributes="3" units="${units}">${extents.map((extent) => `<dimension>${extent}</dimension>`).join('')}</member>`;
export const SIE = `<sie><class name="Fx">${[
  member('x', 'int', [], 'm'),
  member('d', 'double', [], 'm'),
  member('big', 'double', [600], 'm'),
  member('huge', 'double', [1500], 'm'),
  member('grid', 'double', [2, 600], 'm'),
  member('one', 'double', [1]),
  member('vd', 'std__vector&lt;double>'),
  member('phase', 'Phase'),
  member('colour', 'Paint__Colour'),
  member('words', 'std__string'),
].join(
  '',
)}</class><enumeration name="Phase"><pair label="ENTRY" value="7" /><pair label="EXIT" value="9" /></enumeration>
<class name="Sensor">${member('reading', 'double')}</class><class name="Odd">${[
  member('byte', 'unsigned char'),
  member('wide', 'std__wstring'),
  member('spare', 'Sensor', [0]),
  member('nowhere', 'Sensor', [0]),
  member('list', 'std__vector&lt;double>'),
].join('')}</class>
<top_level_object name="fx" type="Fx"></top_level_object><top_level_object name="odd" type="Odd"></top_level_object></sie>`;
/** Enumerations of code that is not the simulation's own are in this document alone. */
export const ENUMERATIONS =
  '<sie><enumeration name="Paint__Colour"><pair label="RED" value="1" /><pair label="GREEN" value="2" /></enumeration></sie>';

/** The labels of all enumerations: names of its module. */
export const LABELS: ReadonlyMap<string, number> = new Map(
  [...(SIE + ENUMERATIONS).matchAll(/label="(\w+)" value="(\d+)"/g)].map(
    ([, label, value]) => [label as string, Number(value)] as const,
  ),
);
