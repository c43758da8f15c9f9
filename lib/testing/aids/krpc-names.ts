// What is wrong with the names of a kRPC service in the languages of its clients, as their generators spell them.
import { RESERVED_WORDS } from '../../protocols/krpc/simulation/reserved-words.js';

interface NamedService {
  readonly name: string;
  readonly procedures: readonly {
    readonly name: string;
    readonly parameters: readonly { readonly name: string }[];
  }[];
  readonly classes: readonly { readonly name: string }[];
  readonly enumerations: readonly { readonly name: string; readonly values: readonly { readonly name: string }[] }[];
}

/** kRPC: krpc.utils.snake_case */
const snake = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z0-9])/g, '$1_$2')
    .toLowerCase();
/** kRPC: krpctools.utils.lower_camel_case */
const lower = (name: string): string => name.replace(/^(?:[^A-Z]+|[A-Z][^A-Z]*)/, (start) => start.toLowerCase());

const words = (...languages: readonly (keyof typeof RESERVED_WORDS)[]): ReadonlySet<string> =>
  new Set(languages.flatMap((language) => RESERVED_WORDS[language].split(/\s+/)));

interface Language {
  readonly name: string;
  readonly reserved: ReadonlySet<string>;
  /** The methods, or properties, that a member becomes. */
  readonly members: (kind: Member['kind'], name: string) => readonly string[];
  readonly parameter: (name: string) => string;
  readonly label: (name: string) => string;
}

const asIs = (name: string): string => name;
const LANGUAGES: readonly Language[] = [
  {
    name: 'C++',
    reserved: words('C++ and C'),
    members: (kind, name) => (kind === 'set' ? [`set ${snake(name)}`] : [snake(name), `${snake(name)}_stream`]),
    parameter: snake,
    label: snake,
  },
  {
    name: 'C#',
    reserved: words('C#'),
    members: (kind, name) => (kind === 'set' ? [] : [name]),
    parameter: asIs,
    label: asIs,
  },
  {
    name: 'Java',
    reserved: words('Java'),
    members: (kind, name) => [kind === 'call' ? lower(name) : kind + name],
    parameter: lower,
    label: (name) => snake(name).toUpperCase(),
  },
  {
    name: 'Python and Lua',
    reserved: words('Python', 'Lua'),
    members: (kind, name) => (kind === 'set' ? [] : [snake(name)]),
    parameter: snake,
    label: snake,
  },
  {
    name: 'C-nano',
    reserved: words('C++ and C'),
    members: (kind, name) => (kind === 'set' ? [`set_${name}`] : [name]),
    parameter: asIs,
    label: (name) => name.toUpperCase(),
  },
];

interface Member {
  /** The class that it is in; the service itself when empty. */
  readonly owner: string;
  readonly kind: 'get' | 'set' | 'call';
  readonly name: string;
}

/** `get_Ball` is a property of the service, `Body_get_Mass` one of a class, `Body_static_All` a method of it. */
function memberOf(procedure: string): Member {
  const parts = procedure.split('_');
  const name = parts.at(-1) as string;
  const owner = parts.length === 3 || (parts.length === 2 && !/^[gs]et$/.test(parts[0] as string)) ? parts[0] : '';
  const kind = parts.includes('get') ? 'get' : parts.includes('set') ? 'set' : 'call';
  return { owner: owner ?? '', kind, name };
}

function repeated(names: readonly string[]): string[] {
  return names.filter((name, index) => names.indexOf(name) !== index);
}

/** A sentence for each name that some language cannot have; none for names that all of them take. */
export function troubleWithNames({ name: service, procedures, classes, enumerations }: NamedService): string[] {
  const types = [...classes, ...enumerations].map(({ name }) => name);
  const members = procedures.map(({ name }) => memberOf(name));
  const trouble = types.filter((name) => name === service).map((name) => `the class ${name} is in a service ${name}`);
  for (const { owner, name } of members)
    if (name === (owner || 'Service')) trouble.push(`C#: ${owner} has a member ${name}`);
  trouble.push(...repeated(types.map((name) => name.toLowerCase())).map((name) => `two types ${name}`));
  for (const language of LANGUAGES) {
    const scopes = [
      ...['', ...classes.map(({ name }) => name)].map((owner) => ({
        where: owner || service,
        names: members.filter((one) => one.owner === owner).flatMap(({ kind, name }) => language.members(kind, name)),
      })),
      ...procedures.map(({ name, parameters }) => ({
        where: name,
        names: parameters.slice(parameters[0]?.name === 'this' ? 1 : 0).map((one) => language.parameter(one.name)),
      })),
      ...enumerations.map(({ name, values }) => ({
        where: name,
        names: values.map((one) => language.label(one.name)),
      })),
      { where: 'types', names: [service, ...types] },
    ];
    for (const { where, names } of scopes) {
      for (const name of repeated(names)) trouble.push(`${language.name}: ${where} has ${name} twice`);
      for (const name of names) if (language.reserved.has(name)) trouble.push(`${language.name}: ${where} has ${name}`);
    }
  }
  return trouble;
}
