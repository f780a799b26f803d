import { Option } from 'commander';
import type { CliCommand } from '../../framework/command.ts';
import { packageDescription } from '../../framework/flag-descriptions.ts';
import { packageArgument } from '../../framework/positionals.ts';
import { listRouteOptions } from '../../framework/route-description.ts';

export const review: CliCommand = {
  name: 'review',
  summary: 'Review pending versions one by one, in a terminal',
  examples: [
    'review',
    'review --ecosystem npm',
    'review --batch shop-2026-11',
    'review npm:left-pad@1.3.0',
  ],
  arguments: [packageArgument('[package]', `only pending versions of ${packageDescription}`)],
  options: [
    ...listRouteOptions('listPackages', ['ecosystem', 'search']),
    ...listRouteOptions('listReviews', ['batch']),
    new Option('--by <text>', 'the reviewer, if not the owner of the token'),
  ],
  run: async ({ arguments: [text], flags }, { openSession }) => {
    const { runReview } = await import('./run-review.ts');
    await runReview(text, flags, openSession({ writes: true }));
  },
};
