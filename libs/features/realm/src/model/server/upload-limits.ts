/** Limits of uploaded files, from the settings of the server. */
export class UploadLimits {
  constructor(
    readonly fileMib: number,
    /** Of all files together; undefined = no limit. */
    readonly quotaMib: number | undefined,
  ) {}
}
