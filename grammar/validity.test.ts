// Every grammar passes Chevrotain's own checks, which are left out when a program builds its parsers.
import { expect } from 'chai';
import { CommandParser } from '../lib/protocols/python/grammar/parser.js';
import { tokenTypes as commandTokens } from '../lib/protocols/python/grammar/tokens.js';
import { CheckpointParser } from './checkpoint/rules.js';
import * as checkpoint from './checkpoint/tokens.js';
import {
  EmbeddedActionsParser,
  type IParserConfig,
  LEXER_OPTIONS,
  Lexer,
  PARSER_OPTIONS,
  type TokenType,
} from './chevrotain.js';
import { ExpressionParser } from './expression/parser.js';
import { tokenTypes as expressionTokens } from './expression/tokens.js';
import { PathParser, tokenTypes as pathTokens } from './path/path-parser.js';
import { UnitsParser } from './units/parser.js';
import * as units from './units/tokens.js';

const CHECKED = { skipValidations: false };

interface Grammar {
  readonly name: string;
  readonly Parser: new (options: IParserConfig) => object;
  readonly tokenTypes: TokenType[];
  /** Whether the lexer can tell by the first character which tokens to try. */
  readonly isByFirstCharacter: boolean;
}

const grammars: readonly Grammar[] = [
  { name: 'paths', Parser: PathParser, tokenTypes: pathTokens, isByFirstCharacter: true },
  { name: 'commands', Parser: CommandParser, tokenTypes: commandTokens, isByFirstCharacter: true },
  { name: 'checkpoints', Parser: CheckpointParser, tokenTypes: checkpoint.tokenTypes, isByFirstCharacter: true },
  { name: 'expressions', Parser: ExpressionParser, tokenTypes: expressionTokens, isByFirstCharacter: true },
  { name: 'units', Parser: UnitsParser, tokenTypes: units.tokenTypes, isByFirstCharacter: false },
];

/** Two alternatives that begin alike. */
class AmbiguousParser extends EmbeddedActionsParser {
  constructor(options: IParserConfig) {
    super(pathTokens, options);
    this.performSelfAnalysis();
  }

  readonly either = this.RULE('either', () => {
    this.OR([{ ALT: () => this.SUBRULE(this.one) }, { ALT: () => this.SUBRULE2(this.one) }]);
  });

  readonly one = this.RULE('one', () => {
    this.CONSUME(pathTokens[1] as TokenType);
  });
}

describe('grammars', () => {
  for (const { name, Parser, tokenTypes, isByFirstCharacter } of grammars) {
    it(`of ${name} has no ambiguity that Chevrotain can find`, () => {
      expect(() => new Parser({ ...PARSER_OPTIONS, ...CHECKED })).not.to.throw();
    });

    it(`of ${name} has tokens that Chevrotain accepts`, () => {
      const options = { ...LEXER_OPTIONS, ...CHECKED, ensureOptimizations: isByFirstCharacter };
      expect(new Lexer(tokenTypes, options).lexerDefinitionErrors).to.deep.equal([]);
    });
  }

  it('that are ambiguous are found', () => {
    expect(() => new AmbiguousParser({ ...PARSER_OPTIONS, ...CHECKED })).to.throw(/Ambiguous/);
    expect(() => new AmbiguousParser(PARSER_OPTIONS)).not.to.throw();
  });
});
