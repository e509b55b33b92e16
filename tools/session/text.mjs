// JSON as text that differs by few lines when a value differs, without what chance and timing decide.

const WIDTH_MAX = 120;

/** JSON on one line where it is short, else a line for each member. */
export function shown(value, indent = 0) {
  const line = JSON.stringify(value) ?? 'undefined';
  if (line.length <= WIDTH_MAX || value === null || typeof value !== 'object') return line;
  const margin = ' '.repeat(indent + 2);
  const members = Array.isArray(value)
    ? value.map((item) => shown(item, indent + 2))
    : Object.entries(JSON.parse(line)).map(([name, item]) => `${JSON.stringify(name)}: ${shown(item, indent + 2)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${members.map((member) => `${margin}${member}`).join(',\n')}\n${' '.repeat(indent)}${close}`;
}

/** What chance decides, by where it stands and how it looks. */
const CHANCE = [
  [/\$argon2id\$[^"\\]+/g, '<password hash>'],
  [/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '<uuid>'],
  [/127\.0\.0\.1:\d+/g, '127.0.0.1:<port>'],
  [/(\/user_uploads\/(?:(?:thumbnail|temporary|download)\/)?\d+\/)[\w-]+\/[\w-]+\//g, '$1<random>/'],
  [/(\/user_uploads\/temporary\/)[\w.-]+/g, '$1<token>'],
  [/(\/(?:join|do_confirm|unsubscribe\/\w+|reset|exports\/\d+\/\d+)\/)[\w.-]{16,}/g, '$1<token>'],
  [/(csrfmiddlewaretoken" value=")[^"]+/g, '$1<token>'],
  [/((?:api_key|token|csrfmiddlewaretoken|tokens|state|hash|path_?[iI]d)" ?: ?")[\w./+=-]{20,}/g, '$1<token>'],
  // Archives hold random names, which pack to one byte more or less.
  [/("exportId":\d+,"hash":"[^"]*","bytes":)\d+/g, '$1<bytes>'],
  [/(encrypted_data" ?: ?")[^"]+/g, '$1<sealed>'],
  [/((?:state|code_challenge|code_verifier|checksum|bigbluebutton)=)[\w.-]{20,}/g, '$1<token>'],
  // Positions of the log, in which work in the background appends in between.
  [/("(?:last_event_id|arrival)" ?: ?)\d+/g, '$1<position>'],
  // Who acts in which request: the number of it counts how often the session has looked whether the server is quiet.
  [/("o" ?: ?"\w*)\.[\da-z]+\.[\da-z]+/g, '$1.<request>'],
  [/("session" ?: ?"s)[\da-f]{12}"/g, '$1<hex>"'],
  [/("requests" ?: ?")[\da-f]{12}"/g, '$1<hex>"'],
  [/\b[0-9a-f]{16,}\b/g, '<hex>'],
  [/(?<![\w-])(?=[\w-]*[A-Z])(?=[\w-]*[a-z])(?=[\w-]*[\d_-])[\w-]{26,}={0,2}/g, '<token>'],
];

export function withoutChance(text) {
  return CHANCE.reduce((kept, [pattern, word]) => kept.replaceAll(pattern, word), text);
}

const TIME = /\b1[67]\d{8}(\d{3})?\b/g;
/** Streams that work in the background writes in its own time. */
const BACKGROUND = /\.(mail|missed-mail|missed-messages|notice|webhook|follow-ups|export|visits)\b/;
/** Those in which any may be the first, since they hold what comes of several streams or clients. */
const UNORDERED = /\.(follow-ups|visits)$/;
/** What is noted of about a second. */
const USES = /\.uses$/;

/** The log as text, stream by stream: the order within each is the same in every run, that between them is not. */
export function logAsText(events) {
  const streams = new Map();
  for (const event of events) streams.set(event.stream, [...(streams.get(event.stream) ?? []), event]);
  const texts = [...streams].map(([stream, own]) => {
    if (USES.test(stream)) return usesAsText(own);
    const lines = own.map((event) => shown({ ...event, position: undefined }));
    if (!BACKGROUND.test(stream)) return withoutChance(lines.join('\n'));
    const timeless = lines.map((line) => line.replaceAll(TIME, '<time>'));
    if (!UNORDERED.test(stream)) return withoutChance(timeless.join('\n'));
    return timeless
      .map((line) => withoutChance(line.replace(/"revision": ?\d+/, '')))
      .sort()
      .join('\n');
  });
  return texts.sort().join('\n');
}

/** What was noted, whatever event it came to stand in; the same again within a minute, which is counted, stands here once. */
function usesAsText(events) {
  const uses = events.flatMap(({ data }) => data.uses.map((use) => ({ ...use, at: undefined, again: undefined })));
  return [...new Set(uses.map((use) => withoutChance(shown(use))))].sort().join('\n');
}

/** Mails as text, in no order. */
export function mailsAsText(mails) {
  const texts = mails.map((mail) => {
    const bytes = mail
      .replaceAll('=\r\n', '')
      .replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(`0x${hex}`));
    const text = Buffer.from(bytes, 'latin1').toString().replaceAll('\r', '');
    return withoutChance(text.replace(/^Date: .*$/m, 'Date: <time>'));
  });
  return texts.sort().join('\n');
}
