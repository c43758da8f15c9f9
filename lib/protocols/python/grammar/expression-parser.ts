// The expressions of the language; the comment on a rule is its production.
import {
  EmbeddedActionsParser,
  type IParserConfig,
  type IParserErrorMessageProvider,
  type IToken,
  PARSER_OPTIONS,
  type ParserMethod,
} from '../../../../grammar/chevrotain.js';
import { assignmentTarget } from './assignment-target.js';
import { type Arguments, checkGenerator, checkKeyword, conditional, tooDeep, withClauses } from './expression-nodes.js';
import type { PendingField } from './formatted-text.js';
import { maxExpressionDepth } from './limits.js';
import { parseInteger, parseReal } from './number-literal.js';
import { bindOperators, type Item, type OperatorMark } from './operator-precedence.js';
import { joinLiterals } from './string-literal.js';
import { SyntaxProblem } from './syntax-error.js';
import * as t from './tokens.js';
import type { Call, ComprehensionClause, Dictionary, Entry, Expression, Slice, Target } from './tree.js';

export type Rule<Result> = ParserMethod<[], Result>;

const invalidSyntax = (): string => 'invalid syntax';

/** Python's error sentences; an error without one is "invalid syntax". */
const messages: IParserErrorMessageProvider = {
  buildMismatchTokenMessage({ expected, actual, ruleName }) {
    if (expected === t.Colon && actual.tokenType === t.Newline) return "expected ':'";
    if (expected === t.Else && ruleName === 'expression') return "expected 'else' after 'if' expression";
    return 'invalid syntax';
  },
  buildNotAllInputParsedMessage: invalidSyntax,
  buildNoViableAltMessage: invalidSyntax,
  buildEarlyExitMessage: invalidSyntax,
};

export class ExpressionParser extends EmbeddedActionsParser {
  /** Fields of f-strings that still wait for their expressions. */
  pendingFields: PendingField[] = [];
  /** Errors that Python finds after parsing, so that it reports them only when the parse itself succeeds. */
  protected laterProblem: SyntaxProblem | undefined;
  /** Where the last complete expression began; Python shows it when the next token does not fit. */
  protected lastInfixAt = 0;

  constructor(options: IParserConfig = PARSER_OPTIONS) {
    super(t.tokenTypes, { ...options, maxLookahead: 2, errorMessageProvider: messages });
  }

  protected tellLater(problem: SyntaxProblem): void {
    this.laterProblem ??= problem;
  }

  protected endOffset(): number {
    const last = this.LA(0);
    return last.startOffset + last.image.length;
  }

  /** fieldExpression: expressionList EOF */
  readonly fieldExpression: Rule<Expression> = this.RULE(
    'fieldExpression',
    (): Expression => this.SUBRULE(this.expressionList),
  );

  /** expressionList: items (a tuple when there is a comma) */
  readonly expressionList: Rule<Expression> = this.RULE('expressionList', (): Expression => {
    const items = this.SUBRULE(this.items);
    return this.ACTION(() => {
      const first = items[0] as Expression;
      return items.length === 1 && this.LA(0).tokenType !== t.Comma ? first : { kind: 'tuple', at: first.at, items };
    });
  });

  /** items: expression ("," expression)* ","? */
  readonly items: Rule<Expression[]> = this.RULE('items', (): Expression[] => {
    const items = [this.SUBRULE(this.expression)];
    this.MANY(() => {
      this.CONSUME(t.Comma);
      items.push(this.SUBRULE2(this.expression));
    });
    this.OPTION(() => this.CONSUME2(t.Comma));
    return items;
  });

  /** expression: infix ("if" infix "else" infix)* (groups from the right) */
  readonly expression: Rule<Expression> = this.RULE('expression', (): Expression => {
    const values = [this.SUBRULE(this.infix)];
    const tests: Expression[] = [];
    this.MANY(() => {
      this.CONSUME(t.If);
      tests.push(this.SUBRULE2(this.infix));
      this.CONSUME(t.Else);
      values.push(this.SUBRULE3(this.infix));
    });
    return tests.length === 0 ? (values[0] as Expression) : this.ACTION(() => conditional(values, tests));
  });

  /** infix: operand (infixOperator operand)* */
  readonly infix: Rule<Expression> = this.RULE('infix', (): Expression => {
    const start = this.LA(1).startOffset;
    const items: Item[] = [];
    this.SUBRULE(this.operand, { ARGS: [items] });
    this.MANY(() => {
      items.push(this.SUBRULE(this.infixOperator));
      this.SUBRULE2(this.operand, { ARGS: [items] });
    });
    this.lastInfixAt = start;
    return this.ACTION(() => {
      if (items.length === 1) return items[0] as Expression;
      if (items.length > maxExpressionDepth) throw tooDeep(start);
      return bindOperators(items);
    });
  });

  /** operand: PREFIX_OPERATOR* postfix */
  readonly operand: ParserMethod<[Item[]?], void> = this.RULE('operand', (items: Item[] = []) => {
    this.MANY(() => {
      const { startOffset: at, image: operator } = this.CONSUME(t.PrefixOperator);
      items.push({ kind: 'prefix', at, operator });
    });
    items.push(this.SUBRULE(this.postfix));
  });

  /** infixOperator: INFIX_OPERATOR | "is" "not"? | "not" "in" */
  readonly infixOperator: Rule<OperatorMark> = this.RULE('infixOperator', (): OperatorMark => {
    const at = this.LA(1).startOffset;
    const operator = this.OR([
      { ALT: () => this.CONSUME(t.InfixOperator).image },
      {
        ALT: () => {
          this.CONSUME(t.Is);
          return this.OPTION(() => this.CONSUME(t.Not)) === undefined ? 'is' : 'is not';
        },
      },
      {
        ALT: () => {
          this.CONSUME2(t.Not);
          this.CONSUME(t.In);
          return 'not in';
        },
      },
    ]);
    return { kind: 'infix', at, operator };
  });

  /** postfix: atom ("." NAME | "[" subscript "]" | "(" arguments ")")* */
  readonly postfix: Rule<Expression> = this.RULE('postfix', (): Expression => {
    const { startOffset: at } = this.LA(1);
    let node = this.SUBRULE(this.atom);
    this.MANY(() => {
      node = this.OR<Expression>([
        {
          ALT: () => {
            this.CONSUME(t.Dot);
            return { kind: 'attribute', at, object: node, name: this.CONSUME(t.Name).image };
          },
        },
        {
          ALT: () => {
            this.CONSUME(t.LeftBracket);
            const index = this.SUBRULE(this.subscript);
            this.CONSUME(t.RightBracket);
            return { kind: 'subscript', at, object: node, index };
          },
        },
        { ALT: (): Call => ({ kind: 'call', at, callee: node, ...this.SUBRULE(this.arguments) }) },
      ]);
    });
    return node;
  });

  /** subscript: expression | expression? ":" expression? (":" expression?)? */
  readonly subscript: Rule<Expression | Slice> = this.RULE('subscript', (): Expression | Slice => {
    const { startOffset: at } = this.LA(1);
    return this.OR([
      {
        ALT: () => {
          const start = this.SUBRULE(this.expression);
          return this.OPTION(() => this.SUBRULE(this.sliceEnd, { ARGS: [at, start] })) ?? start;
        },
      },
      { ALT: () => this.SUBRULE2(this.sliceEnd, { ARGS: [at, undefined] }) },
    ]);
  });

  /** sliceEnd: ":" expression? (":" expression?)? */
  readonly sliceEnd: ParserMethod<[number?, (Expression | undefined)?], Slice> = this.RULE(
    'sliceEnd',
    (at: number | undefined = 0, start: Expression | undefined = undefined): Slice => {
      this.CONSUME(t.Colon);
      const stop = this.OPTION(() => this.SUBRULE(this.expression));
      const step = this.OPTION2(() => {
        this.CONSUME2(t.Colon);
        return this.OPTION3(() => this.SUBRULE2(this.expression));
      });
      return { kind: 'slice', at, start, stop, step };
    },
  );

  /** arguments: "(" (argument ("," argument)* ","?)? ")" */
  readonly arguments: Rule<Arguments> = this.RULE('arguments', (): Arguments => {
    const list: Arguments = { positional: [], keywords: [] };
    this.CONSUME(t.LeftParenthesis);
    this.OPTION(() => {
      this.SUBRULE(this.argument, { ARGS: [list] });
      this.MANY(() => {
        this.CONSUME(t.Comma);
        this.SUBRULE2(this.argument, { ARGS: [list] });
      });
      this.OPTION2(() => this.CONSUME2(t.Comma));
    });
    this.CONSUME(t.RightParenthesis);
    return list;
  });

  /** argument: NAME "=" expression | expression comprehensionClause* */
  readonly argument: ParserMethod<[Arguments?], void> = this.RULE(
    'argument',
    (list: Arguments = { positional: [], keywords: [] }) => {
      const first = this.LA(1);
      const expression = this.SUBRULE(this.expression);
      const value = this.OPTION(() => {
        const equals = this.CONSUME(t.Assign);
        this.ACTION(() => checkKeyword(expression, first, equals));
        return this.SUBRULE2(this.expression);
      });
      const clauses: ComprehensionClause[] = [];
      this.MANY(() => clauses.push(this.SUBRULE(this.comprehensionClause)));
      this.ACTION(() => this.addArgument(list, first, withClauses(expression, clauses), value));
    },
  );

  private addArgument(list: Arguments, first: IToken, expression: Expression, value: Expression | undefined): void {
    if (value === undefined) {
      list.positional.push(expression);
      checkGenerator(list);
      if (list.keywords.length === 0) return;
      throw new SyntaxProblem('positional argument follows keyword argument', this.endOffset());
    }
    const name = first.image;
    if (list.keywords.some((keyword) => keyword.name === name)) {
      this.tellLater(new SyntaxProblem(`keyword argument repeated: ${name}`, first.startOffset, name.length));
    }
    list.keywords.push({ at: first.startOffset, name, value });
  }

  /** atom: NAME | INTEGER | FLOAT | STRING+ | "True" | "False" | "None" | parenthesized | list | dictionary */
  readonly atom: Rule<Expression> = this.RULE('atom', (): Expression => {
    const { startOffset: at } = this.LA(1);
    return this.OR<Expression>([
      { ALT: () => ({ kind: 'name', at, name: this.CONSUME(t.Name).image }) },
      { ALT: () => this.number(this.CONSUME(t.Integer), parseInteger) },
      { ALT: () => this.number(this.CONSUME(t.Float), parseReal) },
      { ALT: () => this.SUBRULE(this.strings) },
      { ALT: () => ({ kind: 'boolean', at, value: this.CONSUME(t.True).image === 'True' }) },
      { ALT: () => ({ kind: 'boolean', at, value: this.CONSUME(t.False).image === 'True' }) },
      {
        ALT: () => {
          this.CONSUME(t.None);
          return { kind: 'none', at };
        },
      },
      { ALT: () => this.SUBRULE(this.parenthesized) },
      { ALT: () => this.SUBRULE(this.list) },
      { ALT: () => this.SUBRULE(this.dictionary) },
    ]);
  });

  private number(token: IToken, parse: (image: string, at: number) => Expression): Expression {
    return this.ACTION(() => parse(token.image, token.startOffset));
  }

  /** strings: STRING+ */
  readonly strings: Rule<Expression> = this.RULE('strings', (): Expression => {
    const tokens: IToken[] = [];
    this.AT_LEAST_ONE(() => tokens.push(this.CONSUME(t.StringLiteral)));
    return this.ACTION(() => joinLiterals(tokens, this.pendingFields));
  });

  /** parenthesized: "(" expressionList? ")" */
  readonly parenthesized: Rule<Expression> = this.RULE('parenthesized', (): Expression => {
    const { startOffset: at } = this.CONSUME(t.LeftParenthesis);
    const value = this.OPTION(() => this.SUBRULE(this.expressionList));
    this.CONSUME(t.RightParenthesis);
    return value ?? { kind: 'tuple', at, items: [] };
  });

  /** list: "[" (items comprehensionClause*)? "]" */
  readonly list: Rule<Expression> = this.RULE('list', (): Expression => {
    const { startOffset: at } = this.CONSUME(t.LeftBracket);
    const clauses: ComprehensionClause[] = [];
    let isList = false;
    const items =
      this.OPTION(() => {
        const inside = this.SUBRULE(this.items);
        isList = inside.length > 1 || this.LA(0).tokenType === t.Comma;
        this.MANY(() => clauses.push(this.SUBRULE(this.comprehensionClause)));
        return inside;
      }) ?? [];
    this.CONSUME(t.RightBracket);
    return this.ACTION(() => {
      const [first] = items;
      if (clauses.length === 0 || first === undefined) return { kind: 'list', at, items };
      if (isList) throw new SyntaxProblem('did you forget parentheses around the comprehension target?', first.at);
      return withClauses(first, clauses, at);
    });
  });

  /** comprehensionClause: "for" targets "in" infix ("if" infix)* */
  readonly comprehensionClause: Rule<ComprehensionClause> = this.RULE(
    'comprehensionClause',
    (): ComprehensionClause => {
      const { startOffset: at } = this.CONSUME(t.For);
      const target = this.SUBRULE(this.targets);
      this.CONSUME(t.In);
      const iterable = this.SUBRULE(this.infix);
      const conditions: Expression[] = [];
      this.MANY(() => {
        this.CONSUME(t.If);
        conditions.push(this.SUBRULE2(this.infix));
      });
      return { at, target, iterable, conditions };
    },
  );

  /** targets: postfix ("," postfix)* ","? */
  readonly targets: Rule<Target> = this.RULE('targets', (): Target => {
    const { startOffset: at } = this.LA(1);
    const items = [this.SUBRULE(this.postfix)];
    const ends = [this.endOffset()];
    this.MANY(() => {
      this.CONSUME(t.Comma);
      items.push(this.SUBRULE2(this.postfix));
      ends.push(this.endOffset());
    });
    const comma = this.OPTION(() => this.CONSUME2(t.Comma));
    return this.ACTION(() => {
      const targets = items.map((item, index) => assignmentTarget(item, ends[index] as number, false));
      return targets.length === 1 && comma === undefined
        ? (targets[0] as Target)
        : { kind: 'tuple', at, items: targets };
    });
  });

  /** dictionary: "{" (entry ("," entry)* ","?)? "}" */
  readonly dictionary: Rule<Dictionary> = this.RULE('dictionary', (): Dictionary => {
    const { startOffset: at } = this.CONSUME(t.LeftBrace);
    const entries: Entry[] = [];
    this.OPTION(() => {
      entries.push(this.SUBRULE(this.entry));
      this.MANY(() => {
        this.CONSUME(t.Comma);
        entries.push(this.SUBRULE2(this.entry));
      });
      this.OPTION2(() => this.CONSUME2(t.Comma));
    });
    this.CONSUME(t.RightBrace);
    return { kind: 'dictionary', at, entries };
  });

  /** entry: expression ":" expression */
  readonly entry: Rule<Entry> = this.RULE('entry', (): Entry => {
    const key = this.SUBRULE(this.expression);
    this.CONSUME(t.Colon);
    return { at: key.at, key, value: this.SUBRULE2(this.expression) };
  });
}
