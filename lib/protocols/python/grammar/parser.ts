// The blocks and compound statements of the language; the comment on a rule is its production.
import type { IParserConfig, IToken, ParserMethod } from '../../../../grammar/chevrotain.js';
import type { Rule } from './expression-parser.js';
import { SimpleStatementParser } from './simple-statement-parser.js';
import { lineNumberAt, SyntaxProblem } from './syntax-error.js';
import * as t from './tokens.js';
import type { Branch, Expression, Handler, Parameter, Statement, WithItem } from './tree.js';

/** Turns laid-out tokens into statements. One instance serves all blocks; begin() makes it ready for the next. */
export class CommandParser extends SimpleStatementParser {
  private text = '';

  constructor(options?: IParserConfig) {
    super(options);
    this.performSelfAnalysis();
  }

  /** Takes the tokens and the text of a new block and forgets the last one. */
  begin(tokens: IToken[], text: string): void {
    this.text = text;
    this.pendingFields = [];
    this.laterProblem = undefined;
    this.loopDepth = 0;
    this.functionDepth = 0;
    this.input = tokens;
  }

  /** The error that Python finds after parsing, if the parse itself found none. */
  get problemAfterParsing(): SyntaxProblem | undefined {
    return this.laterProblem;
  }

  /** The start of the expression before the token at which parsing stopped. */
  get lastExpressionAt(): number {
    return this.lastInfixAt;
  }

  /** block: statement* EOF */
  readonly block: Rule<Statement[]> = this.RULE('block', (): Statement[] => {
    const body: Statement[] = [];
    this.MANY(() => this.SUBRULE(this.statement, { ARGS: [body] }));
    return body;
  });

  /** statement: if | for | while | with | try | function | class | simpleLine */
  readonly statement: ParserMethod<[Statement[]?], void> = this.RULE('statement', (body: Statement[] = []) => {
    this.OR([
      { ALT: () => body.push(this.SUBRULE(this.if)) },
      { ALT: () => body.push(this.SUBRULE(this.for)) },
      { ALT: () => body.push(this.SUBRULE(this.while)) },
      { ALT: () => body.push(this.SUBRULE(this.with)) },
      { ALT: () => body.push(this.SUBRULE(this.try)) },
      { ALT: () => body.push(this.SUBRULE(this.function)) },
      { ALT: () => body.push(this.SUBRULE(this.class)) },
      { ALT: () => this.SUBRULE(this.simpleLine, { ARGS: [body] }) },
    ]);
  });

  /** simpleLine: simple (";" simple)* ";"? NEWLINE */
  readonly simpleLine: ParserMethod<[Statement[]?], void> = this.RULE('simpleLine', (body: Statement[] = []) => {
    body.push(this.SUBRULE(this.simple));
    this.MANY(() => {
      this.CONSUME(t.Semicolon);
      body.push(this.SUBRULE2(this.simple));
    });
    this.OPTION(() => this.CONSUME2(t.Semicolon));
    this.CONSUME(t.Newline);
  });

  /** if: "if" expression ":" suite ("elif" expression ":" suite)* ("else" ":" suite)? */
  readonly if: Rule<Statement> = this.RULE('if', (): Statement => {
    const { startOffset: at } = this.LA(1);
    const branches: Branch[] = [];
    branches.push(this.SUBRULE(this.branch, { ARGS: [this.CONSUME(t.If)] }));
    this.MANY(() => branches.push(this.SUBRULE2(this.branch, { ARGS: [this.CONSUME(t.Elif)] })));
    const otherwise = this.OPTION(() => {
      const token = this.CONSUME(t.Else);
      this.CONSUME(t.Colon);
      return this.SUBRULE(this.suite, { ARGS: [token] });
    });
    return { kind: 'if', at, branches, otherwise: otherwise ?? [] };
  });

  /** branch: expression ":" suite */
  readonly branch: ParserMethod<[IToken], Branch> = this.RULE('branch', (owner: IToken): Branch => {
    const test = this.SUBRULE(this.expression);
    this.CONSUME(t.Colon);
    return { at: test.at, test, body: this.SUBRULE(this.suite, { ARGS: [owner] }) };
  });

  /** try: "try" ":" suite handler* ("else" ":" suite)? ("finally" ":" suite)?, of which a handler or finally must be there */
  readonly try: Rule<Statement> = this.RULE('try', (): Statement => {
    const token = this.CONSUME(t.Try);
    this.CONSUME(t.Colon);
    const body = this.SUBRULE(this.suite, { ARGS: [token] });
    const handlers: Handler[] = [];
    this.MANY(() => handlers.push(this.SUBRULE(this.handler)));
    const otherwise = this.OPTION(() => {
      this.ACTION(() => this.expectHandler(handlers));
      const owner = this.CONSUME(t.Else);
      this.CONSUME2(t.Colon);
      return this.SUBRULE2(this.suite, { ARGS: [owner] });
    });
    const final = this.OPTION2(() => {
      const owner = this.CONSUME(t.Finally);
      this.CONSUME3(t.Colon);
      return this.SUBRULE3(this.suite, { ARGS: [owner] });
    });
    this.ACTION(() => {
      if (!final) this.expectHandler(handlers);
      this.checkHandlers(handlers);
    });
    return { kind: 'try', at: token.startOffset, body, handlers, otherwise: otherwise ?? [], final: final ?? [] };
  });

  /** handler: "except" (expression ("as" NAME)?)? ":" suite */
  readonly handler: Rule<Handler> = this.RULE('handler', (): Handler => {
    const token = this.CONSUME(t.Except);
    let name: string | undefined;
    const types = this.OPTION(() => {
      const caught = this.SUBRULE(this.expression);
      name = this.SUBRULE(this.alias);
      return caught;
    });
    this.CONSUME(t.Colon);
    return { at: token.startOffset, types, name, body: this.SUBRULE(this.suite, { ARGS: [token] }) };
  });

  private expectHandler(handlers: readonly Handler[]): void {
    if (handlers.length > 0) return;
    const { startOffset, image } = this.LA(1);
    const at = Number.isNaN(startOffset) ? Math.max(0, this.text.length - 1) : startOffset;
    throw new SyntaxProblem("expected 'except' or 'finally' block", at, image.length);
  }

  private checkHandlers(handlers: readonly Handler[]): void {
    const bare = handlers.findIndex(({ types }) => types === undefined);
    if (bare < 0 || bare === handlers.length - 1) return;
    const at = handlers[bare]?.at ?? 0;
    this.tellLater(new SyntaxProblem("default 'except:' must be last", at, 'except:'.length));
  }

  /** for: "for" targets "in" expressionList ":" suite */
  readonly for: Rule<Statement> = this.RULE('for', (): Statement => {
    const token = this.CONSUME(t.For);
    const target = this.SUBRULE(this.targets);
    this.CONSUME(t.In);
    const iterable = this.SUBRULE(this.expressionList);
    this.CONSUME(t.Colon);
    const body = this.loopBody(token);
    return { kind: 'for', at: token.startOffset, target, iterable, body };
  });

  /** while: "while" expression ":" suite */
  readonly while: Rule<Statement> = this.RULE('while', (): Statement => {
    const token = this.CONSUME(t.While);
    const test = this.SUBRULE(this.expression);
    this.CONSUME(t.Colon);
    const body = this.loopBody(token);
    return { kind: 'while', at: token.startOffset, test, body };
  });

  /** with: "with" expression ("as" NAME)? ("," expression ("as" NAME)?)* ":" suite */
  readonly with: Rule<Statement> = this.RULE('with', (): Statement => {
    const token = this.CONSUME(t.With);
    const items: WithItem[] = [];
    this.AT_LEAST_ONE_SEP({
      SEP: t.Comma,
      DEF: () => {
        const context = this.SUBRULE(this.expression);
        items.push({ at: context.at, context, name: this.SUBRULE(this.alias) });
      },
    });
    this.CONSUME(t.Colon);
    return { kind: 'with', at: token.startOffset, items, body: this.SUBRULE(this.suite, { ARGS: [token] }) };
  });

  private loopBody(owner: IToken): Statement[] {
    this.loopDepth++;
    const body = this.SUBRULE(this.suite, { ARGS: [owner] });
    this.loopDepth--;
    this.OPTION(() => {
      const token = this.CONSUME(t.Else);
      const message = `else after a ${owner.image} loop is not part of the command language`;
      this.ACTION(() => {
        throw new SyntaxProblem(message, token.startOffset, token.image.length);
      });
    });
    return body;
  }

  /** function: "def" NAME "(" (parameter ("," parameter)* ","?)? ")" ":" suite */
  readonly function: Rule<Statement> = this.RULE('function', (): Statement => {
    const token = this.CONSUME(t.Def);
    const name = this.CONSUME(t.Name).image;
    const parameters: Parameter[] = [];
    this.CONSUME(t.LeftParenthesis);
    this.OPTION(() => {
      this.SUBRULE(this.parameter, { ARGS: [parameters] });
      this.MANY(() => {
        this.CONSUME(t.Comma);
        this.SUBRULE2(this.parameter, { ARGS: [parameters] });
      });
      this.OPTION2(() => this.CONSUME2(t.Comma));
    });
    this.CONSUME(t.RightParenthesis);
    this.CONSUME(t.Colon);
    return { kind: 'function', at: token.startOffset, name, parameters, body: this.ownBody(token, 1) };
  });

  /** class: "class" NAME ("(" (expression ("," expression)*)? ")")? ":" suite */
  readonly class: Rule<Statement> = this.RULE('class', (): Statement => {
    const token = this.CONSUME(t.Class);
    const name = this.CONSUME(t.Name).image;
    const bases: Expression[] = [];
    this.OPTION(() => {
      this.CONSUME(t.LeftParenthesis);
      this.MANY_SEP({ SEP: t.Comma, DEF: () => bases.push(this.SUBRULE(this.expression)) });
      this.CONSUME(t.RightParenthesis);
    });
    this.CONSUME(t.Colon);
    return { kind: 'class', at: token.startOffset, name, bases, body: this.ownBody(token, 0) };
  });

  /** A body that can `break` no loop around it, and `return` only from its own function. */
  private ownBody(owner: IToken, functionDepth: number): Statement[] {
    const outer = { loopDepth: this.loopDepth, functionDepth: this.functionDepth };
    Object.assign(this, { loopDepth: 0, functionDepth });
    const body = this.SUBRULE(this.suite, { ARGS: [owner] });
    Object.assign(this, outer);
    return body;
  }

  /** parameter: NAME ("=" expression)? */
  readonly parameter: ParserMethod<[Parameter[]?], void> = this.RULE('parameter', (parameters: Parameter[] = []) => {
    const { startOffset: at, image: name } = this.CONSUME(t.Name);
    const value = this.OPTION(() => {
      this.CONSUME(t.Assign);
      return this.SUBRULE(this.expression);
    });
    this.ACTION(() => {
      if (value === undefined && parameters.at(-1)?.default !== undefined) {
        throw new SyntaxProblem('non-default argument follows default argument', at, name.length);
      }
      if (parameters.some((earlier) => earlier.name === name)) {
        this.tellLater(new SyntaxProblem(`duplicate argument '${name}' in function definition`, at, name.length));
      }
      parameters.push({ at, name, default: value });
    });
  });

  /** suite: simpleLine | NEWLINE INDENT statement+ DEDENT */
  readonly suite: ParserMethod<[IToken], Statement[]> = this.RULE('suite', (owner: IToken): Statement[] => {
    const body: Statement[] = [];
    this.OR([
      { ALT: () => this.SUBRULE(this.simpleLine, { ARGS: [body] }) },
      {
        ALT: () => {
          this.CONSUME(t.Newline);
          this.ACTION(() => this.expectIndentedBlock(owner));
          this.CONSUME(t.Indent);
          this.AT_LEAST_ONE(() => this.SUBRULE(this.statement, { ARGS: [body] }));
          this.CONSUME(t.Dedent);
        },
      },
    ]);
    return body;
  });

  private expectIndentedBlock(owner: IToken): void {
    const next = this.LA(1);
    if (next.tokenType === t.Indent) return;
    const definition = owner.tokenType === t.Def ? 'function' : owner.tokenType === t.Class ? 'class' : undefined;
    const what = definition ? `${definition} definition` : `'${owner.image}' statement`;
    const message = `expected an indented block after ${what} on line ${lineNumberAt(this.text, owner.startOffset)}`;
    const at = Number.isNaN(next.startOffset) ? Math.max(0, this.text.length - 1) : next.startOffset;
    throw new SyntaxProblem(message, at, next.image.length, 'IndentationError');
  }
}
