// What a checkpoint says once parsed; offsets count characters from the start of the file.

/** A member by name or an element by index. */
export type Step = string | number;

/** The name of an object or of allocated memory, and the way from there. */
export interface Path {
  readonly root: string;
  readonly steps: readonly Step[];
}

/** `double trick_anon_local_0[3];` */
export interface Declaration {
  readonly kind: 'declaration';
  readonly at: number;
  readonly typeName: string;
  readonly name: string;
  /** Outermost first; empty for one value. */
  readonly extents: readonly number[];
}

/** `fx.all.d3 = {0.1, 0.2, 0.3};` */
export interface Assignment {
  readonly kind: 'assignment';
  readonly at: number;
  readonly target: Path;
  readonly value: Literal;
}

/** `clear_all_vars();` */
export interface Clear {
  readonly kind: 'clear';
  readonly at: number;
}

export type Statement = Declaration | Assignment | Clear;

export type Literal =
  /** The number as written, `-1.5e+20` or `-inf`, because a double may not hold it exactly. */
  | { readonly kind: 'number'; readonly at: number; readonly image: string }
  /** One byte a character. */
  | { readonly kind: 'text'; readonly at: number; readonly bytes: string }
  | { readonly kind: 'character'; readonly at: number; readonly code: number }
  /** A label, `true`, `NAN`, `inf`, `NULL`. */
  | { readonly kind: 'name'; readonly at: number; readonly name: string }
  /** `count`: how many values, where the file says it. */
  | { readonly kind: 'address'; readonly at: number; readonly place: Path; readonly count?: number }
  | { readonly kind: 'list'; readonly at: number; readonly items: Items }
  /** Trick writes this for a value that it cannot save. */
  | { readonly kind: 'unsaved'; readonly at: number };

/** The items of a list, in order; those of a long one are made one by one. */
export interface Items extends Iterable<Literal> {
  readonly length: number;
}

/** One sentence, and where it applies. */
export interface CheckpointSyntaxError {
  readonly message: string;
  readonly at: number;
}

export type CheckpointResult =
  | { readonly statements: readonly Statement[]; readonly error?: undefined }
  | { readonly error: CheckpointSyntaxError; readonly statements?: undefined };
