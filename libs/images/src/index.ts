export type { ImageSource } from './decoder.js';
export type { DrawnImage } from './draw-image.js';
export { identifyImage, type ImageFormat, type ImageInfo } from './identify-image.js';
export {
  cleanImage,
  type EmojiImage,
  emojiImage,
  fittedImage,
  squareImage,
  thumbnailImage,
  type ThumbnailSize,
} from './images.js';
