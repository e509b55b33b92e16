// Each route of the catalogue, without credentials and as a guest who names what does not exist.

/** What stands for a parameter of a path: nothing has it. */
const NOTHING = {
  email: 'unknown@example.test',
  domain: 'unknown.example',
  format: '840x560.webp',
  path: 'ab/none.txt',
  filename: 'ab/none.txt',
  file: 'none.png',
  hash: 'none',
  name: 'none',
  fragment: 'none',
  token: 'none',
};
/** Would end the account, or change its key. */
const LEFT_OUT = new Set(['DELETE /users/me', 'POST /users/me/api_key/regenerate']);

export async function refusals({ recorder, gus, nobody }) {
  recorder.chapter('Refusals of every route');
  for (const route of recorder.routes.names) {
    const [method, path] = route.split(' ');
    const nowhere = path.replaceAll(/\{(\w+)\}/g, (_, name) => NOTHING[name] ?? '9999');
    await nobody.call(method, nowhere);
    if (!LEFT_OUT.has(route)) await gus.call(method, nowhere);
  }
}
