/** Files that are pasted, dropped or chosen: uploaded with their progress, and linked in the text. */
import { ApiFailure, askOwnToken, SCRIPT_HEADER } from '../shared/api.js';
import { words } from '../shared/words.js';

interface Uploaded {
  readonly url: string;
  readonly filename?: string;
}

/**
 * @param tell called with whole percents
 * @returns Markdown of a link to the file
 * @throws ApiFailure
 */
export async function upload(file: File, tell: (percent: number) => void): Promise<string> {
  const { url, filename = file.name } = await sendFile<Uploaded>('/user_uploads', file, tell);
  return `[${filename.replaceAll(/[[\]]/g, '')}](${url})`;
}

/**
 * Sends a file. By XMLHttpRequest, since `fetch` tells of no progress.
 * @param tell called with whole percents
 * @throws ApiFailure
 */
export async function sendFile<Answer>(
  path: string,
  file: File,
  tell: (percent: number) => void,
  verb: 'POST' | 'PATCH' = 'POST',
): Promise<Answer> {
  const token = await askOwnToken();
  return new Promise<Answer>((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(verb, `/api/v1${path}`);
    request.setRequestHeader('x-csrftoken', token);
    request.setRequestHeader(...SCRIPT_HEADER);
    request.responseType = 'json';
    request.upload.onprogress = ({ loaded, total }) => tell(Math.floor((loaded / Math.max(1, total)) * 100));
    request.onerror = () => reject(new ApiFailure('offline', words.offline));
    request.onload = () => {
      const answer = request.response as (Answer & { readonly msg?: string }) | null;
      if (request.status === 200 && answer !== null) resolve(answer);
      else reject(new ApiFailure('refused', answer?.msg ?? words.notAnAnswer));
    };
    const form = new FormData();
    form.append('file', file);
    request.send(form);
  });
}
