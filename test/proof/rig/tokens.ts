/** Stands in tokens and bodies, and may stand in no log. */
export const canary = 'canary-7f3a9c';

/**
 * The tokens that every registry of the rig accepts, and what each is for. The same everywhere: a process keeps the list that it
 * has read for a minute.
 */
export const tokens = {
  all: `${canary}-all-that-there-is-to-do-here`,
  submit: `${canary}-submissions-and-nothing-else`,
  review: `${canary}-reviews-and-nothing-else-here`,
} as const;

/** The list of them, as the secret holds it. */
export const tokenList = `all:${tokens.all},ci/submit:${tokens.submit},audit/review:${tokens.review}`;
