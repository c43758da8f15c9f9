// What a text of the operator sees of the environment: where things are and who runs the simulation, never a secret.
import { homedir, userInfo } from 'node:os';

const HARMLESS: ReadonlySet<string> = new Set([
  'HOME',
  'USER',
  'LOGNAME',
  'PWD',
  'SHELL',
  'LANG',
  'TZ',
  'HOST',
  'HOSTNAME',
  'DISPLAY',
  'TMPDIR',
  'TRICK_HOME',
  'TRICK_HOST_CPU',
  'TRICK_HOST_TYPE',
  'TRICK_USER_HOME',
]);

/** Directories of packages, such as JEOD_HOME. */
const isDirectory = (name: string, value: string): boolean =>
  /^[A-Z][A-Z0-9_]*_HOME$/.test(name) && value.startsWith('/');

/** The harmless variables by name; HOME, USER, LOGNAME, PWD and TRICK_HOME are always there. */
export function harmlessEnvironment(environment: NodeJS.ProcessEnv = process.env): ReadonlyMap<string, string> {
  const found = Object.entries(environment).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && (HARMLESS.has(entry[0]) || isDirectory(entry[0], entry[1])),
  );
  const user = userName();
  const always = { HOME: homedir(), USER: user, LOGNAME: user, TRICK_HOME: '' };
  return new Map([...Object.entries(always), ...found, ['PWD', process.cwd()]]);
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return '';
  }
}
