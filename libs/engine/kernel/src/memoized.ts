/** Computes the result for an object once, and keeps it as long as the object. The object must not change meanwhile. */
export function memoized<Given extends object, Result>(compute: (given: Given) => Result): (given: Given) => Result {
  const known = new WeakMap<Given, { readonly result: Result }>();
  return (given) => {
    let found = known.get(given);
    if (found === undefined) known.set(given, (found = { result: compute(given) }));
    return found.result;
  };
}
