// The syntax tree of an expression over variables: what was written, before any name in it means anything.

export type ExpressionTree =
  | { readonly kind: 'number'; readonly value: number; readonly units: string | undefined }
  | { readonly kind: 'variable'; readonly path: string }
  | { readonly kind: 'negative'; readonly of: ExpressionTree }
  | {
      readonly kind: 'operation';
      readonly operator: '+' | '-' | '*' | '/' | '^';
      readonly left: ExpressionTree;
      readonly right: ExpressionTree;
    }
  | { readonly kind: 'call'; readonly name: string; readonly given: readonly ExpressionTree[] };
