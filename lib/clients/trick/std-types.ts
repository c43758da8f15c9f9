// Types of the C++ library by the names that descriptions of variables give them: `std__vector<double>`.

/** `std__vector<T>` as its name and what stands in brackets; undefined for other types. */
function parts(type: string): { readonly name: string; readonly inner: readonly string[] } | undefined {
  const [, name, inner] = /^std(?:__|::)(\w+)<(.*)>$/.exec(type) ?? [];
  return name === undefined || inner === undefined ? undefined : { name, inner: splitAtCommas(inner) };
}

/** `int, std__pair<int, int>` is two types. */
function splitAtCommas(text: string): string[] {
  const types = [''];
  let depth = 0;
  for (const character of text) {
    if (character === '<') depth++;
    else if (character === '>') depth--;
    if (character === ',' && depth === 0) types.push('');
    else types[types.length - 1] += character;
  }
  return types.map((type) => type.trim());
}

/** The types of the two values of a pair; undefined for another type. */
export function pairTypes(type: string): readonly string[] | undefined {
  const { name, inner } = parts(type) ?? {};
  return name === 'pair' ? inner : undefined;
}

/** The type of a container's elements (of a map, pairs); undefined for another type. */
export function elementType(type: string): string | undefined {
  const { name, inner = [] } = parts(type) ?? {};
  if (name === undefined || name === 'pair') return undefined;
  return name === 'map' || name === 'multimap' ? `std__pair<${inner.join(', ')}>` : inner[0];
}
