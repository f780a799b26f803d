import { defineCommand } from '../framework/define-command.ts';

export const claim = defineCommand('claimReview', {
  name: 'claim',
  examples: ['claim lodash@4.17.21', 'claim lodash@4.17.21 --end'],
  view: {
    presentAnswer: ({ claim: made, replaced, ...id }) => ({
      ...id,
      claimed_by: made?.by ?? null,
      claimed_until: made?.until ?? null,
      ...(replaced && { replaced_claim_of: replaced.by, replaced_until: replaced.until }),
    }),
  },
});
