// What stands behind the views of elements: JavaScript would keep an assignment to what a view does not have beside the
// state, where nobody sees it.

/** An index as a property's name. */
const INDEX = /^(?:0|-?[1-9]\d*)$/;

interface Guard<V> {
  /** Reads an element of a view that keeps none as its own properties. */
  readonly get?: (view: V, index: number) => unknown;
  /** Assigns an element. Throws a RangeError for an index outside the view. */
  readonly set: (view: V, index: number, value: unknown) => void;
}

/** Makes the views of a class refuse assignments to names, and pass on those to indices that are no properties of theirs. */
export function guardViews<V extends object>(
  viewClass: { readonly prototype: V },
  what: string,
  guard: Guard<V>,
): void {
  const { get, set } = guard;
  const behind = new Proxy(Object.prototype, {
    get: (objects, key, view: V) =>
      get && typeof key === 'string' && INDEX.test(key) ? get(view, Number(key)) : Reflect.get(objects, key, view),
    set: (_, key, value, view: V) => {
      if (typeof key !== 'string' || !INDEX.test(key))
        throw new TypeError(`${what} has no ${String(key)} to be assigned`);
      set(view, Number(key), value);
      return true;
    },
  });
  Object.setPrototypeOf(viewClass.prototype, behind);
}
