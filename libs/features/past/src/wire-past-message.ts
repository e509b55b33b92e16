import { messageSchema } from '#reading';
import { described, truth } from '#wire';

/** A message as it was. Reactions and votes carry no times, so there are none. */
export const PastMessageSchema = messageSchema('PastMessage', {
  is_reworded: described(truth, 'It was edited since, and earlier wordings are not shown: this is the one of today.'),
});
