import type { FileWindow } from './file-window.js';

/** A part of a file that holds metadata of an image, and none of its pixels. */
export interface MetadataBlock {
  /** EXIF is a TIFF without an image; XMP is XML. In a text of PNG, it may be compressed. */
  readonly kind: 'exif' | 'xmp' | 'text of png';
  /** Position in the file. */
  readonly at: number;
  readonly bytes: number;
  /** A checksum (CRC-32) of the bytes from here to the end of the block stands behind it. */
  readonly checksumFrom?: number;
}

/** Finds the metadata of a file of one format. Whatever the file holds, it ends, and does not throw. */
export type FindsMetadata = (file: FileWindow) => AsyncIterable<MetadataBlock>;
