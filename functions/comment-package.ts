import * as routes from '../shared/api/routes.ts';
import { protectedEndpoint } from '../shared/platform/http/protected-endpoint.ts';
import { commentPackage } from '../shared/use-cases/review/comment-package.ts';

export const handler = protectedEndpoint(routes.commentPackage, ({ path, query, body, write }) =>
  commentPackage({ ...path, ...query }, body, write),
);
