// The names of an FMU's variables, such as `gear.wheel[2].w`, `der(x)` or `'any text'`, as paths of identifiers and indexes.

/** A name, or the indexes of an element. */
export type Step = string | readonly number[];

/** The path that a variable's name means; its steps begin with a name. */
export function stepsOf(name: string): readonly Step[] {
  const derivative = /^der\((.*?)(?:, *(\d+))?\)$/.exec(name);
  if (derivative) return differentiated(stepsOf(derivative[1] as string), Number(derivative[2] ?? 1));
  const steps: Step[] = [];
  for (const [, quoted, indexes, plain] of name.matchAll(/('(?:[^'\\]|\\.)*')|\[([\d, ]+)\]|([^.[']+|\[|')/g)) {
    if (indexes === undefined) steps.push(identifier(quoted ?? (plain as string)));
    else steps.push(indexes.split(',').map(Number));
  }
  return typeof steps[0] === 'string' ? steps : [identifier(name)];
}

/** `der(a.b[2])` is `a.der_b[2]`. */
function differentiated(steps: readonly Step[], order: number): readonly Step[] {
  const last = steps.findLastIndex((step) => typeof step === 'string');
  const prefix = order > 1 ? `der${order}_` : 'der_';
  return steps.map((step, index) => (index === last ? prefix + String(step) : step));
}

/** The letters, digits and underscores of a text; whatever else becomes an underscore. */
export function identifier(text: string): string {
  const plain = text.replace(/^'|'$/g, '').replace(/\W+/g, '_');
  return /^[A-Za-z_]/.test(plain) ? plain : `_${plain}`;
}
