import { LinkifyIt } from 'linkify-it';
import { URL_LENGTH_LIMIT } from './links.js';

/** Top-level domains beyond the two-letter ones that make `example.dev` a link. */
const TLDS =
  'ai app art arpa aero asia biz blog cat chat cloud club com community coop design dev digital edu email events fm foundation fun gov ' +
  'group host info int io jobs link live me media mil mobi museum name net network news online org page pro science shop site social ' +
  'software space store studio support systems team tech tel today tools top travel tv video wiki work works world xyz zone рф';
/** Two-letter domains that far more often end the name of a file. */
const FILE_EXTENSIONS = new Set(['md', 'py']);

/** Without one of these there is no link: checked first, since the patterns behind it are large. */
const MAYBE_LINK = /\.\S|:\/\/|@|mailto:/i;

/** Finds URLs, e-mail addresses and bare domains in text. */
class Autolinks extends LinkifyIt {
  constructor() {
    super({ fuzzyLink: true, fuzzyEmail: true, maxLength: URL_LENGTH_LIMIT });
    this.add('//', null);
    const countries = this.__opts__.tlds.filter((tld) => tld.length === 2 && !FILE_EXTENSIONS.has(tld));
    this.tlds([...countries, ...TLDS.split(' ')]);
  }

  override test(text: string): boolean {
    return MAYBE_LINK.test(text) && super.test(text);
  }
}

export const autolinks = new Autolinks();
