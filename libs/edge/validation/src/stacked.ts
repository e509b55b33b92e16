/** Combines several decorators into one, in the order in which they would be written above a property. */
export function stacked(...decorators: readonly PropertyDecorator[]): PropertyDecorator {
  return (target, key) => {
    for (const decorate of decorators.toReversed()) decorate(target, key);
  };
}
