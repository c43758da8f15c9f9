// Descriptions that are broken or hostile: each is one sentence, at once.
import { expect } from 'chai';
import { parseDescription } from './parse-description.js';

const HEAD = '<fmiModelDescription fmiVersion="2.0" modelName="x" guid="g">';
const named = (name: string, reference = '1'): string =>
  `${HEAD}<ModelVariables><ScalarVariable name="${name}" valueReference="${reference}"><Real/></ScalarVariable></ModelVariables></fmiModelDescription>`;

const WRONG: Readonly<Record<string, readonly [xml: string, sentence: RegExp]>> = {
  'is empty': ['', /must contain a root element/],
  'is cut': [named('a').slice(0, -30), /unclosed tag: ModelVariables/],
  'is bytes': ['\u0001\u0002', /disallowed character/],
  'has another root': ['<a/>', /it begins with a, not fmiModelDescription/],
  'is of another version': [
    '<fmiModelDescription fmiVersion="1.0"/>',
    /it is of FMI 1.0, and only 2.0 and 3.0 are known/,
  ],
  'has an unknown encoding': ['<?xml version="1.0" encoding="x-what"?><a/>', /its encoding x-what is not known/],
  'has entities of its own': ['<!DOCTYPE x [<!ENTITY a "aaaa">]><fmiModelDescription a="&a;"/>', /undefined entity/],
  'asks for a file': ['<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><a>&a;</a>', /undefined entity/],
  'has a name without end': [named('a.'.repeat(50_000)), /a variable's name has 100000 characters, and may have 4000/],
  'has no value reference': [named('a', '1e99'), /a variable "a" has the value reference "1e99"/],
};

describe('the description of an FMU', () => {
  for (const [what, [xml, sentence]] of Object.entries(WRONG))
    it(`that ${what} is refused`, () => {
      expect(() => parseDescription(Buffer.from(xml))).to.throw(sentence);
    });

  it('may be nested deeply', () => {
    const deep = `${HEAD}${'<a>'.repeat(20_000)}${'</a>'.repeat(20_000)}</fmiModelDescription>`;
    expect(parseDescription(Buffer.from(deep)).variables).to.have.length(0);
  });
});
