/** libsodium, as a device has it: opens what the server has encrypted. */
export async function loadSodium(): Promise<any> {
  const { default: sodium } = await import('libsodium-wrappers');
  await sodium.ready;
  return sodium;
}
