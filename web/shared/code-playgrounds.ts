/** Links from the code of a message to the websites that the organization has chosen for its language. */
import type { Playground } from '../chat/model/chat-state.js';
import { words } from './words.js';

/** Adds the links to the blocks of rendered content. */
export function linkCode(content: ParentNode, playgrounds: readonly Playground[]): void {
  for (const block of content.querySelectorAll<HTMLElement>('.codehilite[data-code-language]')) {
    const code = block.querySelector('code')?.textContent ?? '';
    const links = playgrounds
      .filter(({ pygments_language }) => pygments_language === block.dataset['codeLanguage'])
      .flatMap(({ name, url_template }) => linkTo(name, expanded(url_template, code)));
    if (links.length === 0) continue;
    const list = document.createElement('p');
    list.className = 'playgrounds';
    list.append(...links);
    block.append(list);
  }
}

function linkTo(name: string, url: string): readonly HTMLAnchorElement[] {
  if (!/^https?:/i.test(url) || !URL.canParse(url)) return [];
  const link = document.createElement('a');
  Object.assign(link, { href: url, target: '_blank', rel: 'noopener noreferrer' });
  link.textContent = words.openIn(name);
  return [link];
}

interface Operator {
  readonly first: string;
  readonly between: string;
  readonly name: string;
  readonly keepsReserved: boolean;
}

/** RFC 6570, appendix A, for a value that is a text. */
const OPERATORS: Readonly<Record<string, Operator>> = {
  '': { first: '', between: ',', name: '', keepsReserved: false },
  '+': { first: '', between: ',', name: '', keepsReserved: true },
  '#': { first: '#', between: ',', name: '', keepsReserved: true },
  '.': { first: '.', between: '.', name: '', keepsReserved: false },
  '/': { first: '/', between: '/', name: '', keepsReserved: false },
  ';': { first: ';', between: ';', name: 'code=', keepsReserved: false },
  '?': { first: '?', between: '&', name: 'code=', keepsReserved: false },
  '&': { first: '&', between: '&', name: 'code=', keepsReserved: false },
};

/** The template of a playground, which the server has validated: `code` is its only variable. */
function expanded(template: string, code: string): string {
  return template.replaceAll(/\{([+#./;?&]?)([^{}]*)\}/g, (_, sign: string, parts: string) => {
    const { first, between, name, keepsReserved } = OPERATORS[sign] as Operator;
    const values = parts.split(',').map((part) => {
      const length = /:(\d+)/.exec(part)?.[1];
      const text = (length === undefined ? code : Array.from(code).slice(0, Number(length)).join('')).toWellFormed();
      return name + (keepsReserved ? encodeURI(text) : encodeURIComponent(text).replaceAll(/[!'()*]/g, percent));
    });
    return first + values.join(between);
  });
}

const percent = (char: string): string => `%${char.charCodeAt(0).toString(16).toUpperCase()}`;
