import { showAt } from '../shared/domain/expiry.ts';
import { endpoint } from '../shared/http/endpoint.ts';
import { toPackageAnswer } from '../shared/review/answer-package.ts';
import { routes } from '../shared/routes.ts';
import { selectVersion } from '../shared/store/packages/find-versions.ts';
import { toDetail } from '../shared/store/packages/package-item.ts';

export const handler = endpoint(routes.showPackage, async ({ path, query }) =>
  toPackageAnswer(showAt(toDetail(await selectVersion({ ...path, ...query })), new Date())),
);
