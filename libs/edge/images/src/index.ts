export type { DrawnImage } from './draw-image.js';
export { identifyImage } from './identify-image.js';
export { emojiImage, fittedImage, squareImage, thumbnailImage } from './images.js';
export { withoutLocation } from './location/without-location.js';
