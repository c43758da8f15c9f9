// Chevrotain's single-file build with the types of the package: it loads in 10 ms, the package's 644 files in 250 ms.
import type * as Chevrotain from 'chevrotain';

export type { IParserErrorMessageProvider, IRecognitionException, IToken, ParserMethod, TokenType } from 'chevrotain';

/** The package does not export its single-file build, so we look beside its entry; if it is not there, we load the entry. */
async function load(): Promise<typeof Chevrotain> {
  const singleFile = new URL('../chevrotain.min.mjs', import.meta.resolve('chevrotain')).href;
  try {
    return (await import(singleFile)) as typeof Chevrotain;
  } catch {
    return import('chevrotain');
  }
}

export const { createToken, createTokenInstance, EmbeddedActionsParser, EOF, Lexer, tokenMatcher } = await load();
