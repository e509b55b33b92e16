const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'something listens there already, perhaps another server. Stop it, or set PORT',
  EADDRNOTAVAIL: 'this machine has no such address. Set HOST',
  ENOTFOUND: 'there is no such host. Set HOST',
  EACCES: 'ports below 1024 are not allowed. Set PORT',
};

/** @param setting that has the address, when it is one of its own */
export function listenComplaint(
  { host, port }: { readonly host: string; readonly port: number },
  error: unknown,
  setting?: string,
): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const reason = REASONS[code] ?? message;
  return `Cannot listen on ${host}:${port}: ${setting === undefined ? reason : reason.replace(/\b(?:HOST|PORT)$/, setting)}.`;
}
