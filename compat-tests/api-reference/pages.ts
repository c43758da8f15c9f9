// The pages of the API reference: one an entry point, in Markdown, made from the docstrings.
import { type Documented, type EntryPoint, readEntryPoints } from './exported-names.js';

interface Page {
  readonly file: string;
  readonly specifier: string;
  readonly declarations: string;
  readonly about: string;
}

export const PAGES: readonly Page[] = [
  {
    file: 'varwire.md',
    specifier: 'varwire',
    declarations: 'lib/index.d.ts',
    about: 'Simulations: writing, running and serving them, and what front-ends are made of.',
  },
  {
    file: 'client.md',
    specifier: 'varwire/client',
    declarations: 'lib/clients/trick/index.d.ts',
    about: "A client of Trick's wire.",
  },
  {
    file: 'browser.md',
    specifier: 'varwire/browser',
    declarations: 'lib/clients/browser/index.d.ts',
    about: 'A client for web pages.',
  },
  {
    file: 'testing.md',
    specifier: 'varwire/testing',
    declarations: 'lib/testing/index.d.ts',
    about: 'Simulations in tests.',
  },
  {
    file: 'krpc.md',
    specifier: 'varwire/krpc',
    declarations: 'lib/protocols/krpc/index.d.ts',
    about: "Services of one's own for kRPC's clients.",
  },
];

/** The page of Trick's commands stands beside these: `lib/protocols/trick/commands/reference-page.ts` makes it. */
export const COMMANDS = 'trick-commands.md';

/** The chapters of a page, by the folder that a name comes from. */
const CHAPTERS: Readonly<Record<string, string>> = {
  'model/state': 'State',
  'simulation/executive': 'Simulations',
  'simulation/integration': 'Integration and random numbers',
  'run/headless': 'Runs without a server',
  'run/serve': 'Serving',
  'simulation/recording': 'Recording',
  source: 'Sources',
  'source/recording': 'Recording',
  'model/frame': 'Frames',
  'serving/session': 'Sessions',
  'serving/transport': 'Front-ends',
  'serving/network': 'Front-ends',
  'serving/trust': 'Trust',
  'model/units': 'Units',
};

/** Where a name is explained: an anchor of the same page, or of another one. */
type Links = ReadonlyMap<string, string>;

/** Pages by the names of their files, and the index. */
export function apiPages(): ReadonlyMap<string, string> {
  const entryPoints = readEntryPoints(PAGES.map(({ declarations }) => declarations));
  const [main] = entryPoints as [EntryPoint];
  const elsewhere = anchors(chaptersOf(main), PAGES[0]?.file);
  const pages = PAGES.map((page, index) => {
    const entryPoint = entryPoints[index] as EntryPoint;
    return [page.file, pageText(page, chaptersOf(entryPoint, index === 0 ? undefined : elsewhere), elsewhere)] as const;
  });
  return new Map([['README.md', indexText()], ...pages]);
}

const indexText = (): string => `# API reference

Every exported name, from the docstrings. \`npm run docs\` makes these pages.

${PAGES.map(({ file, specifier, about }) => `- [${specifier}](${file}): ${about}`).join('\n')}
- [Commands of the Trick wire](${COMMANDS}): What sessions and input files call.
`;

type Chapters = ReadonlyMap<string, readonly Documented[]>;

const USED = 'Types that are used above';

/** The names of a page by their headings. @param elsewhere what is explained on another page */
function chaptersOf({ exported, used }: EntryPoint, elsewhere?: Links): Chapters {
  const titles = [...Object.values(CHAPTERS), 'Names', 'Errors', USED];
  const chapters = new Map<string, Documented[]>(titles.map((title) => [title, []]));
  for (const one of exported) {
    const title = /Error$/.test(one.name) ? 'Errors' : (CHAPTERS[one.folder] ?? 'Names');
    chapters.get(title)?.push(one);
  }
  chapters.get(USED)?.push(...used.filter(({ name }) => !elsewhere?.has(name)));
  return new Map([...chapters].filter(([, names]) => names.length > 0));
}

/** The anchors of all names, as Markdown readers number headings of the same text. */
function anchors(chapters: Chapters, file = ''): Links {
  const counts = new Map<string, number>();
  const slugOf = (heading: string): string => {
    const slug = heading
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-');
    const count = counts.get(slug) ?? 0;
    counts.set(slug, count + 1);
    return `${file}#${slug}${count > 0 ? `-${count}` : ''}`;
  };
  return new Map(
    [...chapters].flatMap(([title, names]) => {
      slugOf(title);
      return names.map(({ name }) => [name, slugOf(name)] as const);
    }),
  );
}

function pageText({ specifier, about }: Page, chapters: Chapters, elsewhere: Links): string {
  const links = new Map([...elsewhere, ...anchors(chapters)]);
  const parts = [`# ${specifier}`, about, contents(chapters, links)];
  for (const [title, names] of chapters) {
    parts.push(`## ${title}`);
    if (title === USED) parts.push('They are not exported by name.');
    parts.push(...names.map((one) => entryText(one, links)));
  }
  return `${parts.join('\n\n')}\n`;
}

const contents = (chapters: Chapters, links: Links): string =>
  [...chapters]
    .filter(([title]) => title !== USED)
    .map(([title, names]) => `**${title}**: ${names.map(({ name }) => linked(name, links)).join(' · ')}`)
    .join('\n\n');

const linked = (name: string, links: Links): string => `[${name}](${links.get(name)})`;

function entryText({ name, about, tags, text, uses }: Documented, links: Links): string {
  const parts = [`### ${name}`];
  if (about !== '') parts.push(about);
  if (tags.length > 0) parts.push(tags.map((tag) => `- ${tag.replaceAll('\n', ' ')}`).join('\n'));
  parts.push(`\`\`\`ts\n${text}\n\`\`\``);
  const others = [...new Set(uses)].filter((used) => links.has(used) && used !== name);
  if (others.length > 0) parts.push(`See ${others.map((used) => linked(used, links)).join(', ')}.`);
  return parts.join('\n\n');
}
