/** What the making of archives gets from the composition root. */
export class ExportSurroundings {
  constructor(
    /** Folder for parts of archives, on this machine. */
    readonly folder: string,
    /** Setting `SECRET_KEY`. */
    readonly secret: string,
    /** Called when an attempt has failed; there may be another. */
    readonly onFailure: (error: unknown) => void,
  ) {}
}
