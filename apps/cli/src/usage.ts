export const USAGE = `scrollback: for auditors and operators

  scrollback log [STREAM]        the events of the log, or of one stream, as JSON lines
  scrollback history MESSAGE_ID  all events of a message
  scrollback verify              read every record and the content of every file, and report damaged or missing ones
  scrollback copy-log FROM TO    copy a log, or continue a copy: sqlite:PATH, esdb://…, or env:NAME for the address in
                                 a variable of the environment
  scrollback copy-files FROM TO  copy the content of files that TO lacks: file:PATH, s3://…, or env:NAME
  scrollback export FILE         write an archive of everything, also while the server runs (docs/export.md)
  scrollback import FILE         import an archive, also one of Slack or Mattermost, into an empty server that is
                                 stopped, or continue an import
  scrollback status              state and lag of each projection of the running server
  scrollback rebuild PROJECTION  rebuild a projection while the server runs
  scrollback credentials FILE [EMAIL]
                                 write the key of an owner, of the oldest active one unless EMAIL names another, from the
                                 log and the secret
  scrollback reactivate          restore access after an owner deactivated the organization; a server with its log in a
                                 file has to be stopped meanwhile

  --data DIR          the server's data directory (default: DATA_DIR, or ./data)
  --credentials FILE  key of any owner (default: DIR/owner.zuliprc)
  --site URL          address of the server (default: the one in the file with the key)
  --help              this text
  --version           the version of this program

The log is DIR/events.db unless EVENT_STORE_URL names another. status and rebuild call the server, or the proxy in front of
several, with the key of an owner.`;

interface Arguments {
  readonly required: readonly string[];
  /** Maximum number, with the optional ones. */
  readonly max: number;
}

const ARGUMENTS: ReadonlyMap<string, Arguments> = new Map(
  Object.entries({
    log: { required: [], max: 1 },
    history: { required: ['MESSAGE_ID'], max: 1 },
    verify: { required: [], max: 0 },
    'copy-log': { required: ['FROM', 'TO'], max: 2 },
    'copy-files': { required: ['FROM', 'TO'], max: 2 },
    export: { required: ['FILE'], max: 1 },
    import: { required: ['FILE'], max: 1 },
    status: { required: [], max: 0 },
    rebuild: { required: ['PROJECTION'], max: 1 },
    credentials: { required: ['FILE'], max: 2 },
    reactivate: { required: [], max: 0 },
  }),
);

/** Why the command cannot be run with these arguments. */
export function usageComplaint(command: string, given: readonly string[]): string | undefined {
  const expected = ARGUMENTS.get(command);
  if (expected === undefined) return `There is no command '${command}'.`;
  const missing = expected.required.find((_, index) => (given[index] ?? '') === '');
  if (missing !== undefined) return `${command} needs ${missing}.`;
  const surplus = given[expected.max];
  if (surplus !== undefined) return `${command} has an argument too many: '${surplus}'.`;
  if (command === 'history' && !/^\d{1,15}$/.test(given[0] ?? '')) return 'MESSAGE_ID must be a whole number.';
  return undefined;
}
