// The statements of the Trick command language; the comment on a rule is its production.
import type { IParserConfig, IToken, ParserMethod } from '../chevrotain.js';
import { assignmentTarget, augmentedTarget } from './assignment-target.js';
import { ExpressionParser, type Rule } from './expression-parser.js';
import { lineNumberAt, SyntaxProblem } from './syntax-error.js';
import * as t from './tokens.js';
import type { BinaryOperator, Branch, Expression, ImportedName, Parameter, Statement } from './tree.js';

interface TargetText {
  readonly expression: Expression;
  /** Offset of the end of the expression. */
  readonly end: number;
}

/** Turns laid-out tokens into statements. One instance serves all blocks; begin() makes it ready for the next. */
export class CommandParser extends ExpressionParser {
  private text = '';
  private loopDepth = 0;
  private functionDepth = 0;

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

  /** statement: if | for | while | function | simpleLine */
  readonly statement: ParserMethod<[Statement[]?], void> = this.RULE('statement', (body: Statement[] = []) => {
    this.OR([
      { ALT: () => body.push(this.SUBRULE(this.if)) },
      { ALT: () => body.push(this.SUBRULE(this.for)) },
      { ALT: () => body.push(this.SUBRULE(this.while)) },
      { ALT: () => body.push(this.SUBRULE(this.function)) },
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

  /** simple: expressionOrAssignment | "pass" | "break" | "continue" | return | global | import | fromImport */
  readonly simple: Rule<Statement> = this.RULE(
    'simple',
    (): Statement =>
      this.OR<Statement>([
        { ALT: () => this.SUBRULE(this.expressionOrAssignment) },
        { ALT: () => ({ kind: 'pass', at: this.CONSUME(t.Pass).startOffset }) },
        { ALT: () => ({ kind: 'break', at: this.inLoop(this.CONSUME(t.Break), "'break' outside loop") }) },
        {
          ALT: () => ({
            kind: 'continue',
            at: this.inLoop(this.CONSUME(t.Continue), "'continue' not properly in loop"),
          }),
        },
        { ALT: () => this.SUBRULE(this.return) },
        { ALT: () => this.SUBRULE(this.global) },
        { ALT: () => this.SUBRULE(this.import) },
        { ALT: () => this.SUBRULE(this.fromImport) },
      ]),
  );

  /** expressionOrAssignment: expressionList (AUGMENTED_ASSIGN expressionList | ("=" expressionList)*) */
  readonly expressionOrAssignment: Rule<Statement> = this.RULE('expressionOrAssignment', (): Statement => {
    const first = this.SUBRULE(this.expressionList);
    const sides: TargetText[] = [{ expression: first, end: this.endOffset() }];
    return this.OR<Statement>([
      {
        ALT: () => {
          const operator = this.CONSUME(t.AugmentedAssign).image.slice(0, -1) as BinaryOperator;
          const value = this.SUBRULE2(this.expressionList);
          return this.ACTION(() => {
            const target = augmentedTarget(first, sides[0]?.end ?? 0);
            return { kind: 'augmented-assignment', at: first.at, target, operator, value };
          });
        },
      },
      {
        ALT: () => {
          this.MANY(() => {
            this.CONSUME(t.Assign);
            sides.push({ expression: this.SUBRULE3(this.expressionList), end: this.endOffset() });
          });
          return this.ACTION(() => expressionOrAssignment(sides));
        },
      },
    ]);
  });

  /** return: "return" expressionList? */
  readonly return: Rule<Statement> = this.RULE('return', (): Statement => {
    const token = this.CONSUME(t.Return);
    const value = this.OPTION(() => this.SUBRULE(this.expressionList));
    if (this.functionDepth === 0) {
      const length = this.endOffset() - token.startOffset;
      this.ACTION(() => this.tellLater(new SyntaxProblem("'return' outside function", token.startOffset, length)));
    }
    return { kind: 'return', at: token.startOffset, value };
  });

  /** global: "global" NAME ("," NAME)* */
  readonly global: Rule<Statement> = this.RULE('global', (): Statement => {
    const { startOffset: at } = this.CONSUME(t.Global);
    const names: string[] = [];
    this.AT_LEAST_ONE_SEP({ SEP: t.Comma, DEF: () => names.push(this.CONSUME(t.Name).image) });
    return { kind: 'global', at, names };
  });

  /** import: "import" dottedName ("as" NAME)? ("," dottedName ("as" NAME)?)* */
  readonly import: Rule<Statement> = this.RULE('import', (): Statement => {
    const { startOffset: at } = this.CONSUME(t.Import);
    const modules: ImportedName[] = [];
    this.AT_LEAST_ONE_SEP({
      SEP: t.Comma,
      DEF: () => {
        const { startOffset } = this.LA(1);
        const name = this.SUBRULE(this.dottedName);
        modules.push({ at: startOffset, name, alias: this.SUBRULE(this.alias) });
      },
    });
    return { kind: 'import', at, modules };
  });

  /** fromImport: "from" dottedName "import" ("*" | importedNames | "(" importedNames ")") */
  readonly fromImport: Rule<Statement> = this.RULE('fromImport', (): Statement => {
    const { startOffset: at } = this.CONSUME(t.From);
    const module = this.SUBRULE(this.dottedName);
    this.CONSUME(t.Import);
    const names = this.OR<ImportedName[]>([
      { ALT: () => [{ at: this.CONSUME(t.Star).startOffset, name: '*', alias: undefined }] },
      { ALT: () => this.bareImportedNames(this.SUBRULE(this.importedNames)) },
      {
        ALT: () => {
          this.CONSUME(t.LeftParenthesis);
          const inside = this.SUBRULE2(this.importedNames);
          this.CONSUME(t.RightParenthesis);
          return inside;
        },
      },
    ]);
    return { kind: 'from-import', at, module, names };
  });

  private bareImportedNames(names: ImportedName[]): ImportedName[] {
    const last = this.LA(0);
    if (last.tokenType !== t.Comma) return names;
    const message = 'trailing comma not allowed without surrounding parentheses';
    throw new SyntaxProblem(message, last.startOffset);
  }

  /** importedNames: NAME alias ("," NAME alias)* ","? */
  readonly importedNames: Rule<ImportedName[]> = this.RULE('importedNames', (): ImportedName[] => {
    const names = [this.importedName(this.CONSUME(t.Name), this.SUBRULE(this.alias))];
    this.MANY(() => {
      this.CONSUME(t.Comma);
      names.push(this.importedName(this.CONSUME2(t.Name), this.SUBRULE2(this.alias)));
    });
    this.OPTION(() => this.CONSUME2(t.Comma));
    return names;
  });

  private importedName(token: IToken, alias: string | undefined): ImportedName {
    return { at: token.startOffset, name: token.image, alias };
  }

  /** dottedName: NAME ("." NAME)* */
  readonly dottedName: Rule<string> = this.RULE('dottedName', (): string => {
    let name = this.CONSUME(t.Name).image;
    this.MANY(() => {
      this.CONSUME(t.Dot);
      name += `.${this.CONSUME2(t.Name).image}`;
    });
    return name;
  });

  /** alias: ("as" NAME)? */
  readonly alias: Rule<string | undefined> = this.RULE('alias', (): string | undefined =>
    this.OPTION(() => {
      this.CONSUME(t.As);
      return this.CONSUME(t.Name).image;
    }),
  );

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

  /** for: "for" NAME "in" expressionList ":" suite */
  readonly for: Rule<Statement> = this.RULE('for', (): Statement => {
    const token = this.CONSUME(t.For);
    const variable = this.CONSUME(t.Name).image;
    this.CONSUME(t.In);
    const iterable = this.SUBRULE(this.expressionList);
    this.CONSUME(t.Colon);
    const body = this.loopBody(token);
    return { kind: 'for', at: token.startOffset, variable, iterable, body };
  });

  /** while: "while" expression ":" suite */
  readonly while: Rule<Statement> = this.RULE('while', (): Statement => {
    const token = this.CONSUME(t.While);
    const test = this.SUBRULE(this.expression);
    this.CONSUME(t.Colon);
    const body = this.loopBody(token);
    return { kind: 'while', at: token.startOffset, test, body };
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
    return { kind: 'function', at: token.startOffset, name, parameters, body: this.functionBody(token) };
  });

  private functionBody(owner: IToken): Statement[] {
    const { loopDepth } = this;
    this.loopDepth = 0;
    this.functionDepth++;
    const body = this.SUBRULE(this.suite, { ARGS: [owner] });
    this.functionDepth--;
    this.loopDepth = loopDepth;
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
    const what = owner.tokenType === t.Def ? 'function definition' : `'${owner.image}' statement`;
    const message = `expected an indented block after ${what} on line ${lineNumberAt(this.text, owner.startOffset)}`;
    const at = Number.isNaN(next.startOffset) ? Math.max(0, this.text.length - 1) : next.startOffset;
    throw new SyntaxProblem(message, at, next.image.length, 'IndentationError');
  }

  private inLoop(token: IToken, message: string): number {
    if (this.loopDepth === 0) {
      this.ACTION(() => this.tellLater(new SyntaxProblem(message, token.startOffset, token.image.length)));
    }
    return token.startOffset;
  }
}

function expressionOrAssignment(sides: readonly TargetText[]): Statement {
  const value = sides.at(-1)?.expression as Expression;
  const at = sides[0]?.expression.at ?? 0;
  if (sides.length === 1) return { kind: 'expression-statement', at, value };
  const isOnly = sides.length === 2;
  const targets = sides.slice(0, -1).map(({ expression, end }) => assignmentTarget(expression, end, isOnly));
  return { kind: 'assignment', at, targets, value };
}
