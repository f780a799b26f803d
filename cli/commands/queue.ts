import type { ReviewPage } from '../../shared/api/schemas/review.ts';
import { formatPackage } from '../../shared/domain/packages/format-package.ts';
import { defineCommand } from '../framework/define-command.ts';
import { describeReview } from '../presentation/review-progress.ts';
import { describeUpdate } from '../presentation/updates.ts';

type Review = ReviewPage['reviews'][number];

const presentReview = (review: Review): object => ({
  package: `${formatPackage(review)}${describeUpdate(review)}`,
  status: review.status,
  license: review.effective_license ?? review.license,
  why: describeReview(review),
});

export const queue = defineCommand('listReviews', {
  name: 'queue',
  examples: [
    'queue --batch shop-2026-11',
    'queue --issue scan_failed --severity high',
    'queue --sort severity',
    'queue --cause security_fix',
    'queue --label alice --status all',
    'queue --batch shop-2026-11 --status all --all --json',
    'queue --license-status unreviewed -o name --all | registry approve -',
  ],
  flags: {
    issue: { description: 'only versions with this issue, or with none' },
    name: { description: 'only versions of the package with this name; needs --ecosystem' },
    sort: {
      description:
        'by time of submission (with - newest first), worst vulnerability (severity), or number of batches (demand)',
    },
  },
  view: { presentRow: presentReview, droppable: ['license'] },
});
