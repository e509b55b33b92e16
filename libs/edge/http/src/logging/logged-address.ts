import { isIPv6 } from 'node:net';
import { network } from '../limits/rate-limits.js';

/** How much of a caller's address is logged (setting `LOG_ADDRESSES`). */
export const LOG_ADDRESSES = ['full', 'short', 'none'] as const;
export type LogAddresses = (typeof LOG_ADDRESSES)[number];

/**
 * The address as the log has it. `short` is the network of a provider or an office, which names no household: the first three
 * numbers of IPv4, and the first 48 bits of IPv6.
 * @returns undefined for `none`, and when the address is not known
 */
export function loggedAddress(address: string, how: LogAddresses): string | undefined {
  if (how === 'none' || address === '') return undefined;
  if (how === 'full') return address;
  const counted = network(address);
  if (!isIPv6(address) || !counted.includes(':')) return counted.replace(/\.\d+$/, '.0');
  return `${counted.split(':').slice(0, 3).join(':')}::`;
}
