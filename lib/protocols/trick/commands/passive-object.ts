// An object whose methods have no effect: it stands for a program that is not started, or a thread that does not exist.
import type { ObjectValue, ScriptValue } from '../../python/index.js';

export class PassiveObject implements ObjectValue {
  readonly kind = 'object';

  /** @param parts attributes that are such objects; every other one is a method without effect. */
  constructor(
    readonly typeName: string,
    private readonly parts: readonly string[] = ['trigger_container'],
  ) {}

  attribute(name: string): ScriptValue {
    if (this.parts.includes(name)) return new PassiveObject(name);
    // `getIntegrator` and its like give such an object again.
    const answer = /^get[A-Z]/.test(name) ? new PassiveObject(name) : null;
    return { kind: 'callable', name, call: () => answer };
  }

  setAttribute(): boolean {
    return true;
  }

  names(): Iterable<string> {
    return this.parts;
  }
}
