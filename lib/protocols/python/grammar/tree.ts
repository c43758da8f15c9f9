// The syntax tree of a text; trees are shared between blocks of the same text, so they never change.

interface Node {
  /** Offset of the node's first character in the block, in UTF-16 units. */
  readonly at: number;
}

export interface Block extends Node {
  readonly kind: 'block';
  readonly body: readonly Statement[];
}

export type Statement =
  | ExpressionStatement
  | Assignment
  | AugmentedAssignment
  | If
  | For
  | While
  | With
  | Break
  | Continue
  | Pass
  | Import
  | FromImport
  | FunctionDefinition
  | ClassDefinition
  | Return
  | Global
  | Try
  | Raise
  | Assert
  | Delete;

export interface ExpressionStatement extends Node {
  readonly kind: 'expression-statement';
  readonly value: Expression;
}

/** `a = b = value`: the value is computed once and goes to the targets from left to right. */
export interface Assignment extends Node {
  readonly kind: 'assignment';
  readonly targets: readonly Target[];
  readonly value: Expression;
}

export interface AugmentedAssignment extends Node {
  readonly kind: 'augmented-assignment';
  readonly target: Name | Attribute | Subscript;
  readonly operator: BinaryOperator;
  readonly value: Expression;
}

/** What can stand left of `=`; a tuple's items are targets in their turn. */
export type Target = Name | Attribute | Subscript | TargetTuple;

export interface TargetTuple extends Node {
  readonly kind: 'tuple';
  readonly items: readonly Target[];
}

export interface If extends Node {
  readonly kind: 'if';
  /** `if` and its `elif`s in order. */
  readonly branches: readonly Branch[];
  /** Empty when there is no `else`. */
  readonly otherwise: readonly Statement[];
}

export interface Branch extends Node {
  readonly test: Expression;
  readonly body: readonly Statement[];
}

export interface For extends Node {
  readonly kind: 'for';
  readonly target: Target;
  readonly iterable: Expression;
  readonly body: readonly Statement[];
}

export interface While extends Node {
  readonly kind: 'while';
  readonly test: Expression;
  readonly body: readonly Statement[];
}

/** `with context as name, ...: body` */
export interface With extends Node {
  readonly kind: 'with';
  readonly items: readonly WithItem[];
  readonly body: readonly Statement[];
}

export interface WithItem extends Node {
  readonly context: Expression;
  /** The name of `as`. */
  readonly name: string | undefined;
}

export interface Break extends Node {
  readonly kind: 'break';
}

export interface Continue extends Node {
  readonly kind: 'continue';
}

export interface Pass extends Node {
  readonly kind: 'pass';
}

export interface Import extends Node {
  readonly kind: 'import';
  readonly modules: readonly ImportedName[];
}

export interface FromImport extends Node {
  readonly kind: 'from-import';
  /** With the dots of a relative import before it: `..a.b`. */
  readonly module: string;
  /** One entry named `*` for `from module import *`. */
  readonly names: readonly ImportedName[];
}

export interface ImportedName extends Node {
  /** A module's name keeps its dots: `b.c`. */
  readonly name: string;
  readonly alias: string | undefined;
}

export interface FunctionDefinition extends Node {
  readonly kind: 'function';
  readonly name: string;
  readonly parameters: readonly Parameter[];
  readonly body: readonly Statement[];
}

export interface ClassDefinition extends Node {
  readonly kind: 'class';
  readonly name: string;
  readonly bases: readonly Expression[];
  readonly body: readonly Statement[];
}

export interface Parameter extends Node {
  readonly name: string;
  readonly default: Expression | undefined;
}

export interface Return extends Node {
  readonly kind: 'return';
  readonly value: Expression | undefined;
}

export interface Global extends Node {
  readonly kind: 'global';
  readonly names: readonly string[];
}

export interface Try extends Node {
  readonly kind: 'try';
  readonly body: readonly Statement[];
  readonly handlers: readonly Handler[];
  /** The body of `else`; empty when there is none. */
  readonly otherwise: readonly Statement[];
  /** The body of `finally`; empty when there is none. */
  readonly final: readonly Statement[];
}

export interface Handler extends Node {
  /** What it catches: a class or a tuple of classes; undefined for `except:`. */
  readonly types: Expression | undefined;
  /** The name of `as`. */
  readonly name: string | undefined;
  readonly body: readonly Statement[];
}

export interface Raise extends Node {
  readonly kind: 'raise';
  /** Undefined for a bare `raise`, which raises the exception that is being handled again. */
  readonly value: Expression | undefined;
  /** The expression of `from`. */
  readonly cause: Expression | undefined;
}

export interface Assert extends Node {
  readonly kind: 'assert';
  readonly test: Expression;
  readonly message: Expression | undefined;
}

export interface Delete extends Node {
  readonly kind: 'delete';
  readonly targets: readonly (Name | Attribute | Subscript)[];
}

export type Expression =
  | Integer
  | Float
  | BooleanLiteral
  | None
  | Text
  | Bytes
  | FormattedText
  | Name
  | Attribute
  | Subscript
  | Call
  | List
  | Comprehension
  | Tuple
  | Dictionary
  | Unary
  | Binary
  | Comparison
  | Logical
  | Conditional;

export interface Integer extends Node {
  readonly kind: 'integer';
  /** A bigint beyond 2^53, so that every literal is exact. */
  readonly value: number | bigint;
}

export interface Float extends Node {
  readonly kind: 'float';
  readonly value: number;
}

export interface BooleanLiteral extends Node {
  readonly kind: 'boolean';
  readonly value: boolean;
}

export interface None extends Node {
  readonly kind: 'none';
}

export interface Text extends Node {
  readonly kind: 'text';
  readonly value: string;
}

export interface Bytes extends Node {
  readonly kind: 'bytes';
  /** One character a byte, U+0000 to U+00FF. */
  readonly value: string;
}

/** `f"..."`; plain text and fields in the order in which they are joined. */
export interface FormattedText extends Node {
  readonly kind: 'formatted-text';
  readonly parts: readonly (Text | Field)[];
}

/** `{value!conversion:format}` of an f-string. */
export interface Field extends Node {
  readonly kind: 'field';
  readonly value: Expression;
  readonly conversion: 's' | 'r' | 'a' | undefined;
  /** The format specification as written, such as `.3f`; empty when there is none. */
  readonly format: string;
}

export interface Name extends Node {
  readonly kind: 'name';
  readonly name: string;
}

export interface Attribute extends Node {
  readonly kind: 'attribute';
  readonly object: Expression;
  readonly name: string;
}

export interface Subscript extends Node {
  readonly kind: 'subscript';
  readonly object: Expression;
  readonly index: Expression | Slice;
}

/** `start:stop:step` between square brackets. */
export interface Slice extends Node {
  readonly kind: 'slice';
  readonly start: Expression | undefined;
  readonly stop: Expression | undefined;
  readonly step: Expression | undefined;
}

export interface Call extends Node {
  readonly kind: 'call';
  readonly callee: Expression;
  readonly positional: readonly Expression[];
  readonly keywords: readonly Keyword[];
}

export interface Keyword extends Node {
  readonly name: string;
  readonly value: Expression;
}

export interface List extends Node {
  readonly kind: 'list';
  readonly items: readonly Expression[];
}

/** `[element for target in iterable if condition]`, and what stands alone as an argument without the brackets. */
export interface Comprehension extends Node {
  readonly kind: 'comprehension';
  readonly element: Expression;
  /** From the outermost loop to the innermost. */
  readonly clauses: readonly ComprehensionClause[];
}

export interface ComprehensionClause extends Node {
  readonly target: Target;
  readonly iterable: Expression;
  readonly conditions: readonly Expression[];
}

export interface Tuple extends Node {
  readonly kind: 'tuple';
  readonly items: readonly Expression[];
}

export interface Dictionary extends Node {
  readonly kind: 'dictionary';
  readonly entries: readonly Entry[];
}

export interface Entry extends Node {
  readonly key: Expression;
  readonly value: Expression;
}

export type UnaryOperator = '+' | '-' | '~' | 'not';

export interface Unary extends Node {
  readonly kind: 'unary';
  readonly operator: UnaryOperator;
  readonly operand: Expression;
}

export type BinaryOperator = '+' | '-' | '*' | '/' | '//' | '%' | '**' | '<<' | '>>' | '&' | '|' | '^';

export interface Binary extends Node {
  readonly kind: 'binary';
  readonly operator: BinaryOperator;
  readonly left: Expression;
  readonly right: Expression;
}

export type ComparisonOperator = '<' | '<=' | '>' | '>=' | '==' | '!=' | 'in' | 'not in' | 'is' | 'is not';

/** `first < a <= b`: each operand is compared with the one before it, and evaluated once. */
export interface Comparison extends Node {
  readonly kind: 'comparison';
  readonly first: Expression;
  readonly rest: readonly { readonly operator: ComparisonOperator; readonly operand: Expression }[];
}

/** Operands are evaluated from the left until one decides; the result is that operand's value. */
export interface Logical extends Node {
  readonly kind: 'logical';
  readonly operator: 'and' | 'or';
  readonly operands: readonly Expression[];
}

export interface Conditional extends Node {
  readonly kind: 'conditional';
  readonly test: Expression;
  readonly then: Expression;
  readonly otherwise: Expression;
}
