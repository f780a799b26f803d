/** What a request for a package comes to, whoever takes it in: what the registry does, by the same client. */
import { showAt } from '../../../shared/domain/expiry.ts';
import { toPackageAnswer } from '../../../shared/review/answer-package.ts';
import { selectVersion } from '../../../shared/store/packages/find-versions.ts';
import { toDetail } from '../../../shared/store/packages/package-item.ts';

export const findPackage = async (selector) =>
  toPackageAnswer(showAt(toDetail(await selectVersion(selector)), new Date()));
