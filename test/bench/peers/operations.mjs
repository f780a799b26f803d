/** Operations of the registry for all peers, with its DynamoDB client and options. */
import { showAt } from '../../../shared/domain/review/expiry.ts';
import { selectVersion } from '../../../shared/storage/packages/find-versions.ts';
import * as versions from '../../../shared/storage/packages/list-versions.ts';
import { toDetail } from '../../../shared/storage/packages/package-item.ts';
import { answerPackage, toPackageAnswer } from '../../../shared/use-cases/review/answer-package.ts';
import { submitPackage } from '../../../shared/use-cases/review/submit-package.ts';

export const findPackage = async (selector) =>
  toPackageAnswer(showAt(toDetail(await selectVersion(selector)), new Date()));

export const listVersions = async ({ limit, offset, ...selector }) => ({
  ...(await versions.listVersions(selector, { limit, offset })),
  limit,
  offset,
});

const write = {
  actor: { label: null, scopes: ['submit'], fingerprint: null },
  deadline: { remainingMs: () => 10_000 },
  remember: () => [],
};

export const keepPackage = (submission) =>
  answerPackage({ ...write, now: new Date() }, (context) => submitPackage(submission, context));
