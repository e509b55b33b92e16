/** What the operator has set up for uploads. */
export class UploadSettings {
  constructor(
    /** The place where a photo was taken is cut out of it (`withoutLocation`). */
    readonly removesLocation: boolean,
  ) {}
}
