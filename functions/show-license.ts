import { licenseNotFound } from '../shared/domain/errors.ts';
import { parseLicense } from '../shared/domain/licenses/expression.ts';
import { endpoint } from '../shared/http/endpoint.ts';
import { routes } from '../shared/routes.ts';
import { findRecord } from '../shared/store/licenses/license-records.ts';

export const handler = endpoint(routes.showLicense, async ({ path: { name } }) => {
  const expression = parseLicense(name);
  const record = expression && (await findRecord(expression));
  if (record) return record;
  throw licenseNotFound(name);
});
