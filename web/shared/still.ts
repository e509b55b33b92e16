/**
 * Pictures that move, still for who asks for reduced motion: under the pointer, and by a key, they move all the same. `<picture>` chooses by itself, so
 * that nothing is drawn again when the reader changes their mind.
 */
interface MovingPicture {
  readonly source_url: string;
  readonly still_url: string | null;
}
export type Pictures = ReadonlyMap<string, MovingPicture>;

/** Media queries: still under reduced motion; never still. */
const [REDUCED, MOVING] = ['(prefers-reduced-motion: reduce)', 'not all'];

const known = new WeakMap<Pictures, ReadonlyMap<string, string>>();

/** Addresses of still pictures by those of the moving ones. */
export function stillsOf(pictures: Pictures): ReadonlyMap<string, string> {
  let stills = known.get(pictures);
  if (stills === undefined) {
    stills = new Map(
      [...pictures.values()].flatMap(({ source_url: url, still_url: still }) => (still === null ? [] : [[url, still]])),
    );
    known.set(pictures, stills);
  }
  return stills;
}

/** Has the pictures of an element move, or stand still again where they all move. */
export function toggleMotion(element: Element): void {
  const sources = [...element.querySelectorAll<HTMLSourceElement>('picture > source')];
  const next = sources.some(({ media }) => media === REDUCED) ? MOVING : REDUCED;
  for (const source of sources) source.media = next;
}

/** Puts a picture that moves into one that stands still unless it is asked to move. */
export function holdStill(image: HTMLImageElement, still: string): void {
  const [picture, source] = [document.createElement('picture'), document.createElement('source')];
  source.media = REDUCED;
  source.srcset = still;
  image.replaceWith(picture);
  picture.append(source, image);
  picture.addEventListener('pointerenter', () => (source.media = MOVING));
  picture.addEventListener('pointerleave', () => (source.media = REDUCED));
}
