/** A text in tokens and bodies that no log may contain. */
export const canary = 'canary-7f3a9c';

/**
 * The tokens that every registry of the rig accepts, with their purpose. The list never changes, because a process caches it
 * for a minute.
 */
export const tokens = {
  all: `${canary}-all-that-there-is-to-do-here`,
  submit: `${canary}-submissions-and-nothing-else`,
  review: `${canary}-reviews-and-nothing-else-here`,
} as const;

/** The list of tokens in the format of the secret. */
export const tokenList = `all:${tokens.all},ci/submit:${tokens.submit},audit/review:${tokens.review}`;
