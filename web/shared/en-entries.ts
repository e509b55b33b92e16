/** Words of the lists of administration: linkifiers, domains, playgrounds, fields of profiles, bots. They load with it. */
import { organizationWords } from './en-organization.js';

export const entryWords = {
  ...organizationWords,
  moveUp: (name: string) => `Move ${name} up`,
  moveDown: (name: string) => `Move ${name} down`,
  changeOf: (name: string) => `Change ${name}`,

  linkifiersHint:
    'Text that matches a pattern becomes a link, in new messages and topics. An earlier one has precedence.',
  linkifiersNone: 'There are no linkifiers yet.',
  linkifierNew: 'New linkifier',
  linkifierChange: 'Change the linkifier',
  pattern: 'Pattern',
  patternHint: 'A regular expression in the syntax of RE2, such as #(?P<id>[0-9]+)',
  urlTemplate: 'Address',
  linkifierTemplateHint:
    'A URL template (RFC 6570) over the groups of the pattern, such as https://bugs.example.com/{id}',
  linkifierRemoveSure: (pattern: string) =>
    `Text like ${pattern} is no longer linked in new messages. Links in earlier messages stay.`,
  tryText: 'Try a text',
  tryTextHint: 'This is what a message with this text would look like.',
  tryTextLabel: 'Text to try',

  domainsHint: 'Domains of the e-mail addresses of new people, while the switch below is on.',
  domainsNone: 'No domain is allowed by name.',
  domainNew: 'New domain',
  domain: 'Domain',
  domainAdd: 'Add the domain',
  withSubdomains: 'and its subdomains',
  withSubdomainsOf: (domain: string) => `Subdomains of ${domain} count as well`,
  domainRemoveSure: (domain: string) => `New people can no longer have addresses in ${domain}.`,
  domainRemoveLastSure: (domain: string) =>
    `${domain} is the last domain. Without one, new people can have any address.`,

  playgroundsHint: 'Websites that open the code of a block in a message, by its language.',
  playgroundsNone: 'There are no code playgrounds yet.',
  playgroundNew: 'New code playground',
  playgroundLanguage: 'Language',
  playgroundLanguageHint: 'As it is named in full, such as Python',
  playgroundTemplateHint: 'A URL template (RFC 6570) over code, such as https://play.example.com/?code={code}',
  playgroundRemoveSure: (name: string) => `Code can no longer be opened in ${name} from here.`,
};
