const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** A time in words, in the largest unit of which there are about two or more. */
export function lasting(seconds: number): string {
  const [unit, length] = UNITS.find(([, inUnit]) => Math.round(seconds / inUnit) >= 2) ?? ['minute', 60];
  const count = Math.max(1, Math.round(seconds / length));
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
