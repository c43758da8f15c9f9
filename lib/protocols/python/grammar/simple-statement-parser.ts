// The statements of one line: assignments, imports, raise and the like; the comment on a rule is its production.
import type { IToken } from '../../../../grammar/chevrotain.js';
import { assignmentTarget, augmentedTarget, deletedTarget } from './assignment-target.js';
import { ExpressionParser, type Rule } from './expression-parser.js';
import { SyntaxProblem } from './syntax-error.js';
import * as t from './tokens.js';
import type { BinaryOperator, Delete, Expression, ImportedName, Statement } from './tree.js';

interface TargetText {
  readonly expression: Expression;
  /** Offset of the end of the expression. */
  readonly end: number;
}

export class SimpleStatementParser extends ExpressionParser {
  protected loopDepth = 0;
  protected functionDepth = 0;

  /** simple: expressionOrAssignment | "pass" | "break" | "continue" | return | global | import | fromImport | raise | assert | "del" expressionList */
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
        { ALT: () => this.SUBRULE(this.raise) },
        { ALT: () => this.SUBRULE(this.assert) },
        {
          ALT: () => {
            const { startOffset: at } = this.CONSUME(t.Del);
            const value = this.SUBRULE(this.expressionList);
            const end = this.endOffset();
            return this.ACTION(() => ({ kind: 'delete', at, targets: deletedTargets(value, end) }));
          },
        },
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

  /** fromImport: "from" moduleName "import" ("*" | importedNames | "(" importedNames ")") */
  readonly fromImport: Rule<Statement> = this.RULE('fromImport', (): Statement => {
    const { startOffset: at } = this.CONSUME(t.From);
    const module = this.SUBRULE(this.moduleName);
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

  /** moduleName: dottedName | "."+ dottedName? */
  readonly moduleName: Rule<string> = this.RULE('moduleName', (): string =>
    this.OR([
      { ALT: () => this.SUBRULE(this.dottedName) },
      {
        ALT: () => {
          let name = '';
          this.AT_LEAST_ONE(() => {
            name += this.CONSUME(t.Dot).image;
          });
          this.OPTION(() => {
            name += this.SUBRULE2(this.dottedName);
          });
          return name;
        },
      },
    ]),
  );

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

  /** raise: "raise" (expression ("from" expression)?)? */
  readonly raise: Rule<Statement> = this.RULE('raise', (): Statement => {
    const { startOffset: at } = this.CONSUME(t.Raise);
    let cause: Expression | undefined;
    const value = this.OPTION(() => {
      const raised = this.SUBRULE(this.expression);
      cause = this.OPTION2(() => {
        this.CONSUME(t.From);
        return this.SUBRULE2(this.expression);
      });
      return raised;
    });
    return { kind: 'raise', at, value, cause };
  });

  /** assert: "assert" expression ("," expression)? */
  readonly assert: Rule<Statement> = this.RULE('assert', (): Statement => {
    const { startOffset: at } = this.CONSUME(t.Assert);
    const test = this.SUBRULE(this.expression);
    const message = this.OPTION(() => {
      this.CONSUME(t.Comma);
      return this.SUBRULE2(this.expression);
    });
    return { kind: 'assert', at, test, message };
  });

  private inLoop(token: IToken, message: string): number {
    if (this.loopDepth === 0) {
      this.ACTION(() => this.tellLater(new SyntaxProblem(message, token.startOffset, token.image.length)));
    }
    return token.startOffset;
  }
}

/** What `del` takes away. Throws a SyntaxProblem for what cannot be taken away. */
function deletedTargets(value: Expression, end: number): Delete['targets'] {
  const items = value.kind === 'tuple' ? value.items : [value];
  return items.map((item, index) => deletedTarget(item, index === items.length - 1 ? end : item.at + 1));
}

function expressionOrAssignment(sides: readonly TargetText[]): Statement {
  const value = sides.at(-1)?.expression as Expression;
  const at = sides[0]?.expression.at ?? 0;
  if (sides.length === 1) return { kind: 'expression-statement', at, value };
  const isOnly = sides.length === 2;
  const targets = sides.slice(0, -1).map(({ expression, end }) => assignmentTarget(expression, end, isOnly));
  return { kind: 'assignment', at, targets, value };
}
