import type { Markup } from '../../../output/html.ts';
import type { EvidenceReport } from '../report.ts';
import { tableOf } from './parts.ts';

/** Writes the issues that an approval of the version would have today. */
export const writeIssues = ({ evidence: { issues } }: EvidenceReport): Markup =>
  tableOf(
    issues.toSorted((one, other) => Number(other.blocks) - Number(one.blocks)),
    [
      { title: 'Issue', value: ({ code }) => code, kind: 'tight' },
      { title: 'Effect', value: ({ blocks }) => (blocks ? 'blocks an approval' : 'warns') },
      { title: 'Message', value: ({ message }) => message },
    ],
    { none: 'There are none.' },
  );
