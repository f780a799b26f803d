import * as routes from '../shared/api/routes.ts';
import { refuseUnknownLicense } from '../shared/domain/errors.ts';
import { parseLicense } from '../shared/domain/licenses/parse-license.ts';
import { suggestLicenses } from '../shared/domain/licenses/suggest-licenses.ts';
import { endpoint } from '../shared/platform/http/endpoint.ts';
import { findLicense } from '../shared/use-cases/licensing/find-license.ts';

export const handler = endpoint(routes.showLicense, async ({ path: { name } }) => {
  const expression = parseLicense(name);
  const record = expression && (await findLicense(expression));
  if (record) return record;
  throw refuseUnknownLicense(name, suggestLicenses(name));
});
