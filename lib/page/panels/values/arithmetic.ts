// What a person calculates in a field: numbers, + - * / ^ and parentheses.

const TOKEN = /\s*(\d+\.?\d*(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?|pi\b|[-+*/^()])/iy;
/** So that no parenthesis is deeper than the stack. */
const LONGEST = 200;

/** The result; undefined for a text that is no calculation. */
export function calculated(text: string): number | undefined {
  const tokens = tokensOf(text);
  if (!tokens || text.length > LONGEST) return undefined;
  const result = sum(tokens);
  return tokens.length === 0 ? result : undefined;
}

function tokensOf(text: string): string[] | undefined {
  const tokens: string[] = [];
  const trimmed = text.trim();
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < trimmed.length; ) {
    const found = TOKEN.exec(trimmed);
    if (!found) return undefined;
    tokens.push((found[1] as string).toLowerCase());
  }
  return tokens;
}

function sum(tokens: string[]): number | undefined {
  let result = product(tokens);
  while (tokens[0] === '+' || tokens[0] === '-') {
    const sign = tokens.shift() === '+' ? 1 : -1;
    result = both(result, product(tokens), (one, other) => one + sign * other);
  }
  return result;
}

function product(tokens: string[]): number | undefined {
  let result = signed(tokens);
  while (tokens[0] === '*' || tokens[0] === '/') {
    const isTimes = tokens.shift() === '*';
    result = both(result, signed(tokens), (one, other) => (isTimes ? one * other : one / other));
  }
  return result;
}

/** A sign holds for a whole power: -2^2 is -4. */
function signed(tokens: string[]): number | undefined {
  if (tokens[0] !== '-' && tokens[0] !== '+') return power(tokens);
  const sign = tokens.shift() === '+' ? 1 : -1;
  return both(sign, signed(tokens), (one, other) => one * other);
}

function power(tokens: string[]): number | undefined {
  const base = single(tokens);
  if (tokens[0] !== '^') return base;
  tokens.shift();
  return both(base, signed(tokens), (one, other) => one ** other);
}

function single(tokens: string[]): number | undefined {
  const token = tokens.shift();
  if (token === 'pi') return Math.PI;
  if (token !== '(') return token !== undefined && /\d/.test(token) ? Number(token) : undefined;
  const result = sum(tokens);
  return tokens.shift() === ')' ? result : undefined;
}

const both = (
  one: number | undefined,
  other: number | undefined,
  join: (one: number, other: number) => number,
): number | undefined => (one === undefined || other === undefined ? undefined : join(one, other));
