// Binary replies that NASA Trick was recorded to send, decoded.
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { type BinaryMessage, decodeBinary } from './binary-decoder.js';
import { ProtocolError } from './errors.js';
import { decodedByName } from './list-assembler.js';
import { MessageSplitter } from './message-splitter.js';

interface Step {
  readonly send: string;
  readonly recv: string;
  readonly expect?: string;
}

const stepsOf = (name: string): readonly Step[] =>
  JSON.parse(readFileSync(new URL(`../../../../compat-tests/golden/${name}.json`, import.meta.url), 'utf8')).steps;

const messagesOf = (step: Step): BinaryMessage[] =>
  new MessageSplitter()
    .push(Buffer.from(step.expect ?? step.recv, 'latin1'))
    .filter((message) => message.kind === 'binary');

/** The answer to `trick.var_send_once("fx.all.NAME")`. */
function recorded(session: string, name: string): BinaryMessage {
  const step = stepsOf(session).find(({ send }) => send === `trick.var_send_once("fx.all.${name}")\n`);
  return messagesOf(step as Step)[0] as BinaryMessage;
}

/** Name, type, value. */
const RECORDED: readonly (readonly [string, string, unknown])[] = [
  ['c', 'char', 65],
  ['uc', 'unsigned char', 200],
  ['s', 'short', -1234],
  ['us', 'unsigned short', 54321],
  ['i', 'int', -123456],
  ['ui', 'unsigned int', 4000000000],
  ['l', 'long', -1234567890123n],
  ['ul', 'unsigned long', 1234567890123n],
  ['ll', 'long long', -9007199254740993n],
  ['ull', 'unsigned long long', 9007199254740993n],
  ['f', 'float', 1.5],
  ['d', 'double', -2.25],
  ['t', 'bool', true],
  ['fa', 'bool', false],
  ['phase', 'enumeration', 7],
  ['d_nan', 'double', Number.NaN],
  ['name', 'char', 'Orion'],
  ['str', 'string', 'plain text'],
  ['str_empty', 'string', ''],
  ['str_ctl', 'string', 'tab\there\nnewline\rcr\x01\x7f bell\x07 back\b ff\f vt\v'],
  ['cp', 'string', 'pointed text'],
  ['cp_null', 'string', ''],
  ['flags.lo', 'unsigned bit field', 5],
  ['flags.mid', 'bit field', -200],
  ['flags.hi', 'unsigned bit field', 3000],
  ['d3', 'double', [0.1, 0.2, 0.30000000000000004]],
  ['d23[1]', 'double', [10.5, 11.5, 12.5]],
  ['b3', 'bool', [true, false, true]],
  ['s3', 'short', [-100, -200, -300]],
  ['phases', 'enumeration', [0, 2, 7]],
  ['wp', 'wstring', 'wide text'],
  ['vehicle', 'none', undefined],
  ['nosuch', 'none', undefined],
];
const SWAPPED: readonly (readonly [string, unknown])[] = [
  ['s', -1234],
  ['us', 54321],
  ['i', -123456],
  ['l', -1234567890123n],
  ['ll', -9007199254740993n],
  ['f', 1.5],
  ['d', -2.25],
  ['t', true],
  ['c', 65],
  ['uc', 200],
  ['phase', 7],
  ['name', 'Orion'],
  ['d3', [0.1, 0.2, 0.30000000000000004]],
  ['i222', [0, 1, 10, 11, 100, 101, 110, 111]],
  ['s3', [-100, -200, -300]],
  ['flags.mid', -200],
  ['nosuch', undefined],
];

describe('decodeBinary', () => {
  for (const [name, type, value] of RECORDED) {
    it(`reads ${name}, recorded as ${type}`, () => {
      const [decoded] = decodeBinary(recorded('08-binary', name));
      expect([decoded?.name, decoded?.type.name]).to.deep.equal([`fx.all.${name}`, type]);
      expect(decoded?.value).to.deep.equal(value);
    });
  }

  for (const [name, value] of SWAPPED) {
    it(`reads ${name}, recorded byte-swapped`, () => {
      const [decoded] = decodeBinary(recorded('10-binary-byteswap', name));
      expect([decoded?.name, decoded?.value]).to.deep.equal([`fx.all.${name}`, value]);
    });
  }

  it('reads messages without names', () => {
    const [decoded] = decodeBinary(recorded('09-binary-nonames', 'i'), false);
    expect([decoded?.name, decoded?.value]).to.deep.equal(['', -123456]);
  });

  it('leaves pointers of 64 bits whole and takes nothing from a structure', () => {
    const variable = (code: number, value: Buffer): BinaryMessage => {
      const head = Buffer.alloc(24);
      for (const [index, field] of [0, 20 + value.length, 1, 0, code, value.length].entries())
        head.writeInt32LE(field, 4 * index);
      return { kind: 'binary', indicator: 0, isByteSwapped: false, bytes: Buffer.concat([head, value]) };
    };
    expect(decodeBinary(variable(20, Buffer.from('0807060504030201', 'hex')))[0]?.value).to.equal(0x0102030405060708n);
    for (const code of [22, 24, 99])
      expect(decodeBinary(variable(code, Buffer.alloc(8)))[0]?.value).to.equal(undefined);
    expect(() => decodeBinary(variable(11, Buffer.alloc(7)))).to.throw(ProtocolError, 'whole number of double');
  });

  it('refuses a message whose sizes lead beyond its end', () => {
    const { bytes, ...message } = recorded('08-binary', 'd');
    for (let end = 12; end < bytes.length; end++)
      expect(() => decodeBinary({ ...message, bytes: bytes.subarray(0, end) }), `${end} bytes`).to.throw(ProtocolError);
  });

  it('reads all 600 variables of a list that was split at 8192 bytes', () => {
    const messages = messagesOf(stepsOf('12-large-binary')[6] as Step);
    expect(messages).to.have.length(3);
    const values = [...decodedByName(messages, 0).values()].map(({ value }) => value);
    expect(values).to.deep.equal(Array.from({ length: 600 }, (_, k) => k / 7));
  });
});
