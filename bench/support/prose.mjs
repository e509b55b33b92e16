const WORDS = 'the quick brown fox jumps over a lazy dog while nobody watches and everybody talks about lunch'.split(
  ' ',
);

/** About 300 characters of plain prose, different for each number. */
export function prose(index) {
  let text = `Message ${index}`;
  for (let word = index; text.length < 296; word++) text += ` ${WORDS[word % WORDS.length]}`;
  return `${text.slice(0, 299)}.`;
}
