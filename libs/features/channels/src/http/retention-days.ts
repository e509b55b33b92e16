/** As in `ChannelSettings`. */
export function retentionDays(given: number | 'realm_default' | 'unlimited' | undefined): number | null {
  if (given === undefined || given === 'realm_default') return null;
  return given === 'unlimited' ? -1 : given;
}
