/**
 * Maximum size of an answer. Clients ask for the next page when one ends early, and display fewer messages than fit;
 * the limit also bounds the memory for parsing.
 */
export const ANSWER_BYTES_MAX = 8_000_000;

/** Remaining size of an answer. */
export class AnswerBudget {
  #left = ANSWER_BYTES_MAX;

  /** @param reserved for other parts of the answer */
  part(reserved = 0): AnswerPart {
    let isEmpty = true;
    return {
      spend: (text) => {
        const bytes = Buffer.byteLength(text);
        // The first message always fits: an empty answer would make no progress.
        const fits = isEmpty || bytes <= this.#left - reserved;
        isEmpty = false;
        if (fits) this.#left -= bytes;
        return fits;
      },
    };
  }
}

export interface AnswerPart {
  /** Returns whether the text still fits. */
  spend(text: string): boolean;
}
