import type { Content, Markup } from '../../../output/html.ts';
import type { EvidenceReport } from '../report.ts';
import { writeAbout } from './about.ts';
import { writeAcceptances } from './acceptances.ts';
import { writeDecisions } from './decisions.ts';
import { writeFiles } from './files.ts';
import { writeHistory } from './history.ts';
import { writeIssues } from './issues.ts';
import { writeLicense } from './license.ts';
import { writeScans } from './scans.ts';
import { writeSignedStatement } from './signed-statement.ts';
import { writeSinceApproval } from './since-approval.ts';
import { writeUpstream } from './upstream.ts';
import { writeUsedBy } from './used-by.ts';
import { writeVersionChanges } from './version-changes.ts';

/** A section of a report, below the answers. */
interface Section {
  readonly id: string;
  readonly title: string;
  readonly write: (report: EvidenceReport) => Markup | readonly Content[];
}

/** The sections of a report, in their order. */
export const sections: readonly Section[] = [
  { id: 'decisions', title: 'Submission and decisions', write: writeDecisions },
  { id: 'since', title: 'Evidence of the approval, and today', write: writeSinceApproval },
  { id: 'issues', title: 'Issues today', write: writeIssues },
  { id: 'acceptances', title: 'Risk acceptances', write: writeAcceptances },
  { id: 'scans', title: 'Scans', write: writeScans },
  { id: 'license', title: 'License', write: writeLicense },
  { id: 'changes', title: 'Changes to the version before', write: writeVersionChanges },
  { id: 'upstream', title: 'Upstream metadata', write: writeUpstream },
  { id: 'files', title: 'Files and digests', write: writeFiles },
  { id: 'attestation', title: 'Signed statement', write: writeSignedStatement },
  { id: 'used-by', title: 'Used by', write: writeUsedBy },
  { id: 'history', title: 'History', write: writeHistory },
  { id: 'about', title: 'About this report', write: writeAbout },
];
