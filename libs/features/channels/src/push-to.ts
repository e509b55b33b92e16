/** Appends to the user's list in the map. */
export function pushTo<Value>(map: Map<number, Value[]>, userId: number, value: Value): void {
  const values = map.get(userId);
  if (values === undefined) map.set(userId, [value]);
  else values.push(value);
}
