/** A line of the doctor. */
export interface Check {
  readonly name: string;
  readonly state: 'ok' | 'warning' | 'failure';
  readonly text: string;
}
