// What the names of a session may hold, and what finding that out costs.
import { expect } from 'chai';
import { DefinedClass, Instance, Method, OBJECT_CLASS } from './defined-class.js';
import { HeldNames } from './held-names.js';
import { DefinedFunction, DictionaryValue, ListValue } from './values.js';

const FUNCTION = { kind: 'function', at: 0, name: 'f', parameters: [], body: [] } as const;

const MIB = 1024 * 1024;

describe('the names of a session', () => {
  /** Whether they are forgotten when they hold a list of texts. */
  function areForgotten(texts: readonly string[]): boolean {
    const held = new HeldNames(4 * MIB);
    held.names.set('L', new ListValue([...texts]));
    return held.settle(32 * MIB, 100);
  }
  /** Equal texts that are not the same in memory, as a block makes them in a loop. */
  const made = (length: number, count: number): string[] => Array.from({ length: count }, () => 'x'.repeat(length));

  it('keep a long text once, however often it is held', () => {
    const text = 'x'.repeat(50_000);
    expect(areForgotten(Array<string>(50).fill(text))).to.equal(false);
    expect(areForgotten(Array.from({ length: 50 }, (_, k) => `${k}${text}`))).to.equal(true);
  });

  it('are forgotten when it would take too long to find out that their texts are equal', () => {
    expect(areForgotten(made(50_000, 50))).to.equal(false);
    expect(areForgotten(made(50_000, 600))).to.equal(true);
    expect(areForgotten(made(3000, 10_000))).to.equal(true);
  });

  it('are counted with what is in classes and objects of a text, once each', () => {
    const holds = (texts: readonly string[]): boolean => {
      const held = new HeldNames(4 * MIB);
      const made = new Instance(new DefinedClass('A', OBJECT_CLASS));
      made.attributes.set('me', made);
      made.type.attributes.set('texts', new ListValue([...texts, made]));
      held.names.set('x', new Method(new Instance(OBJECT_CLASS, made), new DefinedFunction(FUNCTION, [])));
      return held.settle(32 * MIB, 100);
    };
    expect(holds(made(50_000, 1))).to.equal(false);
    expect(holds(Array.from({ length: 50 }, (_, k) => `${k}${'x'.repeat(50_000)}`))).to.equal(true);
  });

  it('are counted in steps when many long texts have to be compared', () => {
    const held = new HeldNames(4 * MIB);
    const last = made(50_000, 1);
    held.names.set('L', new ListValue(made(50_000, 50)));
    held.names.set('D', dictionary(made(40_000, 20)));
    held.names.set('last', last[0] as string);
    const settling = held.settling(32 * MIB, 100, () => true);
    let steps = 0;
    let step = settling.next();
    for (; !step.done; step = settling.next()) steps++;
    expect(step.value).to.equal(false);
    expect(steps).to.be.greaterThan(40);
    expect(held.names.get('last')).to.equal(last[0]);
  });

  it('keep what another text assigns while they are counted, and count it', () => {
    const held = new HeldNames(4 * MIB);
    held.names.set('x', new ListValue(made(50_000, 20)));
    held.names.set('y', new ListValue(made(50_000, 20)));
    const settling = held.settling(32 * MIB, 100, () => true);
    settling.next();
    held.names.set('x', 'assigned');
    held.names.delete('y');
    held.settle(MIB, 0);
    while (!settling.next().done);
    expect([...held.names]).to.deep.equal([['x', 'assigned']]);
    expect(held.bytes).to.be.at.least(MIB);
  });

  /** A dictionary of texts by their numbers. */
  function dictionary(texts: readonly string[]): DictionaryValue {
    const made = new DictionaryValue();
    for (const [k, text] of texts.entries()) made.entries.set(String(k), { key: BigInt(k), value: text });
    return made;
  }
});
