// Chevrotain as the grammars use it: its single-file build, and lexers and parsers that are built at their first use.
// docs/performance.md has what it buys, and how to measure that again.
import type * as Chevrotain from 'chevrotain';

export type {
  IParserConfig,
  IParserErrorMessageProvider,
  IRecognitionException,
  IToken,
  ParserMethod,
  TokenType,
} from 'chevrotain';

/**
 * The single-file build is not among the package's exports, so its path is derived from the path of the package's
 * entry. If it is not there, the entry itself is loaded.
 */
async function load(): Promise<typeof Chevrotain> {
  const singleFile = new URL('../chevrotain.min.mjs', import.meta.resolve('chevrotain')).href;
  try {
    return (await import(singleFile)) as typeof Chevrotain;
  } catch {
    return import('chevrotain');
  }
}

export const { createToken, createTokenInstance, EmbeddedActionsParser, EOF, Lexer, tokenMatcher } = await load();

/** Chevrotain can check a grammar each time it is built; grammar/validity.test.ts does it instead. */
export const LEXER_OPTIONS = { positionTracking: 'onlyOffset', skipValidations: true } as const;
export const PARSER_OPTIONS = { recoveryEnabled: false, skipValidations: true } as const;

/** Builds an object when it is first used: most servers never get text that needs a grammar. */
export function atFirstUse<Made extends object>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
