import { badRequest } from '#kernel';
import type { Directory } from '#people';
import { domainsPart, isDisposableDomain, isWithinDomains } from '#realm/model';
import { isHiddenAddress } from './model/email.access.js';
import type { User } from './model/user.js';

const EMAIL_LENGTH_MAX = 254;
/** Limit of DNS. */
const DOMAIN_LABEL_LENGTH_MAX = 63;
/** Between the dots of an address: no white space, no control or invisible characters, and none that quotes or separates addresses. */
const ADDRESS_ATOM = /^[^\s\p{C}@"(),:;<>[\\\]]+$/u;

/** Whether the text has the form of an address. */
export function isEmailAddress(text: string): boolean {
  if (text.length > EMAIL_LENGTH_MAX) return false;
  const [localPart = '', domain = '', ...more] = text.split('@');
  if (more.length > 0) return false;
  return localPart.split('.').every((atom) => ADDRESS_ATOM.test(atom)) && domain.split('.').every(isDomainLabel);
}

function isDomainLabel(label: string): boolean {
  if (label.length > DOMAIN_LABEL_LENGTH_MAX || label.startsWith('-') || label.endsWith('-')) return false;
  return ADDRESS_ATOM.test(label);
}

/** Why an organization takes no account with an address: it has a plus, is of no domain of its own, or of one for throwing away. */
export type AddressFault = 'plus' | 'foreign' | 'disposable';

const FAULT_TEXTS: Readonly<Record<AddressFault, string>> = {
  plus: 'Email addresses containing + are not allowed.',
  foreign: 'The email address does not belong to a domain of this organization.',
  disposable: 'Disposable email addresses are not allowed in this organization.',
};

/** By the organization's settings; undefined for an address that it takes. */
export function addressFault(directory: Directory, email: string): AddressFault | undefined {
  const { settings } = directory;
  const at = email.lastIndexOf('@');
  const [localPart, domain] = [email.slice(0, at), email.slice(at + 1)];
  if (!settings.emails_restricted_to_domains)
    return settings.disallow_disposable_email_addresses && isDisposableDomain(domain) ? 'disposable' : undefined;
  // What stands behind a "+" tells addresses of one person apart.
  if (localPart.includes('+')) return 'plus';
  return isWithinDomains(directory.of(domainsPart), domain) ? undefined : 'foreign';
}

/**
 * Normalises an address for storage.
 * @param user whose own address it may be, in another spelling
 * @throws Refusal BAD_REQUEST
 */
export function checkEmail(directory: Directory, raw: string, user?: User): string {
  const email = raw.trim();
  if (!isEmailAddress(email)) throw badRequest('Invalid email address.');
  const holder = directory.userByEmail(email);
  if (holder !== undefined && holder.userId !== user?.userId) throw badRequest(`Email '${email}' already in use`);
  if (holder === undefined && isHiddenAddress(directory, email)) throw badRequest(`Email '${email}' already in use`);
  const fault = addressFault(directory, email);
  if (fault !== undefined) throw badRequest(FAULT_TEXTS[fault]);
  return email;
}
