import type { PackageDetail } from '../../shared/api/schemas/package.ts';
import { toConsolePath } from '../../shared/domain/packages/console-path.ts';
import { formatPackage } from '../../shared/domain/packages/format-package.ts';
import type { PackageId } from '../../shared/domain/packages/package-id.ts';
import { dropMilliseconds } from '../../shared/util/drop-milliseconds.ts';
import { formatDetails, formatSentence } from '../output/details.ts';
import type { View } from '../output/result.ts';
import type { Session } from '../session/session.ts';
import { presentPackage } from './package-detail.ts';

/** Returns the address of a version in the review console. */
export const toConsoleAddress = ({ settings }: Pick<Session, 'settings'>, id: PackageId): string =>
  `${settings.url.value.replace(/\/+$/, '')}${toConsolePath(id)}`;

const describeExpiry = ({ expires_at }: PackageDetail): string =>
  expires_at ? ` until ${dropMilliseconds(expires_at)}` : '';

const describeReason = ({ reason }: PackageDetail): string =>
  reason ? `: ${reason.replace(/\.$/, '')}` : '';

type Sentence = (title: string, detail: PackageDetail) => string;

const statusSentences: Readonly<Record<PackageDetail['status'], Sentence>> = {
  pending: (title) => `${title} waits for review.`,
  approved: (title, detail) => `${title} is approved${describeExpiry(detail)}.`,
  rejected: (title, detail) => `${title} is rejected${describeReason(detail)}.`,
};

/** Whether a version may be used, in one sentence. */
export const describeStatus: Sentence = (title, detail) =>
  statusSentences[detail.status](title, detail);

export const describeApproval: Sentence = (title, detail) =>
  `Approved ${title}${describeExpiry(detail)}.`;

export const describeRejection: Sentence = (title, detail) =>
  `Rejected ${title}${describeReason(detail)}.`;

/** A repeated submission returns the version as it is, which may be decided. */
export const describeSubmission: Sentence = (title, detail) =>
  detail.status === 'pending' ? `Submitted ${title} for review.` : describeStatus(title, detail);

/**
 * Returns the view of a package version that begins with a sentence and its address in the console.
 * @param describe returns the sentence, given the package such as `npm:left-pad@1.3.0`
 */
export const announce = (session: Session, describe: Sentence): View<PackageDetail> => ({
  formatAnswer: (detail, output) => [
    ...formatSentence(describe(formatPackage(detail), detail), output),
    toConsoleAddress(session, detail),
    '',
    ...formatDetails(presentPackage(detail), output),
  ],
});
