// What code may throw besides errors that can be read: by what it is, to find it in a failed test.
const revoked = (): object => {
  const { proxy, revoke } = Proxy.revocable(new Error('gone'), {});
  revoke();
  return proxy;
};
const failing = (name: 'message' | 'stack' | 'cause'): Error =>
  Object.defineProperty(new Error('fine'), name, {
    get: () => {
      throw new Error(`no ${name}`);
    },
  });
const trapped = (): object =>
  new Proxy(new Error('hidden'), {
    get: () => {
      throw new TypeError('no');
    },
    getPrototypeOf: () => {
      throw new TypeError('no');
    },
  });

export const HOSTILE_THROWS: Readonly<Record<string, () => unknown>> = {
  'a message that throws': () => failing('message'),
  'a stack that throws': () => failing('stack'),
  'a cause that throws': () => failing('cause'),
  'a message that is a symbol': () => Object.assign(new Error(), { message: Symbol('no') }),
  'a message that is an object': () => Object.assign(new Error(), { message: Object.create(null) }),
  'a stack that is a number': () => Object.assign(new Error('fine'), { stack: 7 }),
  'a proxy whose traps throw': trapped,
  'a revoked proxy': revoked,
  'a cause that is a revoked proxy': () => new Error('fine', { cause: revoked() }),
  'an object without a prototype': () => Object.create(null),
  'an object whose text throws': () => ({
    toString: () => {
      throw new Error('no');
    },
  }),
  'a symbol': () => Symbol('no'),
  nothing: () => undefined,
  null: () => null,
  'a function': () => () => 0,
};
