// Members and elements of a host's variables, by their paths: read, and stored.
import { ScriptError } from './error.js';
import type { Host } from './host.js';
import { slice } from './subscript.js';
import { keyError } from './text.js';
import {
  arithmetic,
  type Bounds,
  HostVariable,
  ListValue,
  plain,
  type Run,
  type ScriptValue,
  type Tools,
} from './values.js';

export class VariableAccess {
  /**
   * The path of the single value that a member or an element was, if it was one. Characters of a text are elements of the
   * variable, and not of the text, and functions may stand below it.
   */
  valuePath: string | undefined;

  constructor(
    private readonly host: Host,
    private readonly tools: Tools,
  ) {}

  /** The value at a path, in a frame that shows everything this session has written. */
  *read(path: string): Run<ScriptValue | undefined> {
    while (!this.host.canRead(path, 'head')) yield 'settled';
    const value = this.host.variable(path);
    this.valuePath = value === undefined || value instanceof HostVariable ? undefined : path;
    return value;
  }

  /** A member, or a method. */
  *attribute(holder: HostVariable, name: string): Run<ScriptValue> {
    const path = `${holder.path}.${name}`;
    const value = yield* this.read(path);
    if (value !== undefined) return value;
    const method = this.host.method(path);
    const own = method === undefined ? holder.attribute(name) : method;
    if (own !== undefined) return own;
    throw new ScriptError('AttributeError', this.host.explain(path));
  }

  *element(holder: HostVariable, key: ScriptValue): Run<ScriptValue> {
    const path = yield* holder.elementPath(key, this.tools);
    const value = path === undefined ? undefined : yield* this.read(path);
    if (value !== undefined) return value;
    if (path === undefined) throw keyError(key, this.tools.meter);
    throw new ScriptError('IndexError', this.host.explain(path));
  }

  /** A character of a text that was read at a path; undefined where it has none. */
  *character(path: string, text: string, key: ScriptValue): Run<ScriptValue | undefined> {
    const index = arithmetic(plain(key));
    if (typeof index !== 'bigint') return undefined;
    return yield* this.read(`${path}[${index < 0n ? index + BigInt(text.length) : index}]`);
  }

  *sliced(holder: HostVariable, bounds: Bounds): Run<ScriptValue> {
    return slice(new ListValue(yield* this.tools.elements(holder)), bounds, this.tools.meter);
  }

  *storeElement(holder: HostVariable, key: ScriptValue, value: ScriptValue): Run<void> {
    const path = yield* holder.elementPath(key, this.tools);
    if (path === undefined) yield* holder.addElement(key, value, this.tools);
    else yield* this.host.store(path, value);
  }
}
