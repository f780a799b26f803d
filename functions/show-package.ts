import * as routes from '../shared/api/routes.ts';
import { showAt } from '../shared/domain/review/expiry.ts';
import { endpoint } from '../shared/platform/http/endpoint.ts';
import { selectVersion } from '../shared/storage/packages/find-versions.ts';
import { toDetail } from '../shared/storage/packages/package-item.ts';
import { toPackageAnswer } from '../shared/use-cases/review/answer-package.ts';

export const handler = endpoint(routes.showPackage, async ({ path, query }) =>
  toPackageAnswer(showAt(toDetail(await selectVersion({ ...path, ...query })), new Date())),
);
