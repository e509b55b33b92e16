// Uploads and attachments.
import { PIXEL } from './pictures.mjs';

export async function files({ recorder, ann, ben, gus, nobody }) {
  recorder.chapter('Files');
  const { url } = await ann.upload('/user_uploads', ['note.txt', 'a note']);
  const { url: image } = await ann.upload('/user_uploads', ['dot.png', PIXEL]);
  await ann.post('/user_uploads');
  await ann.send('kitchen', 'files', `[the note](${url}) and [the dot](${image})`);
  await ben.get(`SERVER${url}`);
  await nobody.get(`SERVER${url}`);
  await ben.get(`SERVER${image.replace('/user_uploads/', '/user_uploads/thumbnail/')}/840x560.webp`);
  await nobody.get(`SERVER${image.replace('/user_uploads/', '/user_uploads/thumbnail/')}/840x560.webp`);
  const { url: temporary } = await ben.get(url);
  await gus.get('/user_uploads/1/ab/none.txt');
  await nobody.get(`SERVER${temporary}`);
  await nobody.get('SERVER/user_uploads/temporary/none/note.txt');
  const { attachments } = await ann.get('/attachments');
  await ben.delete(`/attachments/${attachments[0].id}`);
  await ann.delete(`/attachments/${attachments.find(({ name }) => name === 'note.txt').id}`);
  await ben.get(`SERVER${url}`);
}
