import { excerpt } from '#kernel';
import type { Directory } from '#people';
import { addressFault, type AddressFault, isEmailAddress } from '#users';

/** Address, reason, and whether it is the address of a deactivated account. */
export type InviteeError = readonly [email: string, reason: string, isDeactivated: boolean];

export interface SortedInvitees {
  /** Who can be invited. */
  readonly emails: readonly string[];
  /** Addresses that nobody can be invited at. */
  readonly invalid: readonly InviteeError[];
  /** Addresses that have accounts. */
  readonly known: readonly InviteeError[];
}

/** Addresses separated by commas or line breaks, each once; `Name <address>` is its address. */
export function addressesIn(text: string): readonly string[] {
  const found = new Map<string, string>();
  for (const part of text.split(/[,\n]/)) {
    const address = (/<([^<>]*)>\s*$/.exec(part)?.[1] ?? part).trim();
    if (address !== '' && !found.has(address.toLowerCase())) found.set(address.toLowerCase(), address);
  }
  return [...found.values()];
}

export function sortInvitees(directory: Directory, addresses: readonly string[]): SortedInvitees {
  const emails: string[] = [];
  const invalid: InviteeError[] = [];
  const known: InviteeError[] = [];
  for (const address of addresses) {
    const complaint = complaintOf(directory, address);
    const user = complaint === undefined ? directory.userByEmail(address) : undefined;
    if (complaint !== undefined) invalid.push([excerpt(address), complaint, false]);
    else if (user === undefined) emails.push(address);
    else if (user.isActive) known.push([address, 'Already has an account.', false]);
    else known.push([address, 'Account has been deactivated.', true]);
  }
  return { emails, invalid, known };
}

const FAULT_TEXTS: Readonly<Record<AddressFault, string>> = {
  plus: 'Email addresses containing + are not allowed.',
  foreign: 'Outside your domain.',
  disposable: 'Please use your real email address.',
};

/** Why the organization takes nobody with this address; undefined when it does. Says nothing of accounts. */
export function complaintOf(directory: Directory, address: string): string | undefined {
  if (!isEmailAddress(address)) return 'Invalid address.';
  const fault = addressFault(directory, address);
  return fault && FAULT_TEXTS[fault];
}
