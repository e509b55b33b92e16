/** Separates the name of a collection from what is built beside it; no name of a collection has it. */
const MARK = '~';
/** Releases without former builds take them for rebuilds that were not finished, and drop them. */
const FORMER = `${MARK}former`;

/** Name of what a rebuild builds; without a number, how such names begin. */
export function shadowName(name: string, number: number | ''): string {
  return `${name}${MARK}${number}`;
}

/** Whether a rebuild writes it; former builds are others. */
export function isShadow(name: string): boolean {
  return name.includes(MARK) && !isFormer(name);
}

/** Name of the former build of a collection. */
export function formerName(name: string): string {
  return name + FORMER;
}

export function isFormer(name: string): boolean {
  return name.endsWith(FORMER);
}

/** Name of the collection beside which it is built; that of a collection itself. */
export function nameBeside(name: string): string {
  return name.split(MARK)[0] ?? name;
}
