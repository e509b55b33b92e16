export { isDisposableDomain } from './domains/disposable-domains.js';
export { domainsPart } from './domains/domains.part.js';
export { isWithinDomains } from './domains/domains.js';
export { linkifiersPart } from './linkifiers/linkifiers.part.js';
export { playgroundsPart } from './playgrounds/playgrounds.part.js';
