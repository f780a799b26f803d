/** What must not compile. The type check fails where one of these lines does. */

import type { Access } from '../../shared/api/resources.ts';
import type { Route } from '../../shared/api/route.ts';
import * as routes from '../../shared/api/routes.ts';
import type { PackageAnswer } from '../../shared/api/schemas/package.ts';
import { endpoint } from '../../shared/platform/http/endpoint.ts';
import { makePageLinks } from '../../shared/platform/http/page-links.ts';
import { protectedEndpoint } from '../../shared/platform/http/protected-endpoint.ts';

declare const detail: PackageAnswer;

// @ts-expect-error a protected route cannot become a public endpoint
export const unprotected = endpoint(routes.submitPackage, async () => detail);

// @ts-expect-error a public route has no token to check
export const needlessly = protectedEndpoint(routes.showPackage, async () => detail);

// @ts-expect-error the result must be what the route promises
export const incomplete = endpoint(routes.showPackage, async () => ({ name: 'x' }));

export const path = endpoint(routes.showPackage, async ({ path }) => {
  // @ts-expect-error the path has no such parameter
  void path.version;
  return { ...detail, name: path.name };
});

export const query = endpoint(
  routes.listVersions,
  async ({ query }) => {
    // @ts-expect-error the query has no such parameter
    void query.search;
    return { packages: [], total: 0, limit: query.limit, offset: query.offset };
  },
  makePageLinks,
);

// @ts-expect-error a route that names a header needs what makes it
export const headerless = protectedEndpoint(routes.submitPackage, async () => detail);

// @ts-expect-error a route that names no header has none
export const header = endpoint(routes.showPackage, async () => detail, makePageLinks);

export const body = protectedEndpoint(routes.approvePackage, async ({ body }) => {
  // @ts-expect-error an approval has no such field
  void body.rejected_by;
  return detail;
});

export const write = endpoint(routes.showPackage, async (input) => {
  // @ts-expect-error a public endpoint writes nothing
  void input.write;
  return detail;
});

// @ts-expect-error there is no such table
export const table: Access = { users: ['GetItem'] };

// @ts-expect-error there is no such action
export const action: Access = { packages: ['DropTable'] };

// @ts-expect-error there is no such problem
export const problem: Route['errors'] = ['teapot'];
