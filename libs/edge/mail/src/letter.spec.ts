import { letterOf } from './letter.js';
import { mimeOf } from './transport/mime.js';

const content = { subject: 'Notice', paragraphs: ['One & <two>', 'Three\nfour'], quote: 'a < b\nc' };

test('a letter says the same as plain text and as HTML', () => {
  const { text, html } = letterOf('abc', 'ann@example.test', content);
  expect(text).toBe('One & <two>\n\nThree\nfour\n\n> a < b\n> c\n');
  expect(html).toContain(
    '<p>One &amp; &lt;two&gt;</p>\n<p>Three<br>\nfour</p>\n<blockquote>a &lt; b<br>\nc</blockquote>',
  );
});
test('without a quotation there is none', () => {
  const { text, html } = letterOf('abc', 'ann@example.test', { ...content, quote: '' });
  expect([/^> /m.test(text), html.includes('blockquote')]).toEqual([false, false]);
});

describe('as a mail', () => {
  const lines = async (to: string, subject: string): Promise<string[]> => {
    const mime = await mimeOf(letterOf('abc', to, { ...content, subject }), 'noreply@example.test');
    return mime.toString().split('\r\n\r\n')[0]!.split('\r\n');
  };

  test('has what mail servers expect', async () => {
    const headers = await lines('ann@example.test', 'Notice');
    expect(headers).toEqual(
      expect.arrayContaining([
        'From: noreply@example.test',
        'To: ann@example.test',
        'Subject: Notice',
        'Message-ID: <abc@example.test>',
        'Auto-Submitted: auto-generated',
        expect.stringMatching(/^Date: /),
        'MIME-Version: 1.0',
      ]),
    );
  });
  test.each([
    ['ann@example.test\r\nBcc: ben@example.test', 'Notice'],
    ['ann@example.test, ben@example.test', 'Notice'],
    ['ann@example.test', 'Notice\r\nBcc: ben@example.test'],
  ])('adds no header and no recipient for %j, %j', async (to, subject) => {
    const headers = await lines(to, subject);
    expect(headers.filter((line) => /^(?:bcc|cc):/i.test(line))).toEqual([]);
    expect(headers.filter((line) => line.startsWith('To: '))).toHaveLength(1);
  });
});
