import { stat } from 'node:fs/promises';
import { Refusal } from '#kernel';
import type { Sharp, SharpOptions } from 'sharp';
import * as limits from './image-limits.js';

/** An image in memory, or the path of a file. */
export type ImageSource = Buffer | string;

type SharpFactory = (source: ImageSource, options: SharpOptions) => Sharp;

/**
 * The only decoders in use: all others, such as those of SVG, PDF and what loads further files, are switched off. Nothing is
 * fetched from anywhere.
 */
const DECODERS = [
  'VipsForeignLoadJpeg',
  'VipsForeignLoadPng',
  'VipsForeignLoadWebp',
  'VipsForeignLoadNsgif',
  // For AVIF: its binaries have no decoder of HEIC.
  'VipsForeignLoadHeif',
];

let loading: Promise<SharpFactory> | undefined;

/** The library is loaded by the first image, since it takes time and memory at the start of a process. */
function loadSharp(): Promise<SharpFactory> {
  return (loading ??= import('sharp').then(({ default: sharp }) => {
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({ operation: DECODERS });
    // One thread of libuv's pool for each image, and no memory kept between images.
    sharp.concurrency(1);
    sharp.cache(false);
    return sharp;
  }));
}

/**
 * Opens an image within the limits. Nothing is decoded before the pipeline runs.
 * @param frames the first ones to be decoded; not more than there are
 */
export async function openImage(source: ImageSource, frames: number): Promise<Sharp> {
  const bytes = typeof source === 'string' ? (await stat(source)).size : source.length;
  if (bytes > limits.INPUT_LIMIT_BYTES) throw tooLarge();
  const sharp = await loadSharp();
  return sharp(source, {
    pages: frames,
    limitInputPixels: limits.PIXELS_MAX,
    failOn: 'error',
    sequentialRead: true,
  }).timeout({ seconds: limits.TIME_LIMIT_SECONDS });
}

export function undecodable(): Refusal {
  return new Refusal('BAD_IMAGE', 'Could not decode image; did you upload an image file?');
}

export function tooLarge(): Refusal {
  return new Refusal('BAD_IMAGE', 'Image size exceeds limit.');
}

/**
 * Runs work of the library; its errors are about the image, and become refusals without their texts, which may contain paths.
 * @throws Refusal BAD_IMAGE
 */
export async function decoding<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof Refusal) throw thrown;
    const { message, code } = thrown as { message?: string; code?: string };
    // A full disk, a file that is gone: the server's fault.
    if (code !== undefined) throw thrown;
    throw /exceeds pixel limit|timeout/i.test(message ?? '') ? tooLarge() : undecodable();
  }
}
