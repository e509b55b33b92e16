import { Client, FetchTransport, follow } from '#client';

export interface Account {
  readonly site: string;
  readonly email: string;
  readonly apiKey: string;
}

const connect = ({ site, ...credentials }: Account) => new FetchTransport({ site, credentials });

/** A bot that answers direct messages that begin with "echo". */
export function echoBot(account: Account): Client {
  const bot = new Client({
    transport: connect(account),
    // The source of messages, rather than HTML.
    register: { apply_markdown: false },
    onEvent: (event, { self }) => {
      if (event.type !== 'message') return;
      const { type, sender_id: sender, content } = event.message;
      const text = /^echo (.*)$/s.exec(content)?.[1];
      if (type === 'private' && sender !== self && text !== undefined) bot.send({ userIds: [sender] }, text);
    },
  });
  return bot;
}

/** A reader that tells the newest messages of a channel each time they change. */
export async function reader(account: Account, channelId: number, show: (lines: string[]) => void): Promise<Client> {
  const client = new Client({ transport: connect(account) });
  const channel = follow(client, [{ operator: 'channel', operand: channelId }], { anchor: 'newest', before: 20 });
  channel.subscribe(() => show(channel.get().messages.map((one) => `${one.sender_full_name}: ${one.content}`)));
  await client.start();
  return client;
}
