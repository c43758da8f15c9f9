// What a variable path is once parsed, and its normal spelling.

/**
 * A member by name, or an element by index. A negative index parses, so that the caller can say that it is out of
 * range.
 */
export type PathStep =
  | { readonly kind: 'member'; readonly name: string }
  | { readonly kind: 'index'; readonly index: number };

/** One sentence, and the column at which it applies, from 1. */
export interface PathError {
  readonly message: string;
  readonly column: number;
}

/** The steps of a path, the first of which is a name, or the reason why the text is no path. */
export type PathResult =
  | { readonly steps: readonly PathStep[]; readonly error?: undefined }
  | { readonly error: PathError; readonly steps?: undefined };

/** The normal spelling of a path: `a.b[1].c`. */
export function formatPath(steps: readonly PathStep[]): string {
  let text = '';
  for (const step of steps) {
    if (step.kind === 'index') text += `[${step.index}]`;
    else text += text === '' ? step.name : `.${step.name}`;
  }
  return text;
}
