// Further names people type in chat, which neither emoji-names.txt nor emoji-datasource has.
export const aliases = {
  '1f642': ['slight_smile'],
  '1f917': ['hugging'],
  '1f926': ['facepalm'],
  '1f3e0': ['home'],
  '1f4ac': ['discussion'],
  '274e': ['cross_mark_button'],
  2600: ['sun'],
  '1f1fa-1f1f8': ['united_states'],
};
