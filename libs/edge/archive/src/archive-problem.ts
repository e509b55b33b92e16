/** What is wrong with an archive, for the person who gave it. Names the entry, and the line where there is one. */
export class ArchiveProblem extends Error {
  constructor(
    /** Name of the entry; '' for the archive as a whole. */
    readonly entry: string,
    reason: string,
    options?: ErrorOptions,
  ) {
    super(entry === '' ? `The archive cannot be read: ${reason}` : `${shown(entry)}: ${reason}`, options);
    this.name = 'ArchiveProblem';
  }
}

const NAME_LENGTH_MAX = 200;

/** A name from a hostile archive must not control the terminal. */
function shown(name: string): string {
  const text = JSON.stringify(name).slice(1, -1);
  return text.length > NAME_LENGTH_MAX ? `${text.slice(0, NAME_LENGTH_MAX)}…` : text;
}
