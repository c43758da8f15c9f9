// The gate that holds messages while reading is paused.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { ReadingGate } from './reading-gate.js';

function heard(gate: ReadingGate, each: (text: string) => void = () => {}): string[] {
  const texts: string[] = [];
  gate.listen((message) => {
    texts.push(message.toString());
    each(message.toString());
  });
  return texts;
}

const push = (gate: ReadingGate, text: string) => gate.push(Buffer.from(text));

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** How many are still there. A reference holds what it shows until the callback of the event loop is over. */
async function keptOf(references: readonly WeakRef<object>[]): Promise<number> {
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  return references.filter((reference) => reference.deref() !== undefined).length;
}

describe('a reading gate', () => {
  it('keeps messages until someone listens, then delivers them in order', () => {
    const gate = new ReadingGate(100);
    push(gate, 'a');
    push(gate, 'b');
    const texts = heard(gate);
    push(gate, 'c');
    expect(texts).to.deep.equal(['a', 'b', 'c']);
  });

  it('holds the rest when a delivery pauses it', () => {
    const gate = new ReadingGate(100);
    push(gate, 'a');
    push(gate, 'b');
    const texts = heard(gate, () => gate.pause());
    expect(texts).to.deep.equal(['a']);
    gate.resume();
    expect(texts).to.deep.equal(['a', 'b']);
  });

  it('keeps no message that has been delivered', async () => {
    const gate = new ReadingGate(1000);
    const messages = Array.from({ length: 10 }, () => {
      const message = Buffer.alloc(10);
      gate.push(message);
      return new WeakRef(message);
    });
    let delivered = 0;
    gate.listen(() => {
      if (++delivered === 4) gate.pause();
    });
    expect([delivered, await keptOf(messages)]).to.deep.equal([4, 6]);
    gate.close();
    expect(await keptOf(messages)).to.equal(0);
  });

  it('drops what is over its limit and takes messages again once it has room', () => {
    const gate = new ReadingGate(3);
    expect([push(gate, 'ab'), push(gate, 'cd'), push(gate, 'e')]).to.deep.equal([true, false, true]);
    const texts = heard(gate);
    expect(push(gate, 'fgh')).to.equal(true);
    expect(texts).to.deep.equal(['ab', 'e', 'fgh']);
  });

  it('delivers nothing after it is closed', () => {
    const gate = new ReadingGate(100);
    const texts = heard(gate);
    gate.close();
    push(gate, 'a');
    expect(texts).to.deep.equal([]);
    expect(gate.isOpen).to.equal(false);
  });
});
