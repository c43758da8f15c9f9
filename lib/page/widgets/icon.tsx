// Icons of 16 x 16, drawn by lines in the colour of the text.

export const ICONS = {
  run: 'M4.5 2.5v11l9-5.5z',
  freeze: 'M5 3v10M11 3v10',
  step: 'M3.5 3v10l6.5-5zM12.5 3v10',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.5 10.5L14 14',
  plus: 'M8 3v10M3 8h10',
  close: 'M4 4l8 8M12 4l-8 8',
  gear: 'M2 4.5h7M12 4.5h2M2 11.5h2M7 11.5h7M10.5 3v3M5.5 10v3',
  enlarge: 'M9.5 2.5h4v4M6.5 13.5h-4v-4M13.5 2.5L9 7M2.5 13.5L7 9',
  tree: 'M3 3h10M6 8h7M6 13h7M3 3v10',
  limits: 'M2.5 4h11M2.5 12h11M3 9.5l3-3 3 2.5 4-3.5',
  layouts: 'M2.5 2.5h11v11h-11zM2.5 6.5h11M7 6.5v7',
  save: 'M8 2v8M4.5 7L8 10.5 11.5 7M3 13.5h10',
  load: 'M8 10.5V2.5M4.5 6L8 2.5 11.5 6M3 13.5h10',
  end: 'M8 2v6M4.5 4a5.5 5.5 0 1 0 7 0',
  help: 'M5.5 6a2.5 2.5 0 1 1 3.4 2.3c-.6.3-.9.7-.9 1.4M8 12.4v.2',
  theme: 'M8 2a6 6 0 1 0 0 12zM8 2a6 6 0 0 1 0 12',
  right: 'M6 3.5L10.5 8 6 12.5',
  plot: 'M2.5 2.5v11h11M5 10l2.5-3.5L9.5 9l3.5-5',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  link: 'M6.5 9.5l3-3M7 4.5l1-1a3 3 0 0 1 4.5 4.5l-1 1M9 11.5l-1 1A3 3 0 0 1 3.5 8l1-1',
  plug: 'M5.5 2v3.5M10.5 2v3.5M3.5 5.5h9v2a4.5 4.5 0 0 1-9 0zM8 12v2.5',
  toStart: 'M4 3.5v9M12.5 3.5v9L6 8z',
  undo: 'M3 6.5h6.5a3.5 3.5 0 0 1 0 7H6M3 6.5L6 3.5M3 6.5l3 3',
} as const;

/** A name of ICONS, or path data. */
export type IconName = keyof typeof ICONS | (string & {});

interface IconProps {
  readonly name: IconName;
}

export function Icon({ name }: IconProps) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
      <path d={Object.hasOwn(ICONS, name) ? ICONS[name as keyof typeof ICONS] : name} />
    </svg>
  );
}
