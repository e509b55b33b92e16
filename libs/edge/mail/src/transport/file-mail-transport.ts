import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createFolder } from '#kernel';
import type { Letter } from '../letter.js';
import { MailFailure, type MailSession, MailTransport } from './mail-transport.js';
import { mimeOf } from './mime.js';

/** Writes mail into a folder, one `.eml` file each, for servers without a mail server. */
export class FileMailTransport extends MailTransport implements MailSession {
  override readonly reachesPeople = false;

  constructor(
    private readonly folder: string,
    private readonly from: string,
  ) {
    super();
  }

  override open(): Promise<MailSession> {
    return Promise.resolve(this);
  }

  async submit(letter: Letter, claim: () => Promise<boolean>): Promise<boolean> {
    const path = join(this.folder, `${letter.mailId}.eml`);
    await written(async () => {
      await createFolder(this.folder);
      await writeFile(`${path}.part`, await mimeOf(letter, this.from), { mode: 0o600 });
    });
    if (!(await claim())) return false;
    await written(() => rename(`${path}.part`, path));
    return true;
  }

  close(): void {
    // Nothing is open.
  }
}

async function written(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw new MailFailure('later', 'The mail could not be written.', { cause: error });
  }
}
