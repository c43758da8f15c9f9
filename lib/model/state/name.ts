// What objects, components and variables may be called.
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Throws an Error for text that cannot be a name. */
export function checkName(what: string, name: string): void {
  if (!NAME.test(name)) {
    throw new Error(
      `${what} is named with letters, digits and _, and starts with no digit: not ${JSON.stringify(name)}`,
    );
  }
}
